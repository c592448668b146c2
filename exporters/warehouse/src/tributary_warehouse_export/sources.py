"""The source of a history: files of rows, or a connection that runs the documented query."""

from __future__ import annotations

import csv
import importlib
import itertools
import json
import os
import sys
import typing as t
from datetime import datetime, timedelta, timezone

from . import elt, postgres, rows
from .history import Execution

csv.field_size_limit(1 << 28)


class Source(t.NamedTuple):
    executions: t.Callable[[t.Iterable[t.Any]], t.Iterator[t.Any]]
    #: What `--connect` runs, with places for the time to begin at, the readers and, in BigQuery, the region. Empty: files only.
    query: str = ""
    #: How much later than its own time a statement may appear in the history.
    delay: timedelta = timedelta(0)
    #: Whether it is a service that copies tables, whose metadata say nothing of runs.
    copies: bool = False


SOURCES: dict[str, Source] = {
    "airbyte": Source(elt.airbyte, copies=True),
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
  and source_table_full_name is not null and (target_table_full_name is not null or created_by in ({readers}))""",
        timedelta(hours=3),
    ),
    "fivetran": Source(elt.fivetran, copies=True),
    "google-data-lineage": Source(rows.google_data_lineage, delay=timedelta(hours=3)),
    "postgres": Source(
        postgres.statistics,
        """select now() as read_at, d.datname as database, r.rolname as user_name, s.queryid, s.calls, s.query
from pg_stat_statements s
join pg_database d on d.oid = s.dbid
left join pg_roles r on r.oid = s.userid""",
    ),
    "postgres-views": Source(
        postgres.views,
        """select now() as read_at, current_database() as database, schemaname as schema_name, viewname as view_name, definition
from pg_views where schemaname not in ('pg_catalog', 'information_schema')
union all
select now(), current_database(), schemaname, matviewname, definition from pg_matviews""",
    ),
    "snowflake": Source(
        rows.snowflake,
        """select a.query_id, convert_timezone('UTC', a.query_start_time) as query_start_time, a.user_name,
  q.query_text, a.direct_objects_accessed, a.objects_modified, a.object_modified_by_ddl
from snowflake.account_usage.access_history a
join snowflake.account_usage.query_history q on q.query_id = a.query_id
where q.execution_status = 'SUCCESS' and a.query_start_time > '{since}'::timestamp_tz
  and (array_size(a.objects_modified) > 0 or a.object_modified_by_ddl:operationType = 'ALTER' or a.user_name in ({readers}))""",
        timedelta(hours=3),
    ),
    "snowflake-views": Source(
        rows.snowflake_views,
        """select convert_timezone('UTC', current_timestamp()) as read_at, v.view_definition, d.*
from snowflake.account_usage.object_dependencies d
left join snowflake.account_usage.views v on v.table_id = d.referencing_object_id and v.deleted is null""",
    ),
}


def from_files(source: str, paths: t.Iterable[str]) -> t.Iterator[t.Any]:
    """The statements of files that are Parquet, CSV with a header, JSON, lines of JSON, or PostgreSQL's log."""
    named = SOURCES[source].copies
    found = ({**row, "_file": os.path.basename(path)} if named else row for path in paths for row in _rows_of(source, path))
    first: t.Any = next(found, {})
    # Only the rows of a log have no names.
    read = postgres.executions if isinstance(first, list) else SOURCES[source].executions
    yield from read(itertools.chain([first] if first else [], found))


def _rows_of(source: str, path: str) -> t.Iterator[t.Any]:
    if path.lower().endswith(".parquet"):
        query = "select to_json(one)::varchar from read_parquet(?) one"
        cursor = _imported("parquet", "duckdb").connect().execute(query, [path])
        yield from _rows((line for (line,) in iter(cursor.fetchone, None)), False)
    elif path == "-":
        yield from _rows(sys.stdin, source == "postgres")
    else:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            yield from _rows(file, source == "postgres")


def _rows(lines: t.Iterable[str], may_be_log: bool) -> t.Iterator[t.Any]:
    rest = iter(lines)
    first = next(rest, "")
    everything = itertools.chain([first], rest)
    # The log begins with a time, and everything else with a name or a bracket.
    if may_be_log and first[:1].isdigit():
        return csv.reader(everything)
    found = _json_rows(first, rest) if first.lstrip()[:1] in ("{", "[") else csv.DictReader(everything)
    return ({str(name).lower(): value for name, value in row.items()} for row in found)


def _json_rows(first: str, rest: t.Iterator[str]) -> t.Iterator[rows.Row]:
    """A document of several lines, a list, or a row in each line."""
    try:
        document = json.loads(first)
    except ValueError:
        document = json.loads(first + "".join(rest))
    yield from document if isinstance(document, list) else [document]
    yield from (json.loads(line) for line in rest if line.strip())


def from_connection(source: str, place: str, since: str, readers: t.Sequence[str] = ()) -> t.Iterator[Execution]:
    """The statements since a time; a day of them if there is none yet. Raises ConnectionError."""
    day = f"{datetime.now(timezone.utc) - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    named = ", ".join("'" + one.replace("'", "''") + "'" for one in readers or [""])
    query = SOURCES[source].query.format(since=since or day, place=place, readers=named)
    try:
        yield from SOURCES[source].executions(_fetched(_connected(source, place), query))
    except ValueError:
        raise
    except Exception as error:  # Every vendor's package has other errors.
        raise ConnectionError(f"{source}: {error}") from error


def _fetched(connection: t.Any, query: str) -> t.Iterator[rows.Row]:
    try:
        cursor = connection.cursor()
        cursor.execute(query)
        names = [column[0].lower() for column in cursor.description]
        while batch := cursor.fetchmany(1_000):
            yield from (dict(zip(names, map(_text, row))) for row in batch)
    finally:
        connection.close()


def _text(value: t.Any) -> t.Any:
    """The text of a database that declares no encoding (SQL_ASCII) comes as bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _connected(source: str, place: str) -> t.Any:
    """A connection of the vendor's own DB-API package; secrets come from where that package looks for them."""
    if source == "postgres":
        return _imported(source, "psycopg").connect(place)
    if source == "postgres-views":
        # Definitions name the schema of what is not in the path.
        return _imported("postgres", "psycopg").connect(place, options="-c search_path=pg_catalog")
    if source in ("snowflake", "snowflake-views"):
        return _imported("snowflake", "snowflake.connector").connect(connection_name=place)
    if source == "bigquery":
        return _imported(source, "google.cloud.bigquery.dbapi").connect()
    host, _, path = place.partition("/")
    token = os.environ.get("DATABRICKS_TOKEN")
    return _imported(source, "databricks.sql").connect(server_hostname=host, http_path=f"/{path}", access_token=token)


def _imported(extra: str, module: str) -> t.Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"a package is not installed: pip install 'tributary-warehouse-export[{extra}]'") from error
