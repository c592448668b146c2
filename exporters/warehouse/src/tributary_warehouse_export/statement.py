"""The words of a statement: enough to leave out its literals, and to follow names through a session. No parser."""

from __future__ import annotations

import hashlib
import itertools
import re
import typing as t

import sqlglot
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType


class Unclear(ValueError):
    """Nobody can say for certain where the literals of a statement end, so its text must not leave the machine."""


class Token(t.NamedTuple):
    kind: str
    text: str
    #: A bare word in lower case; empty for any other token.
    word: str = ""


_SPACE = Token("space", " ")
_WORDS = re.compile(r"[^\W\d][\w$]*(?:\s+[^\W\d][\w$]*)*")
# N'…', r"""…""", U&'…', $tag$…$tag$: what begins as a literal must end as one.
_LITERAL = re.compile(r"""(?:[A-Za-z]{0,2}&?)(?P<quote>\$\w*\$|\'{3}|"{3}|['"]).*(?P=quote)""", re.DOTALL)
_NAME = re.compile(r"""".*"|`.*`|\[.*\]""", re.DOTALL)
# Databases differ in whether comments nest, and in whether a lone carriage return ends one.
_DOUBTFUL_SPACE = re.compile(r"/\*(?:(?!\*/).)*/\*|\r(?!\n)", re.DOTALL)


def tokens_of(sql: str, dialect: str) -> list[Token]:
    """Without comments and hints, which may hold anything. Raises Unclear."""
    try:
        lexed = sqlglot.tokenize(sql, read=dialect)
    except (SqlglotError, ValueError):
        # The cause would repeat the text.
        raise Unclear(f"the statement does not follow the rules of {dialect}, or is cut") from None
    tokenizer = Dialect.get_or_raise(dialect).tokenizer_class
    has_escapes = "\\" in tokenizer.STRING_ESCAPES
    found: list[Token] = []
    end = 0
    for before, one in zip([None, *lexed], lexed):
        # The rest of some commands is one string that was not cut into words.
        if before and before.token_type in tokenizer.COMMANDS and one.token_type == TokenType.STRING:
            raise Unclear("a command is not cut into words")
        # `10L` is a number and the type that it is cast to, all at one place.
        if one.start < end and end > 0:
            continue
        space, text = sql[end : one.start], sql[one.start : one.end + 1]
        if _DOUBTFUL_SPACE.search(space):
            raise Unclear("a comment may end elsewhere")
        if space and found and found[-1] != _SPACE:
            found.append(_SPACE)
        found.extend(_tokens(one.token_type, text, found[-1] if found else _SPACE, has_escapes))
        end = one.end + 1
    if _DOUBTFUL_SPACE.search(sql[end:]):
        raise Unclear("a comment may end elsewhere")
    return found


_LITERAL_TYPES = {one for one in TokenType if one.name.endswith("STRING")}


def _tokens(kind: TokenType, text: str, before: Token, has_escapes: bool) -> t.Iterator[Token]:
    """The tokens of one that the tokenizer found, or none where it only continues the token before it."""
    if kind == TokenType.HINT:
        return
    if kind in _LITERAL_TYPES and not text[0].isdigit():
        if not _LITERAL.fullmatch(text):
            raise Unclear("a literal has no quotes")
        # A setting of the session decides whether a backslash hides the quote behind it; so may a prefix.
        is_plain = text[0] in "'\""
        if is_plain and "\\" in text and (before.kind == "word" or not has_escapes and re.search(r"\\['\"]", text)):
            raise Unclear("a backslash may hide a quote")
        if before.kind != "text":
            yield Token("text", text)
    elif kind == TokenType.NUMBER or kind in _LITERAL_TYPES or before.kind == "number" and _WORDS.fullmatch(text):
        if before.kind != "number":
            yield Token("number", text)
    elif kind == TokenType.IDENTIFIER and _NAME.fullmatch(text):
        yield Token("name", text)
    elif _WORDS.fullmatch(text):
        for at, word in enumerate(text.split()):
            yield from [_SPACE] * (at > 0)
            yield Token("word", word, word.lower())
    elif re.search("['\"`0-9]|\\$.*\\$", text):
        raise Unclear("something is no literal and no name")
    else:
        yield Token("sign", text)


def split_statements(tokens: t.Sequence[Token]) -> list[list[Token]]:
    statements: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == ";" and token.kind == "sign":
            statements.append([])
        else:
            statements[-1].append(token)
    return [one for one in statements if any(token.kind != "space" for token in one)]


def words_of(tokens: t.Sequence[Token], count: int = 12) -> list[str]:
    """The first words, in lower case, and `(` where one comes between them."""
    return list(itertools.islice((token.word or token.text for token in tokens if token.kind != "space"), count))


# The positions of columns after these words are no data.
_LISTS = {("group", "by"), ("order", "by")}


def without_literals(tokens: t.Sequence[Token]) -> str:
    """The statement with `'?'` for each text and `0` for each number, so that nothing of the data leaves the machine."""
    written: list[str] = []
    before = ("", "")
    places = False
    for token in tokens:
        if token.kind == "space":
            written.append(" ")
            continue
        text = token.text
        if token.kind == "text":
            text = "'?'"
        elif token.kind == "number":
            # No table has more columns than four digits count.
            text = token.text if places and re.fullmatch("[0-9]{1,4}", token.text) else "0"
        before = (before[1], token.word or token.text)
        places = before in _LISTS or places and (token.kind == "number" or token.text == ",")
        written.append(text)
    return "".join(written).strip()


def text_of(sql: str, dialect: str) -> t.Optional[str]:
    """A statement without its literals; None if it is unclear where they end."""
    try:
        return without_literals(tokens_of(sql, dialect))
    except Unclear:
        return None


def shape_of(text: str) -> str:
    """The same for statements that differ only in literals, space, case, and the times in names that tools make."""
    normalised = re.sub(r"\d{5,}", "0", re.sub(r"\s+", " ", text).strip().lower())
    return hashlib.sha256(normalised.encode()).hexdigest()[:16]


class Name(t.NamedTuple):
    """A relation as a statement writes it, and where its words end."""

    parts: tuple[str, ...]
    written: str
    end: int


def name_at(tokens: t.Sequence[Token], start: int) -> t.Optional[Name]:
    """The dotted name that begins at a token, or after the space in front of it."""
    at = start
    while at < len(tokens) and tokens[at].kind == "space":
        at += 1
    parts: list[str] = []
    written = ""
    while at < len(tokens) and tokens[at].kind in ("word", "name"):
        token = tokens[at]
        parts.append(token.word if token.kind == "word" else token.text[1:-1].replace('""', '"'))
        written += token.text
        at += 1
        if at + 1 < len(tokens) and tokens[at].text == "." and tokens[at + 1].kind in ("word", "name"):
            written += "."
            at += 1
        else:
            break
    return Name(tuple(parts), written, at) if parts else None


def index_after(tokens: t.Sequence[Token], *words: str) -> int:
    """Where the first words of a statement end, if they are these; words in brackets may be missing. Else -1."""
    at = 0
    for word in words:
        optional, wanted = (True, word[1:-1]) if word.startswith("[") else (False, word)
        while at < len(tokens) and tokens[at].kind == "space":
            at += 1
        if at < len(tokens) and tokens[at].word in wanted.split("|"):
            at += 1
        elif not optional:
            return -1
    return at
