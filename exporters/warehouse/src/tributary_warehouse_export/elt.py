"""The connections of Fivetran and Airbyte, from their exported metadata: which table of a source lands where.

Sources of their shapes:
Fivetran https://fivetran.com/docs/logs/fivetran-platform/table-reference,
Airbyte https://reference.airbyte.com/reference/listconnections and, for its configuration API,
https://airbyte-public-api-docs.s3.us-east-2.amazonaws.com/rapidoc-api-docs.html.
"""

from __future__ import annotations

import re
import typing as t
from datetime import datetime, timezone

from .history import Column, Execution, in_utc

Row = t.Mapping[str, t.Any]


class Place(t.NamedTuple):
    """A database, as OpenLineage names it."""

    namespace: str
    database: str = ""
    #: Of streams without one.
    schema: str = ""


class Hop(t.NamedTuple):
    """A table of a source, the table that it lands in, and their columns as far as they are known."""

    #: Name and id of the connection and of its source, the connection's name first.
    connection: tuple[str, ...]
    #: Name and id; empty if the metadata do not say them.
    destination: tuple[str, ...]
    source: tuple[str, str]
    target: tuple[str, str]
    columns: tuple[tuple[str, str, bool], ...] = ()
    origin: t.Optional[Place] = None
    database: str = ""
    at: str = ""


def place_of(text: str) -> Place:
    """`postgres://db.example:5432/shop`: the namespace of a database, and the database if names begin with one."""
    scheme, separator, rest = text.partition("://")
    authority, _, database = (rest if separator else text).partition("/")
    return Place(f"{scheme}{separator}{authority}" if separator else authority, database)


def executions_of(hops: t.Iterable[Hop], sources: t.Mapping[str, Place], database: str, destination: str | None) -> t.Iterator[Execution]:
    """One job for each table that a connection fills. Raises ValueError if it is unclear which warehouse is meant."""
    chosen = [one for one in hops if destination is None or destination in one.destination]
    others = {one.destination for one in chosen}
    if len(others) > 1:
        names = ", ".join(sorted(" or ".join(one) for one in others))
        raise ValueError(f"the connections have several destinations: choose one with --destination: {names}")
    if destination is not None and not chosen:
        raise ValueError(f"no connection has the destination {destination}")
    now = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%S.%fZ}"
    landed: dict[tuple[str, str], list[Hop]] = {}
    for one in chosen:
        landed.setdefault((one.connection[0], _name(database or one.database, *one.target)), []).append(one)
    for (connection, output), group in landed.items():
        named = next((sources[name] for name in group[0].connection if name in sources), None)
        origin = named or group[0].origin or Place(f"elt://{connection}")
        columns = {
            Column(to, _name(origin.database, *one.source), column, is_copy) for one in group for column, to, is_copy in one.columns
        }
        yield Execution(
            id=f"{connection} {output}",
            at=max(one.at for one in group) or now,
            database=connection,
            user="",
            sql="",
            dialect="",
            inputs=tuple(sorted({_name(origin.database, *one.source) for one in group})),
            input_namespace=origin.namespace,
            output=output,
            columns=tuple(sorted(columns)),
            job=output,
        )


def _name(*parts: str) -> str:
    return ".".join(part if re.fullmatch(r"[^.\"`]+", part) else '"' + part.replace('"', '""') + '"' for part in parts if part)


#: The tables that are read, by their names before and since 2025.
_TABLES = re.compile(r"(?:source|destination)_(?:schema|table|column)|(?:table|column)_lineage")
_LINKS = ("table_lineage", "column_lineage")


def fivetran(rows: t.Iterable[Row]) -> t.Iterator[Hop]:
    """The rows of the query in the README, or tables of the Platform Connector in files that have their names."""
    tables: dict[str, dict[str, Row]] = {}
    for row in rows:
        if str(row.get("_fivetran_deleted", "")).lower() in ("true", "t", "1"):
            continue
        if row.get("source_table") and row.get("destination_table"):
            yield _fivetran_hop(row)
        else:
            table = _table_named(str(row.get("_file", "")))
            own = tables.setdefault(table, {})
            own[str(len(own)) if table in _LINKS else str(row.get("id") or row.get("connection_id") or row.get("connector_id"))] = row
    if tables and not any(link in tables for link in _LINKS):
        raise ValueError("the files have no lineage: export TABLE_LINEAGE and COLUMN_LINEAGE too")
    yield from (_fivetran_hop(row) for row in _joined(tables))


