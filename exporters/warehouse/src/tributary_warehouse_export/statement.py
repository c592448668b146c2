"""The words of a statement: enough to leave out its literals, and to follow names through a session. No parser."""

from __future__ import annotations

import hashlib
import itertools
import re
import typing as t

# Space, comments, dollar quotes, texts (also E'…', whose backslashes escape), quoted names, words, numbers, parameters, signs.
_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<dollar>\$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$)
    |(?P<text>[eE]'(?:[^'\\]|\\.|'')*'|[bBxXnN]?'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`[^`]*`)
    |(?P<word>[^\W\d][\w$]*)
    |(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)


class Token(t.NamedTuple):
    kind: str
    text: str
    #: A bare word in lower case; empty for any other token.
    word: str = ""


_SPACE = Token("space", " ")


def tokens_of(sql: str) -> list[Token]:
    """Without comments: they may hold anything."""
    found = []
    for match in _TOKEN.finditer(sql):
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            found.append(_SPACE)
        else:
            # The tag of a dollar quote is the group that ends last.
            found.append(Token("dollar" if kind == "tag" else str(kind), text, text.lower() if kind == "word" else ""))
    return found


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
            if written and not written[-1].endswith(" "):
                written.append(" ")
            continue
        text = token.text
        if token.kind in ("text", "dollar"):
            text = "'?'"
        elif token.kind == "number":
            text = token.text if places and before[1] in ("by", ",") and token.text.isdigit() else "0"
        elif token.kind == "word":
            places = False
        before = (before[1], token.word or token.text)
        places = places or before in _LISTS
        written.append(text)
    return "".join(written).strip()


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
