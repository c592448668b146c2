"""The command `tributary-warehouse-export`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import typing as t

from . import __version__
from .elt import Place, executions_of, place_of
from .history import Execution, before, events_of, in_utc, with_readers, write_lines
from .sources import SOURCES, from_connection, from_files

# Exit codes of the `tributary` command line.
DONE, WRONG_USE, UNAVAILABLE = 0, 2, 5


def main(arguments: t.Sequence[str] | None = None) -> int:
    """Writes the events of a history, and answers the exit code: nothing is written unless all of it was read."""
    options = _parser().parse_args(arguments)
    if (options.connect is None) == (not options.files) or (options.connect is not None and not SOURCES[options.source].query):
        return _failed("name the files of the history, or pass --connect with a source that has a query")
    copies = SOURCES[options.source].copies
    try:
        state = _read_state(options.state)
        since = state.since(options.source) or (options.since and in_utc(options.since)) or ""
        found = from_connection(options.source, options.connect, since, options.reader) if options.connect else from_files(options.source, options.files)
        if copies:
            sources = dict(_named_place(one) for one in options.origin)
            found = executions_of(found, sources, options.database, options.destination)
        executions = list(with_readers((one for one in found if state.is_new(one, since)), options.reader))
    except (OSError, TypeError, ValueError) as error:
        return _failed(str(error), UNAVAILABLE if isinstance(error, ConnectionError) else WRONG_USE)
    jobs = options.jobs or (options.source if copies else f"{options.source}-history")
    events = events_of(executions, jobs, options.datasets, options.users)
    counts = f"{len(executions)} statements of {len({event['job']['name'] for event in events})} shapes, {len(events)} events"
    if copies:
        counts = f"{len(executions)} landed tables of {len({one.database for one in executions})} connections, {len(events)} events"
    withheld = sum(one.sql is None for one in executions)
    if withheld:
        counts += f", {withheld} statements without their text, because it is unclear where their literals end"
    if options.dry_run:
        print(f"{counts}; nothing is written", file=sys.stderr)
        return DONE
    try:
        _write(events, options.output)
        _keep_state(options.state, state.after(executions))
    except OSError as error:
        return _failed(str(error))
    print(f"{counts} are exported", file=sys.stderr)
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tributary-warehouse-export",
        description="Writes the query history of a warehouse as the OpenLineage events that `tributary push openlineage` sends.",
    )
    parser.add_argument("source", choices=sorted(SOURCES), help="where the history comes from")
    parser.add_argument("files", nargs="*", help="files of the history, the oldest first; - reads standard input")
    parser.add_argument("--connect", help="database to query instead; the README says what names it")
    parser.add_argument("--datasets", required=True, help="namespace of the relations, such as postgres://db.example:5432")
    parser.add_argument("--jobs", help="namespace of the jobs (the source's name and -history)")
    parser.add_argument("--origin", action="append", default=[], metavar="NAME=NAMESPACE/DATABASE", help="where a connection or source of Fivetran or Airbyte reads; repeatable")
    parser.add_argument("--database", default="", help="database that Fivetran or Airbyte fills")
    parser.add_argument("--destination", help="name or id of the only destination of Fivetran or Airbyte to export")
    parser.add_argument("--reader", action="append", default=[], metavar="USER", help="user whose queries count as reads, such as that of a BI tool; repeatable")
    parser.add_argument("--users", action="store_true", help="include the names of users, for the rules of policies")
    parser.add_argument("--since", help="export only statements after this time, unless the state says more")
    parser.add_argument("--state", help="file that remembers what was exported; only newer statements are")
    parser.add_argument("--dry-run", action="store_true", help="only count")
    parser.add_argument("--output", help="file to write; standard output where it is left out")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _named_place(text: str) -> tuple[str, Place]:
    name, separator, place = text.partition("=")
    if not (name and separator and place):
        raise ValueError(f"--origin needs a name and a place, such as shop=postgres://db.example:5432/shop: {text}")
    return name, place_of(place)


class _State(t.NamedTuple):
    """What was exported: everything up to a time, and how often the statements had run that a history only counts."""

    exported_until: str = ""
    calls: t.Mapping[str, int] = {}

    def since(self, source: str) -> str:
        # What appeared late is exported again with what is near it, which changes nothing.
        return self.exported_until and before(self.exported_until, SOURCES[source].delay)

    def is_new(self, one: Execution, since: str) -> bool:
        return one.at > since if one.calls is None else one.calls != self.calls.get(one.id)

    def after(self, executions: t.Sequence[Execution]) -> _State:
        calls = {one.id: one.calls for one in executions if one.calls is not None}
        return _State(max([self.exported_until, *(one.at for one in executions)]), {**self.calls, **calls})


def _read_state(path: str | None) -> _State:
    if path is None or not os.path.exists(path):
        return _State()
    with open(path, encoding="utf-8") as file:
        return _State(**json.load(file))


def _keep_state(path: str | None, state: _State) -> None:
    if path is None or state.exported_until == "":
        return
    # Replaced as a whole: a command that is ended leaves the old state, and exports the same again.
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(state._asdict(), file)
    os.replace(f"{path}.new", path)


def _write(events: t.Sequence[dict[str, t.Any]], output: str | None) -> None:
    if output is None:
        write_lines(events, sys.stdout)
        return
    with open(output, "w", encoding="utf-8") as file:
        write_lines(events, file)


def _failed(message: str, code: int = WRONG_USE) -> int:
    print(message, file=sys.stderr)
    return code