def _table_named(file: str) -> str:
    found = _TABLES.search(file.lower())
    if found is not None:
        return found[0]
    if "connect" not in file.lower():
        raise ValueError(f"{file} is no table that is read: name files as the Platform Connector names its tables, such as source_table.csv")
    return "connection"


def _joined(tables: t.Mapping[str, t.Mapping[str, Row]]) -> t.Iterator[Row]:
    """The rows that the query in the README would have."""

    def found(table: str, id: t.Any) -> Row:
        return tables.get(table, {}).get(str(id), {})

    def end(side: str, table: Row) -> dict[str, t.Any]:
        schema = found(f"{side}_schema", table.get("schema_id"))
        return {f"{side}_schema": schema.get("name"), f"{side}_table": table.get("name")}

    def row(source: Row, target: Row, **columns: t.Any) -> t.Iterator[Row]:
        id = source.get("connection_id") or source.get("connector_id")
        connection = found("connection", id)
        joined = {**end("source", source), **end("destination", target), **columns, "connection_id": id}
        name = connection.get("connection_name") or connection.get("connector_name")
        # What a lineage names and no table has was deleted.
        if joined["source_table"] and joined["destination_table"]:
            yield {**joined, "connection_name": name, "destination_id": connection.get("destination_id")}

    for link in tables.get("table_lineage", {}).values():
        yield from row(found("source_table", link.get("source_table_id")), found("destination_table", link.get("destination_table_id")))
    for link in tables.get("column_lineage", {}).values():
        source, target = found("source_column", link.get("source_column_id")), found("destination_column", link.get("destination_column_id"))
        tables_of = found("source_table", source.get("table_id")), found("destination_table", target.get("table_id"))
        yield from row(*tables_of, source_column=source.get("name"), destination_column=target.get("name"))


def _fivetran_hop(row: Row) -> Hop:
    def text(*names: str) -> str:
        return next((str(row[name]) for name in names if row.get(name)), "")

    id = text("connection_id", "connector_id")
    source, target = text("source_column"), text("destination_column")
    return Hop(
        connection=(text("connection_name", "connector_name") or id, id),
        destination=tuple(one for one in [text("destination_id")] if one),
        source=(text("source_schema"), text("source_table")),
        target=(text("destination_schema"), text("destination_table")),
        # Fivetran says neither which columns it hashes nor whose types it changes.
        columns=((source, target, False),) if source and target else (),
        at=in_utc(text("read_at")) if text("read_at") else "",
    )


def airbyte(documents: t.Iterable[Row]) -> t.Iterator[Hop]:
    """Responses that list connections, sources and destinations, of the public or of the configuration API."""
    connections: list[Row] = []
    ends: dict[str, Row] = {}
    for entry in _entries(documents):
        if _field(entry, "connectionId"):
            connections.append(entry)
            nested = [_field(entry, "source"), _field(entry, "destination")]
        else:
            nested = [entry]
        ends.update({str(_id_of(one)): one for one in nested if isinstance(one, dict) and _id_of(one)})
    if not connections:
        raise ValueError("the files have no connection of Airbyte: they need the response that lists the connections")
    for connection in connections:
        if _field(connection, "status") != "deprecated":
            yield from _airbyte_hops(connection, ends)


def _entries(documents: t.Iterable[Row]) -> t.Iterator[Row]:
    for document in documents:
        lists = [document[name] for name in ("connections", "sources", "destinations", "data") if isinstance(document.get(name), list)]
        yield from (entry for one in lists for entry in one) if lists else [document]


def _field(entry: Row, name: str) -> t.Any:
    # A reader of rows writes the names of a document's own members in lower case.
    return entry.get(name, entry.get(name.lower()))


def _id_of(end: Row) -> t.Any:
    return _field(end, "sourceId") or _field(end, "destinationId")


