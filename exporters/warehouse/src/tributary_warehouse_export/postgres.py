"""PostgreSQL's log in CSV form, and the statements that `pg_stat_statements` counts.

The log is written with `log_statement = all` or `log_min_duration_statement = 0`. Its columns are those of
https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG, and those of the
statements are explained at https://www.postgresql.org/docs/current/pgstatstatements.html.
"""

from __future__ import annotations

import re
import typing as t

from .history import Execution, in_utc
from .statement import Name, Token, Unclear, index_after, name_at, split_statements, text_of, tokens_of, without_literals, words_of

_TIME, _USER, _DATABASE, _SESSION, _LINE, _SEVERITY, _MESSAGE, _QUERY = 0, 1, 2, 5, 6, 11, 13, 19
_MATTERS = re.compile(r"\b(?:into|create|merge|update|alter|begin|start|commit|end|rollback|abort)\b", re.IGNORECASE)
_STATEMENT = re.compile(r"(?:duration: [\d.]+ ms +)?(?:statement|execute [^:]*): (.*)", re.DOTALL)


def executions(rows: t.Iterable[t.Sequence[str]]) -> t.Iterator[Execution]:
    """The statements that made or filled relations, in the order of the log; those that failed are left out."""
    sessions: dict[str, _Session] = {}
    for row in rows:
        if len(row) <= _QUERY:
            continue
        session = sessions.setdefault(row[_SESSION], _Session())
        if row[_SEVERITY] in ("ERROR", "FATAL", "PANIC"):
            session.failed()
            continue
        found = _STATEMENT.match(row[_MESSAGE]) if row[_SEVERITY] == "LOG" else None
        if found is None:
            continue
        run = Execution(f"{row[_SESSION]}/{row[_LINE]}", in_utc(row[_TIME]), row[_DATABASE], row[_USER], "", "postgres")
        text = found.group(1)
        statements = _statements(text)
        if _only_reads(text, statements):
            yield run._replace(read=text)
        if statements is None:
            yield from session.withhold(run)
        for statement in statements or []:
            yield from session.take(statement, run)
    for session in sessions.values():
        yield from session.end()


def statistics(rows: t.Iterable[t.Mapping[str, t.Any]]) -> t.Iterator[Execution]:
    """Rows of `pg_stat_statements`. They have no order and no session: what a name means must be clear without."""
    users: dict[tuple[str, str], list[tuple[list[Token], Execution]]] = {}
    for row in rows:
        database, user, number = (str(row.get(name) or "") for name in ("database", "user_name", "queryid"))
        at, calls = in_utc(str(row.get("read_at") or "")), int(row.get("calls") or 0)
        run = Execution(f"{database}/{user}/{number}", at, database, user, "", "postgres", calls=calls)
        text = str(row.get("query") or "")
        statements = _statements(text)
        if calls and _only_reads(text, statements):
            yield run._replace(read=text)
        if statements is None:
            yield run._replace(sql=None)
        for statement in statements or []:
            users.setdefault((database, user), []).append((statement, run))
    for statements in users.values():
        session = _Session(is_ordered=False)
        renames: dict[tuple[str, ...], set[str]] = {}
        for statement, run in sorted(statements, key=lambda one: not _is_temporary(one[0])):
            renaming = _renaming(statement)
            if renaming is not None:
                renames.setdefault(renaming[0], set()).add(renaming[1])
            elif run.calls:
                session.write(statement, run)
        # What was never made under a name is only put aside by a rename from it.
        for before, names in renames.items():
            if before in session.made:
                session.rename(before, *names)
        yield from session.end()


def views(rows: t.Iterable[t.Mapping[str, t.Any]]) -> t.Iterator[Execution]:
    """Rows of `pg_views` and `pg_matviews`, which may be older than any history. Their definitions are queries."""
    for row in rows:
        name = ".".join('"' + str(row[part]).replace('"', '""') + '"' for part in ("schema_name", "view_name"))
        sql = text_of(f"create view {name} as {row['definition']}", "postgres")
        yield Execution(name, in_utc(str(row["read_at"])), str(row["database"]), "", sql, "postgres")


