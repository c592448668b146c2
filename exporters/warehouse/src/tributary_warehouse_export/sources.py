"""Where a history is read from: files of rows, or a connection that runs the documented query."""

from __future__ import annotations

import csv
import json
import os
import sys
import typing as t
from datetime import datetime, timedelta, timezone

from . import postgres, rows
from .history import Execution

csv.field_size_limit(1 << 28)


class Unavailable(Exception):
    """A database that cannot be reached, or refuses the query."""


class Source(t.NamedTuple):
    executions: t.Callable[[t.Iterable[t.Any]], t.Iterator[Execution]]
    #: What `--connect` runs, with places for the time to begin at and, in BigQuery, for the region. Empty: files only.
    query: str = ""
    #: How much later than its own time a statement may appear in the history.
    delay: timedelta = timedelta(0)


SOURCES: dict[str, Source] = {
    "bigquery": Source(
        rows.bigquery,
        """select job_id, creation_time, user_email, query,
  to_json_string(destination_table) as destination_table, to_json_string(referenced_tables) as referenced_tables
from `{place}`.INFORMATION_SCHEMA.JOBS
where job_type = 'QUERY' and state = 'DONE' and error_result is null
  and creation_time > timestamp '{since}'""",
        # A job has the time of its creation, and is there once it is done.
        timedelta(hours=6),
    ),
    "databricks": Source(
        rows.databricks,
        """select statement_id, entity_run_id, event_time, created_by, source_table_full_name, source_column_name,
  target_table_full_name, target_column_name
from system.access.column_lineage
where event_date >= date(timestamp '{since}') and event_time > timestamp '{since}'
  and source_table_full_name is not null and target_table_full_name is not null
union all
select statement_id, entity_run_id, event_time, created_by, source_table_full_name, null, target_table_full_name, null
from system.access.table_lineage
where event_date >= date(timestamp '{since}') and event_time > timestamp '{since}'
  and source_table_full_name is not null and target_table_full_name is not null""",
        timedelta(hours=3),
    ),
    "google-data-lineage": Source(rows.google_data_lineage, delay=timedelta(hours=3)),
    "postgres": Source(
        postgres.history,
        """select now() as read_at, d.datname as database, r.rolname as user_name, s.queryid, s.calls, s.query
from pg_stat_statements s
join pg_database d on d.oid = s.dbid
left join pg_roles r on r.oid = s.userid""",
    ),
    "snowflake": Source(
        rows.snowflake,
        """select a.query_id, convert_timezone('UTC', a.query_start_time) as query_start_time, a.user_name,
  q.query_text, a.direct_objects_accessed, a.objects_modified
from snowflake.account_usage.access_history a
join snowflake.account_usage.query_history q on q.query_id = a.query_id
where q.execution_status = 'SUCCESS' and array_size(a.objects_modified) > 0
  and a.query_start_time > '{since}'::timestamp_tz""",
        timedelta(hours=3),
    ),
}


def from_files(source: str, paths: t.Iterable[str]) -> t.Iterator[Execution]:
    """The statements of files that are Parquet, CSV with a header, JSON, lines of JSON, or PostgreSQL's log."""
    yield from SOURCES[source].executions(row for path in paths for row in _rows_of(source, path))


def _rows_of(source: str, path: str) -> t.Iterator[t.Any]:
    if path.lower().endswith(".parquet"):
        yield from _rows(_parquet(path))
    elif path == "-":
        yield from _rows(sys.stdin, source == "postgres")
    else:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            yield from _rows(file, source == "postgres")


def _rows(lines: t.Iterable[str], may_be_log: bool = False) -> t.Iterator[t.Any]:
    iterator = iter(lines)
    first = next(iterator, "")
    # The log begins with a time, and everything else with a name or a bracket.
    if may_be_log and first[:1].isdigit():
        return csv.reader(_with_first(first, iterator))
    found = _json_rows(first, iterator) if first.lstrip()[:1] in ("{", "[") else csv.DictReader(_with_first(first, iterator))
    return ({str(name).lower(): value for name, value in row.items()} for row in found)


def _json_rows(first: str, lines: t.Iterator[str]) -> t.Iterator[rows.Row]:
    """A document of several lines, a list, or a row in each line."""
    try:
        document = json.loads(first)
    except ValueError:
        document = json.loads(first + "".join(lines))
    yield from document if isinstance(document, list) else [document]
    for line in lines:
        if line.strip():
            yield json.loads(line)


def _with_first(first: str, rest: t.Iterator[str]) -> t.Iterator[str]:
    yield first
    yield from rest


def _parquet(path: str) -> t.Iterator[str]:
    cursor = _imported("parquet", "duckdb").connect().execute("select to_json(one)::varchar from read_parquet(?) one", [path])
    while batch := cursor.fetchmany(1_000):
        yield from (line for (line,) in batch)


def from_connection(source: str, place: str, since: str) -> t.Iterator[Execution]:
    """The statements since a time; a day of them if there is none yet."""
    day = f"{datetime.now(timezone.utc) - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    try:
        yield from SOURCES[source].executions(_fetched(source, place, SOURCES[source].query.format(since=since or day, place=place)))
    except (ValueError, Unavailable):
        raise
    except Exception as error:  # Every vendor's package has errors of its own.
        raise Unavailable(f"{source}: {error}") from error


def _fetched(source: str, place: str, query: str) -> t.Iterator[rows.Row]:
    connection = _connected(source, place)
    try:
        cursor = connection.cursor()
        cursor.execute(query)
        names = [column[0].lower() for column in cursor.description]
        while batch := cursor.fetchmany(1_000):
            yield from (dict(zip(names, row)) for row in batch)
    finally:
        connection.close()


def _connected(source: str, place: str) -> t.Any:
    """A connection of the vendor's own DB-API package; secrets come from where that package looks for them."""
    if source == "postgres":
        return _imported(source, "psycopg").connect(place)
    if source == "snowflake":
        return _imported(source, "snowflake.connector").connect(connection_name=place)
    if source == "bigquery":
        return _imported(source, "google.cloud.bigquery.dbapi").connect()
    host, _, path = place.partition("/")
    return _imported(source, "databricks.sql").connect(
        server_hostname=host, http_path=f"/{path}", access_token=os.environ.get("DATABRICKS_TOKEN")
    )


def _imported(extra: str, module: str) -> t.Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"this needs a package that is not installed: pip install 'tributary-warehouse-export[{extra}]'") from error