def _airbyte_hops(connection: Row, ends: t.Mapping[str, Row]) -> t.Iterator[Hop]:
    source_id, destination_id = str(_field(connection, "sourceId")), str(_field(connection, "destinationId"))
    source, destination = ends.get(source_id, {}), ends.get(destination_id, {})
    names = [_field(connection, "name"), _field(connection, "connectionId"), _field(source, "name"), source_id]
    target = _place(destination, "destination") or Place("")
    for stream, config in _streams(connection):
        name, namespace = str(stream["name"]), str(stream.get("namespace") or "")
        origin = _place(source, "source")
        yield Hop(
            connection=tuple(str(one) for one in names if one),
            destination=tuple(str(one) for one in (_field(destination, "name"), destination_id) if one),
            source=(namespace or (origin.schema if origin else ""), name),
            target=(_landed_in(connection, namespace) or target.schema, f"{_field(connection, 'prefix') or ''}{config.get('aliasName') or name}"),
            columns=tuple(_columns(stream, config)),
            origin=origin,
            database=target.database,
        )


def _streams(connection: Row) -> t.Iterator[tuple[Row, Row]]:
    """Each stream that is copied, with its configuration: the public API has both in one object."""
    catalog, configurations = _field(connection, "syncCatalog"), _field(connection, "configurations")
    for one in (catalog or {}).get("streams") or []:
        if one.get("config", {}).get("selected", True):
            yield one["stream"], one.get("config", {})
    if not catalog:
        yield from ((one, one) for one in (configurations or {}).get("streams") or [])


def _landed_in(connection: Row, namespace: str) -> str:
    """The schema that the connection chooses; empty for the destination's own."""
    definition = str(_field(connection, "namespaceDefinition") or "destination")
    if definition == "source":
        return namespace
    return str(_field(connection, "namespaceFormat") or "").replace("${SOURCE_NAMESPACE}", namespace) if definition.startswith("custom") else ""


def _columns(stream: Row, config: Row) -> t.Iterator[tuple[str, str, bool]]:
    """Columns, what they are called where they land, and whether their value is the same."""
    selected = [str(one["fieldPath"][0]) for one in config.get("selectedFields") or [] if one.get("fieldPath")]
    known = [str(name) for name in (stream.get("jsonSchema") or {}).get("properties") or {}]
    if config.get("fieldSelectionEnabled") or not known:
        known = list(dict.fromkeys(selected))
    landed = {name: (name, True) for name in known}
    for mapper in config.get("mappers") or []:
        settings = mapper.get("mapperConfiguration") or {}
        changed = settings.get("targetField") or settings.get("originalFieldName")
        kind = mapper.get("type")
        for name, (now, is_copy) in list(landed.items()):
            if now != changed:
                continue
            if kind == "field-filtering":
                del landed[name]
            elif kind == "field-renaming":
                landed[name] = (str(settings["newFieldName"]), is_copy)
            elif kind in ("hashing", "encryption"):
                landed[name] = (f"{now}{settings.get('fieldNameSuffix') or ''}", False)
    yield from ((name, to, is_copy) for name, (to, is_copy) in landed.items())


#: What Airbyte's connectors are called, the scheme and the usual port of their databases.
_DATABASES = {
    "postgres": ("postgres", 5432),
    "redshift": ("redshift", 5439),
    "mssql": ("mssql", 1433),
    "oracle": ("oracle", 1521),
    "mysql": ("mysql", 3306),
    "mariadb": ("mysql", 3306),
    "clickhouse": ("clickhouse", 8123),
}
#: Their databases are what others call schemas.
_WITHOUT_SCHEMAS = ("mysql", "clickhouse")


def _place(end: Row, side: str) -> Place | None:
    """Where a source or destination is, from its configuration; None if it is no database or its configuration is not there."""
    kind = str(_field(end, f"{side}Type") or _field(end, f"{side}Name") or "").lower()
    settings = _field(end, "configuration") or _field(end, "connectionConfiguration") or {}
    host, database, schema = str(settings.get("host") or ""), str(settings.get("database") or ""), str(settings.get("schema") or "")
    if "bigquery" in kind and settings.get("project_id"):
        return Place("bigquery", str(settings["project_id"]), str(settings.get("dataset_id") or "").split(":")[-1])
    if "snowflake" in kind and host:
        return Place(f"snowflake://{re.sub(r'[.]snowflakecomputing[.](com|cn)$', '', host)}", database, schema)
    for name, (scheme, port) in _DATABASES.items():
        if name in kind and host:
            namespace = f"{scheme}://{host}:{settings.get('port') or port}"
            return Place(namespace, "", database) if scheme in _WITHOUT_SCHEMAS else Place(namespace, database, schema)
    return None
