"""The command `tributary-warehouse-export`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import typing as t

from . import __version__, postgres, rows
from .history import Execution, events_of, write_lines

# Exit codes of the `tributary` command line.
DONE, WRONG_USE = 0, 2

Reader = t.Callable[[t.Iterable[str]], t.Iterator[Execution]]
SOURCES: dict[str, Reader] = {
    "bigquery": rows.bigquery,
    "databricks": rows.databricks,
    "postgres": postgres.executions,
    "snowflake": rows.snowflake,
}


def main(arguments: t.Sequence[str] | None = None) -> int:
    """Writes the events of a history, and answers the exit code: nothing is written unless all of it was read."""
    options = _parser().parse_args(arguments)
    try:
        since = _watermark(options.state)
        executions = [one for path in options.files for one in _read(options.source, path) if one.at > since]
    except (OSError, ValueError) as error:
        return _failed(str(error))
    jobs = options.jobs or f"{options.source}-history"
    events = events_of(executions, jobs, options.datasets, options.users)
    counts = f"{len(executions)} statements of {len({event['job']['name'] for event in events})} shapes, {len(events)} events"
    if options.dry_run:
        print(f"{counts}; nothing is written", file=sys.stderr)
        return DONE
    try:
        _write(events, options.output)
        _keep_watermark(options.state, max([since, *(one.at for one in executions)]))
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
    parser.add_argument("files", nargs="+", help="files of the history, the oldest first; - reads standard input")
    parser.add_argument("--datasets", required=True, help="namespace of the relations, such as postgres://db.example:5432")
    parser.add_argument("--jobs", help="namespace of the jobs (the source's name and -history)")
    parser.add_argument("--users", action="store_true", help="include the names of users, for the rules of policies")
    parser.add_argument("--state", help="file with the time up to which the history was exported; only newer statements are")
    parser.add_argument("--dry-run", action="store_true", help="only count")
    parser.add_argument("--output", help="file to write; standard output where it is left out")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _read(source: str, path: str) -> t.Iterator[Execution]:
    if path == "-":
        yield from SOURCES[source](sys.stdin)
        return
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        yield from SOURCES[source](file)


def _watermark(path: str | None) -> str:
    if path is None or not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return str(json.load(file)["exported_until"])


def _keep_watermark(path: str | None, until: str) -> None:
    if path is None or until == "":
        return
    # Replaced as a whole: a command that is ended leaves the old watermark, and exports the same again.
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump({"exported_until": until}, file)
    os.replace(f"{path}.new", path)


def _write(events: t.Sequence[dict[str, t.Any]], output: str | None) -> None:
    if output is None:
        write_lines(events, sys.stdout)
        return
    with open(output, "w", encoding="utf-8") as file:
        write_lines(events, file)


def _failed(message: str) -> int:
    print(message, file=sys.stderr)
    return WRONG_USE
