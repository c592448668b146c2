"""Histories that name their relations: rows that the query in the README gives, as CSV with a header or as JSON lines.

Names of columns are compared in lower case. Sources of their shapes:
Snowflake https://docs.snowflake.com/en/sql-reference/account-usage/access_history,
Databricks https://docs.databricks.com/aws/en/admin/system-tables/lineage,
BigQuery https://cloud.google.com/bigquery/docs/information-schema-jobs.
"""

from __future__ import annotations

import csv
import json
import typing as t

from .history import Column, Execution
from .statement import tokens_of, without_literals

Row = t.Mapping[str, t.Any]


def snowflake(lines: t.Iterable[str]) -> t.Iterator[Execution]:
    """`ACCESS_HISTORY`, whose `objects_modified` has the columns and what each comes from."""
    for row in _rows(lines):
        sources = [one["objectName"] for one in _listed(row, "direct_objects_accessed") if _is_table(one)]
        for written in _listed(row, "objects_modified"):
            output = written.get("objectName")
            if not output or not _is_table(written):
                continue
            columns = tuple(
                Column(column["columnName"], source["objectName"], source["columnName"])
                for column in written.get("columns") or []
                for source in column.get("directSources") or []
                if source.get("objectName") not in (None, output) and source.get("columnName")
            )
            inputs = {*sources, *(one.relation for one in columns)} - {output}
            if inputs:
                yield _execution(row, ("query_id", "query_start_time", "user_name"), "snowflake", inputs, output, columns)


def databricks(lines: t.Iterable[str]) -> t.Iterator[Execution]:
    """`system.access.column_lineage`, and `table_lineage`, whose rows have no columns."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in _rows(lines):
        source, target = row.get("source_table_full_name"), row.get("target_table_full_name")
        if source and target and source != target:
            statement = row.get("statement_id") or row.get("entity_run_id") or row.get("record_id") or ""
            groups.setdefault((str(statement), str(target)), []).append(row)
    for (_, target), rows in groups.items():
        columns = tuple(
            Column(str(row["target_column_name"]), str(row["source_table_full_name"]), str(row["source_column_name"]))
            for row in rows
            if row.get("target_column_name") and row.get("source_column_name")
        )
        inputs = {str(row["source_table_full_name"]) for row in rows}
        newest = max(rows, key=lambda row: str(row["event_time"]))
        yield _execution(newest, ("statement_id", "event_time", "created_by"), "databricks", inputs, target, columns)


def bigquery(lines: t.Iterable[str]) -> t.Iterator[Execution]:
    """`INFORMATION_SCHEMA.JOBS`: the service reads the columns from the statement."""
    for row in _rows(lines):
        destination = _json(row.get("destination_table"))
        if not destination or str(destination.get("table_id", "")).startswith("anon") or row.get("error_result"):
            continue
        output = _bigquery_name(destination)
        inputs = {_bigquery_name(one) for one in _listed(row, "referenced_tables")} - {output}
        if inputs:
            yield _execution(row, ("job_id", "creation_time", "user_email"), "bigquery", inputs, output, ())


_TABLES = {"table", "view", "materialized view", "external table", "dynamic table", "iceberg table", "event table"}


def _is_table(one: Row) -> bool:
    return str(one.get("objectDomain", "")).lower() in _TABLES and bool(one.get("objectName"))


def _bigquery_name(table: Row) -> str:
    # A partition is a part of its table.
    return ".".join(str(table[part]) for part in ("project_id", "dataset_id", "table_id")).split("$")[0]


def _execution(row: Row, names: tuple[str, str, str], dialect: str, inputs: t.Iterable[str], output: str, columns: tuple[Column, ...]) -> Execution:
    run, at, user = (str(row.get(name) or "") for name in names)
    sql = str(row.get("query_text") or row.get("query") or "")
    return Execution(
        id=run,
        at=_iso(at),
        database=dialect,
        user=user,
        sql=without_literals(tokens_of(sql)),
        dialect=dialect,
        inputs=tuple(sorted(inputs)),
        output=output,
        columns=tuple(sorted(columns)),
    )


def _iso(text: str) -> str:
    """Times as the warehouses write them: RFC 3339, with a space for the T, with `UTC` or an offset without a colon."""
    time = text.strip().replace(" UTC", "Z").replace(" ", "T", 1).replace(" ", "")
    if len(time) > 5 and time[-5] in "+-" and time[-4:].isdigit():
        time = f"{time[:-2]}:{time[-2:]}"
    if len(time) < 16 or time[10] != "T":
        raise ValueError(f"no time: {text or 'an empty field'}")
    return time if time.endswith("Z") or time[-6] in "+-" else f"{time}Z"


def _rows(lines: t.Iterable[str]) -> t.Iterator[Row]:
    iterator = iter(lines)
    first = next(iterator, "")
    if first.lstrip().startswith("{"):
        for line in _with_first(first, iterator):
            if line.strip():
                yield {name.lower(): value for name, value in json.loads(line).items()}
        return
    for row in csv.DictReader(_with_first(first, iterator)):
        yield {str(name).lower(): value for name, value in row.items()}


def _with_first(first: str, rest: t.Iterator[str]) -> t.Iterator[str]:
    yield first
    yield from rest


def _json(value: t.Any) -> t.Any:
    return json.loads(value) if isinstance(value, str) and value.strip() else value


def _listed(row: Row, name: str) -> list[dict[str, t.Any]]:
    return list(_json(row.get(name)) or [])
