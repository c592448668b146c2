"""PostgreSQL's log in CSV form, written with `log_statement = all` or `log_min_duration_statement = 0`.

The columns are those of https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG.
"""

from __future__ import annotations

import csv
import re
import typing as t

from .history import Execution
from .statement import Token, index_after, name_at, split_statements, tokens_of, without_literals, words_of

csv.field_size_limit(1 << 28)

_TIME, _USER, _DATABASE, _SESSION, _LINE, _SEVERITY, _MESSAGE, _QUERY = 0, 1, 2, 5, 6, 11, 13, 19
_STATEMENT = re.compile(r"(?:duration: [\d.]+ ms +)?(?:statement|execute [^:]*): (.*)", re.DOTALL)
_DURATION = re.compile(r"duration: [\d.]+ ms\s*$")


def executions(lines: t.Iterable[str]) -> t.Iterator[Execution]:
    """The statements that made or filled relations, in the order of the log; those that failed are left out."""
    sessions: dict[str, _Session] = {}
    for row in csv.reader(lines):
        if len(row) <= _QUERY:
            continue
        session = sessions.setdefault(row[_SESSION], _Session(row[_SESSION]))
        if row[_SEVERITY] in ("ERROR", "FATAL", "PANIC"):
            session.failed()
            continue
        found = _STATEMENT.match(row[_MESSAGE]) if row[_SEVERITY] == "LOG" else None
        if found is None:
            continue
        for statement in split_statements(tokens_of(found.group(1))):
            yield from session.take(statement, row)
    for session in sessions.values():
        yield from session.end()


class _Session:
    """The names of one session: temporary relations, and what was made under a name and renamed since.

    A statement is given on at the end of its transaction, under the names that its relations have then.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.temporary: dict[tuple[str, ...], str] = {}
        self.waiting: list[_Written] = []
        self.in_transaction = False
        self.newest: t.Optional[_Written] = None

    def failed(self) -> None:
        """The statement that was logged last failed, and its transaction with it."""
        if self.in_transaction:
            self.waiting.clear()
        elif self.waiting:
            self.waiting.pop()

    def take(self, statement: list[Token], row: t.Sequence[str]) -> t.Iterator[Execution]:
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
        elif first == "alter":
            self._rename(statement)
        elif first in ("create", "insert", "merge", "update", "delete", "with", "select", "drop"):
            self._write(statement, row)

    def end(self) -> t.Iterator[Execution]:
        for one in self.waiting:
            yield one.execution(self.temporary)
        self.waiting = []

    def _rename(self, statement: list[Token]) -> None:
        start = index_after(statement, "alter", "[materialized]", "table|view", "[if]", "[exists]", "[only]")
        before = name_at(statement, start) if start > 0 else None
        if before is None:
            return
        to = index_after(statement[before.end :], "rename", "to")
        after = name_at(statement[before.end :], to) if to > 0 else None
        if after is None:
            return
        for one in self.waiting:
            one.rename(before.parts, after.written)

    def _write(self, statement: list[Token], row: t.Sequence[str]) -> None:
        at = index_after(statement, "create", "[or]", "[replace]", "temp|temporary", "[recursive]", "table|view", "[if]", "[not]", "[exists]")
        temporary = name_at(statement, at) if at > 0 else None
        if temporary is not None:
            self.temporary[temporary.parts[-1:]] = without_literals(statement)
            return
        if _writes(statement):
            self.waiting.append(_Written(self, statement, row))


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


class _Written:
    def __init__(self, session: _Session, statement: list[Token], row: t.Sequence[str]) -> None:
        self.statement = statement
        self.row = list(row)
        self.id = f"{session.name}/{row[_LINE]}"

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
                    words = [*words[:-1], Token("name" if after.startswith('"') else "word", after)]
            renamed.extend(words)
            at = name.end
        self.statement = renamed

    def execution(self, temporary: t.Mapping[tuple[str, ...], str]) -> Execution:
        text = without_literals(self.statement)
        parts = {name_at(self.statement, at).parts[-1:] for at, token in enumerate(self.statement) if token.kind in ("word", "name")}  # type: ignore[union-attr]
        before = _needed(parts, temporary)
        return Execution(
            id=self.id,
            at=_iso(self.row[_TIME]),
            database=self.row[_DATABASE],
            user=self.row[_USER],
            sql="; ".join([*before, text]),
            dialect="postgres",
        )


def _needed(names: t.Iterable[tuple[str, ...]], temporary: t.Mapping[tuple[str, ...], str]) -> list[str]:
    """The statements of the temporary relations that names may mean, each after those that it reads itself."""
    found: dict[str, None] = {}

    def need(name: tuple[str, ...], depth: int) -> None:
        text = temporary.get(name)
        if text is None or text in found or depth > 20:
            return
        for other in temporary:
            if other != name and other[-1] in text.lower():
                need(other, depth + 1)
        found[text] = None

    for name in sorted(names):
        need(name, 0)
    return list(found)


def _iso(text: str) -> str:
    """`2026-11-27 12:00:00.123 UTC` as the RFC 3339 that OpenLineage takes. Other zones need `log_timezone = UTC`."""
    date, time, zone = (text.split(" ") + ["", ""])[:3]
    if zone not in ("UTC", "GMT", "Etc/UTC"):
        raise ValueError(f"times of the log are in the zone {zone or '?'}: set log_timezone = 'UTC'")
    return f"{date}T{time}Z"