def _statements(text: str) -> t.Optional[list[list[Token]]]:
    """None if it is unclear where literals end. Most of a history only reads, and is not cut into words."""
    if not _MATTERS.search(text):
        return [[]]
    try:
        return split_statements(tokens_of(text, "postgres"))
    except Unclear:
        return None


# BI tools write who runs a query into a comment in front of it.
_READ = re.compile(r"(?:[\s(]|--[^\n]*\n|/\*(?:(?!\*/).)*\*/)*(?:select|with|table)\b", re.IGNORECASE | re.DOTALL)
_SYSTEM = re.compile(r"\b(?:from|join)\s+\"?(?:pg_|information_schema\b)", re.IGNORECASE)


def _only_reads(text: str, statements: t.Optional[list[list[Token]]]) -> bool:
    """Whether a text is a query of relations that people made."""
    if statements is None or _READ.match(text) is None or _SYSTEM.search(text):
        return False
    return not any(_writes(one) or _is_temporary(one) for one in statements)


class _Session:
    """The names of one session: temporary relations, and what was made under a name and renamed since.

    A statement is given on at the end of its transaction, under the names that its relations have then.
    """

    def __init__(self, is_ordered: bool = True) -> None:
        self.is_ordered = is_ordered
        #: The statements that make and fill a temporary relation; none if several make it and their order is not known.
        self.temporary: dict[str, list[list[Token]]] = {}
        self.made: set[tuple[str, ...]] = set()
        self.waiting: list[t.Union[_Written, Execution]] = []
        self.in_transaction = False

    def failed(self) -> None:
        """The statement that was logged last failed, and its transaction with it."""
        if self.in_transaction:
            self.waiting.clear()
        elif self.waiting:
            self.waiting.pop()

    def take(self, statement: list[Token], run: Execution) -> t.Iterator[Execution]:
        first = (words_of(statement, 1) or [""])[0]
        if first in ("commit", "end", "rollback", "abort"):
            if first in ("rollback", "abort"):
                self.waiting.clear()
            self.in_transaction = False
            yield from self.end()
            return
        if not self.in_transaction:
            # What was logged before did not fail, or an error would stand between.
            yield from self.end()
        if first in ("begin", "start"):
            self.in_transaction = True
        elif (renaming := _renaming(statement)) is not None:
            self.rename(*renaming)
        else:
            self.write(statement, run)

    def withhold(self, run: Execution) -> t.Iterator[Execution]:
        """A statement whose text must not leave the machine, so that nobody learns what it made."""
        if not self.in_transaction:
            yield from self.end()
        self.waiting.append(run._replace(sql=None))

    def end(self) -> t.Iterator[Execution]:
        for one in self.waiting:
            yield from self._finished(one) if isinstance(one, _Written) else [one]
        self.waiting = []

    def _finished(self, one: _Written) -> t.Iterator[Execution]:
        before = _needed(one.statement, self.temporary)
        if before is not None:
            yield one.run._replace(sql="; ".join([*before, without_literals(one.statement)]))

    def rename(self, before: tuple[str, ...], *after: str) -> None:
        """What gets several names is left out: nobody knows which statement made which."""
        if len(after) > 1:
            self.waiting = [one for one in self.waiting if isinstance(one, _Written) and not one.names(before)]
        for one in self.waiting:
            if isinstance(one, _Written):
                one.rename(before, after[0])

    def write(self, statement: list[Token], run: Execution) -> None:
        target = _target(statement)
        name = target.parts[-1] if target else ""
        if _is_temporary(statement):
            is_clear = self.is_ordered or name not in self.temporary
            self.temporary[name] = [statement] if is_clear else []
        elif self.temporary.get(name):
            self.temporary[name].append(statement)
        elif target is not None and _writes(statement):
            self.made.add(target.parts)
            written = _Written(statement, run)
            # Outside of a transaction nothing renames it any more, and its words take much memory.
            self.waiting.extend([written] if self.in_transaction or not self.is_ordered else self._finished(written))


