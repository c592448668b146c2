"""Histories that name their relations, by rows.

Names of columns are compared in lower case. Sources of their shapes:
Snowflake https://docs.snowflake.com/en/sql-reference/account-usage/access_history
and https://docs.snowflake.com/en/sql-reference/account-usage/object_dependencies,
Databricks https://docs.databricks.com/aws/en/admin/system-tables/lineage,
BigQuery https://cloud.google.com/bigquery/docs/information-schema-jobs,
Data Lineage API https://cloud.google.com/dataplex/docs/reference/data-lineage/rest/v1/projects.locations/searchLinks.
"""

from __future__ import annotations

import json
import typing as t

from .history import Column, Execution, in_utc
from .statement import text_of

Row = t.Mapping[str, t.Any]
_ACCESS = ("query_id", "query_start_time", "user_name")


def snowflake(rows: t.Iterable[Row]) -> t.Iterator[Execution]:
    """`ACCESS_HISTORY`, whose `objects_modified` has the columns and what each comes from."""
    outputs: set[str] = set()
    swaps: list[tuple[Row, str, str]] = []
    for row in rows:
        ddl, modified = _json(row.get("object_modified_by_ddl")) or {}, _listed(row, "objects_modified")
        sources = [one["objectName"] for one in _listed(row, "direct_objects_accessed") if _is_table(one)]
        if sources and not ddl and not any(map(_is_table, modified)):
            # Rows that go to a stage are read, whoever does it.
            yield _execution(row if modified else _unwritten(row), _ACCESS, "snowflake", sources, None, ())
        for written in modified:
            output = written.get("objectName")
            if not output or not _is_table(written):
                continue
            columns = tuple(
                Column(column["columnName"], source["objectName"], source["columnName"])
                for column in written.get("columns") or []
                for source in column.get("directSources") or []
                if source.get("objectName") not in (None, output) and source.get("columnName")
            )
            # What a stream gives has the name of a view that nobody made: the statement names the stream.
            if any("$SYS_VIEW" in one.relation for one in columns):
                columns = ()
            inputs = {*sources, *(one.relation for one in columns)} - {output}
            if inputs:
                outputs.add(output)
                yield _execution(row, _ACCESS, "snowflake", inputs, output, columns)
        for source, target in _renamed(ddl):
            if _is_table(ddl):
                yield _copy(row, source, target)
            else:
                swaps.append((row, source, target))
    # A schema or database that is swapped takes along what was written into it.
    for row, source, target in swaps:
        yield from (_copy(row, one, target + one[len(source) :]) for one in sorted(outputs) if one.startswith(f"{source}."))


def _copy(row: Row, source: str, output: str) -> Execution:
    text = f"create table {output} as select * from {source}"
    return _execution({**row, "query_text": text}, _ACCESS, "snowflake", {source}, output, ())


def _renamed(ddl: Row) -> t.Iterator[tuple[str, str]]:
    """Each name that `RENAME TO` or `SWAP WITH` replaces, and the name that gets its rows."""
    properties = ddl.get("properties")
    if ddl.get("operationType") != "ALTER" or not isinstance(properties, dict):
        return
    if not _is_table(ddl) and str(ddl.get("objectDomain", "")).lower() not in ("schema", "database"):
        return
    before, after, other = ddl["objectName"], *((properties.get(name) or {}).get("value") for name in ("objectName", "swapTargetName"))
    if after and after != before:
        yield before, after
    if other:
        yield from ((before, other), (other, before))