def _renaming(statement: list[Token]) -> t.Optional[tuple[tuple[str, ...], str]]:
    start = index_after(statement, "alter", "[materialized]", "table|view", "[if]", "[exists]", "[only]")
    before = name_at(statement, start) if start > 0 else None
    if before is None:
        return None
    to = index_after(statement[before.end :], "rename", "to")
    after = name_at(statement[before.end :], to) if to > 0 else None
    return None if after is None else (before.parts, after.written)


def _target(statement: list[Token]) -> t.Optional[Name]:
    """The relation that a statement makes or fills."""
    kinds = ("[temp|temporary|unlogged]", "[materialized]", "[recursive]")
    at = index_after(statement, "create", "[or]", "[replace]", "[local|global]", *kinds, "table|view", "[if]", "[not]", "[exists]")
    if at < 0:
        verb = "update" if words_of(statement, 1) == ["update"] else "into"
        at = next((place for place, token in enumerate(statement) if token.word == verb), -1)
        at += 1 + index_after(statement[at + 1 :], "[temp|temporary|unlogged]", "[table]", "[only]") if at >= 0 else 0
    return name_at(statement, at) if at > 0 else None


def _is_temporary(statement: list[Token]) -> bool:
    kinds = ("temp", "temporary")
    words = words_of(statement, len(statement))
    if words[:1] == ["create"]:
        return any(word in kinds for word in words[1:5])
    return any(pair[0] == "into" and pair[1] in kinds for pair in zip(words, words[1:]))


_WRITES = re.compile(
    r"create (or replace )?(unlogged )?(materialized )?(table|view|recursive view)\b.*\b(as|select)\b"
    r"|insert into |merge into |update |(with\b.*\b(insert into|update|merge into)\b)|select\b.*\binto\b"
)


def _writes(statement: t.Sequence[Token]) -> bool:
    """Whether a statement may write a relation from others: the service reads which."""
    words = " ".join(token.word for token in statement if token.kind == "word")
    is_script = _WRITES.match(words + " ") is not None
    # INSERT … VALUES takes nothing from another relation.
    return is_script and ("select" in words or "from" in words or words.startswith(("update", "merge")))


class _Written(t.NamedTuple):
    statement: list[Token]
    run: Execution

    def names(self, relation: tuple[str, ...]) -> bool:
        return any(name.parts[-len(relation) :] == relation for name in _names(self.statement))

    def rename(self, before: tuple[str, ...], after: str) -> None:
        """Writes the new last part wherever the statement has the old name."""
        renamed: list[Token] = []
        at = 0
        while at < len(self.statement):
            token = self.statement[at]
            name = name_at(self.statement, at) if token.kind in ("word", "name") else None
            if name is None:
                renamed.append(token)
                at += 1
                continue
            words = self.statement[at : name.end]
            length = min(len(before), len(name.parts))
            if len(name.parts) > 1 or token.kind == "name" or len(before) == 1:
                if name.parts[-length:] == before[-length:]:
                    words = [*words[:-1], *tokens_of(after, "postgres")]
            renamed.extend(words)
            at = name.end
        self.statement[:] = renamed


def _names(statement: t.Sequence[Token]) -> t.Iterator[Name]:
    for at, token in enumerate(statement):
        if token.kind in ("word", "name") and (name := name_at(statement, at)):
            yield name


def _needed(statement: t.Sequence[Token], temporary: t.Mapping[str, list[list[Token]]]) -> t.Optional[list[str]]:
    """The statements of the temporary relations that a statement may read, each after those that it reads itself.

    None if one of them is not clear.
    """
    found: list[str] = []
    seen: set[str] = set()

    def need(reader: t.Sequence[Token]) -> bool:
        for name in sorted({name.parts[-1] for name in _names(reader)} & temporary.keys() - seen):
            seen.add(name)
            if not temporary[name] or not all(need(maker) for maker in temporary[name]):
                return False
            found.extend(without_literals(maker) for maker in temporary[name])
        return True

    return found if not temporary or need(statement) else None