def snowflake_views(rows: t.Iterable[Row]) -> t.Iterator[Execution]:
    """`OBJECT_DEPENDENCIES` with the text of views: one row for each object and object that it reads."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if output := _dependency(row, "referencing"):
            groups.setdefault(output, []).append(row)
    for output, group in groups.items():
        inputs = {_dependency(row, "referenced") for row in group} - {output, ""}
        if inputs:
            yield _execution({**group[0], "query_text": group[0].get("view_definition")}, ("", "read_at", ""), "snowflake", inputs, output, ())


def _dependency(row: Row, end: str) -> str:
    """The name of one end of a dependency; empty for what has no rows, such as a policy."""
    name = ".".join(str(row[f"{end}_{part}"]) for part in ("database", "schema", "object_name"))
    return name if str(row[f"{end}_object_domain"]).lower() in {*_TABLES, "function"} else ""


def databricks(rows: t.Iterable[Row]) -> t.Iterator[Execution]:
    """`system.access.column_lineage`, and `table_lineage`, whose rows have no columns."""
    names = ("statement_id", "event_time", "created_by")
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        source, target = row.get("source_table_full_name"), row.get("target_table_full_name")
        if source and not target:
            yield _execution(_unwritten(row), names, "databricks", [str(source)], None, ())
        elif source and target and source != target:
            statement = row.get("statement_id") or row.get("entity_run_id") or row.get("record_id") or ""
            groups.setdefault((str(statement), str(target)), []).append(row)
    for (_, target), group in groups.items():
        columns = tuple(
            Column(str(row["target_column_name"]), str(row["source_table_full_name"]), str(row["source_column_name"]))
            for row in group
            if row.get("target_column_name") and row.get("source_column_name")
        )
        inputs = {str(row["source_table_full_name"]) for row in group}
        newest = max(group, key=lambda row: str(row["event_time"]))
        yield _execution(newest, names, "databricks", inputs, target, columns)


def bigquery(rows: t.Iterable[Row]) -> t.Iterator[Execution]:
    """`INFORMATION_SCHEMA.JOBS`: the service reads the columns from the statement."""
    names = ("job_id", "creation_time", "user_email")
    for row in rows:
        if row.get("error_result"):
            continue
        destination = _json(row.get("destination_table"))
        inputs = {_bigquery_name(one) for one in _listed(row, "referenced_tables")}
        if not destination or str(destination.get("table_id", "")).startswith("anon"):
            is_export = bool(inputs) and str(row.get("query") or "").lstrip()[:6].lower() == "export"
            yield _execution(row if is_export else _unwritten(row), names, "bigquery", inputs, None, ())
            continue
        output = _bigquery_name(destination)
        inputs.discard(output)
        if inputs:
            yield _execution(row, names, "bigquery", inputs, output, ())


def google_data_lineage(rows: t.Iterable[Row]) -> t.Iterator[Execution]:
    """Responses of `searchLinks`, with those of `batchSearchLinkProcesses` if they are there."""
    processes: dict[str, str] = {}
    links: list[Row] = []
    for response in rows:
        for process in response.get("processlinks") or []:
            # Of several processes a link has the one that is named last.
            processes.update({link["link"]: process["process"] for link in process.get("links") or []})
        links += response.get("links") or []
    groups: dict[tuple[str, str], list[tuple[str, Row]]] = {}
    for link in links:
        source, target = _google_name(link["source"]), _google_name(link["target"])
        if source and target and source != target:
            process = processes.get(link.get("name", ""), "bigquery")
            groups.setdefault((process, target), []).append((source, link))
    for (process, target), group in groups.items():
        columns = {
            Column(".".join(to), source, ".".join(column), _is_copy(link))
            for source, link in group
            if (to := link["target"].get("field")) and (column := link["source"].get("field"))
        }
        at = max(str(link.get("endTime") or link.get("startTime") or "") for _, link in group)
        row = {"id": f"{process} {target}", "at": at}
        found = _execution(row, ("id", "at", ""), "bigquery", {source for source, _ in group}, target, tuple(columns))
        yield found._replace(database=process.split("/")[-1])


def _google_name(entity: Row) -> str:
    """The table of `bigquery:project.dataset.table`; empty for what is none, such as a file or a topic."""
    system, _, name = str(entity.get("fullyQualifiedName", "")).partition(":")
    return name.replace("`", "") if system == "bigquery" else ""


def _is_copy(link: Row) -> bool:
    found = link.get("dependencyInfo") or []
    return any(one.get("dependencyType") == "EXACT_COPY" for one in ([found] if isinstance(found, dict) else found))


_TABLES = {"table", "view", "materialized view", "external table", "dynamic table", "iceberg table", "event table", "stream", "semantic view"}


def _is_table(one: Row) -> bool:
    return str(one.get("objectDomain", "")).lower() in _TABLES and bool(one.get("objectName"))


def _bigquery_name(table: Row) -> str:
    # A partition is a part of its table.
    return ".".join(str(table[part]) for part in ("project_id", "dataset_id", "table_id")).split("$")[0]


def _unwritten(row: Row) -> Row:
    """The row of a statement that only reads, without its text: who reads is all that counts of it."""
    return {**row, "query_text": "", "query": ""}


def _execution(row: Row, names: tuple[str, str, str], dialect: str, inputs: t.Iterable[str], output: t.Optional[str], columns: tuple[Column, ...]) -> Execution:
    run, at, user = (str(row.get(name) or "") for name in names)
    sql = str(row.get("query_text") or row.get("query") or "")
    return Execution(
        id=run,
        at=in_utc(at),
        database=dialect,
        user=user,
        sql=text_of(sql, dialect),
        dialect=dialect,
        inputs=tuple(sorted(inputs)),
        output=output,
        columns=tuple(sorted(columns)),
    )


def _json(value: t.Any) -> t.Any:
    return json.loads(value) if isinstance(value, str) and value.strip() else value


def _listed(row: Row, name: str) -> list[dict[str, t.Any]]:
    return list(_json(row.get(name)) or [])
