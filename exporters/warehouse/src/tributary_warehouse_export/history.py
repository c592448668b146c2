"""What every source's history is turned into, and the OpenLineage events of it."""

from __future__ import annotations

import json
import re
import typing as t
import uuid
from datetime import datetime, timedelta

from .statement import shape_of, text_of

PRODUCER = "urn:tributary:warehouse-export"
_NAMESPACE = uuid.UUID("5d7c2a44-3f0f-5e0b-9f1e-6a4b8f0d2c11")


class Column(t.NamedTuple):
    """A column of the output and the column that it comes from."""

    output: str
    relation: str
    column: str
    #: Whether the value is known to be the same.
    is_copy: bool = False


class Execution(t.NamedTuple):
    """One statement that ran."""

    id: str
    at: str
    database: str
    user: str
    #: Without its literals; None if it is unclear where they end, so that it must not leave the machine.
    sql: t.Optional[str]
    dialect: str
    #: Names of relations, if the history has them; else the service reads them from the statement.
    inputs: tuple[str, ...] = ()
    output: t.Optional[str] = None
    columns: tuple[Column, ...] = ()
    #: How often it has run by now, if the history counts runs and does not list them.
    calls: t.Optional[int] = None
    #: Of what is copied from another database: its namespace, and the name of the job.
    input_namespace: t.Optional[str] = None
    job: str = ""
    #: The text of a statement that only reads: with its literals, until `with_readers` takes them out.
    read: str = ""


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))? ?(?:(?:Etc/)?(?:Z|UTC|GMT)|([+-]\d\d):?(\d\d)?)?")


def in_utc(text: str) -> str:
    """A time as a history writes it, in RFC 3339 with six digits, so that times compare as texts. Without a zone it is UTC."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"no time in UTC or with an offset: {text or 'an empty field'}. PostgreSQL needs log_timezone = 'UTC'.")
    date, clock, fraction, hours, minutes = found.groups()
    offset = timedelta() if hours is None else timedelta(hours=int(hours), minutes=int(f"{hours[0]}{minutes or 0}"))
    return before(f"{date}T{clock}{':00' if len(clock) == 5 else ''}.{(fraction or '').ljust(6, '0')[:6]}Z", offset)


def before(time: str, duration: timedelta) -> str:
    return f"{datetime.fromisoformat(time[:-1]) - duration:%Y-%m-%dT%H:%M:%S.%fZ}"


def with_readers(executions: t.Iterable[Execution], readers: t.Collection[str]) -> t.Iterator[Execution]:
    """What only reads, of some users: one execution for each of them and hour, or for each statement if the service reads it."""
    groups: dict[tuple[str, str], list[Execution]] = {}
    for one in executions:
        if one.output is not None or one.sql != "":
            yield one
        elif one.user not in readers:
            continue
        elif one.read and (sql := text_of(one.read, one.dialect)):
            yield one._replace(sql=sql, read=sql, job=f"reads.{one.user}.{shape_of(sql)}")
        elif one.inputs:
            groups.setdefault((one.user, one.at[:13]), []).append(one)
    for (user, _), group in groups.items():
        inputs = {name for one in group for name in one.inputs}
        yield max(group, key=lambda one: one.at)._replace(job=f"reads.{user}", inputs=tuple(sorted(inputs)))


def events_of(executions: t.Iterable[Execution], job_namespace: str, dataset_namespace: str, users: bool) -> list[dict[str, t.Any]]:
    """One run for each shape of a statement and hour, with the time of the last: a busy statement is one job."""
    newest: dict[tuple[str, str, str], Execution] = {}
    for one in executions:
        shape = one.job or shape_of("\n".join([one.sql or "", one.output or "", *sorted(one.inputs)]))
        key = (one.database, shape, one.at[:13])
        if key not in newest or newest[key].at < one.at:
            newest[key] = one
    ordered = sorted(newest.items(), key=lambda item: (item[1].at, item[0]))
    return [_event(one, shape, hour, job_namespace, dataset_namespace, users) for (_, shape, hour), one in ordered]


def _event(one: Execution, shape: str, hour: str, jobs: str, datasets: str, users: bool) -> dict[str, t.Any]:
    facets: dict[str, t.Any] = {}
    if one.sql is None:
        facets["tributary_statement"] = {**_own_facet("Statement"), "withheld": "literals_unclear"}
    elif one.sql:
        facets["sql"] = {**_facet("SQLJobFacet", "1-1-0"), "query": one.sql, "dialect": one.dialect}
    if one.output is None and not one.inputs:
        facets["tributary_session"] = {**_own_facet("Session"), "database": one.database, **({"reads": True} if one.read else {})}
    if users and one.user:
        owner = {"name": f"user:{one.user}", "type": "EXECUTOR"}
        facets["ownership"] = {**_facet("OwnershipJobFacet", "1-0-1"), "owners": [owner]}
    event: dict[str, t.Any] = {
        "eventType": "COMPLETE",
        "eventTime": one.at,
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid.uuid5(_NAMESPACE, f"{jobs} {one.database} {shape} {hour}"))},
        "job": {"namespace": jobs, "name": f"{one.database}.{shape}", "facets": facets},
        "inputs": [{"namespace": one.input_namespace or datasets, "name": name} for name in one.inputs],
        "outputs": [],
    }
    if one.output is not None:
        output: dict[str, t.Any] = {"namespace": datasets, "name": one.output}
        if one.columns:
            output["facets"] = {"columnLineage": _column_lineage(one.columns, one.input_namespace or datasets)}
        event["outputs"] = [output]
    return event


def _column_lineage(columns: t.Sequence[Column], datasets: str) -> dict[str, t.Any]:
    fields: dict[str, t.Any] = {}
    for one in columns:
        inputs = fields.setdefault(one.output, {"inputFields": []})["inputFields"]
        source: dict[str, t.Any] = {"namespace": datasets, "name": one.relation, "field": one.column}
        if one.is_copy:
            source["transformations"] = [{"type": "DIRECT", "subtype": "IDENTITY"}]
        if source not in inputs:
            inputs.append(source)
    return {**_facet("ColumnLineageDatasetFacet", "1-2-0"), "fields": fields}


def _facet(name: str, version: str) -> dict[str, str]:
    return {"_producer": PRODUCER, "_schemaURL": f"https://openlineage.io/spec/facets/{version}/{name}.json#/$defs/{name}"}


def _own_facet(name: str) -> dict[str, str]:
    return {"_producer": PRODUCER, "_schemaURL": f"{PRODUCER}:{name}JobFacet:1-0-0"}


def write_lines(events: t.Iterable[dict[str, t.Any]], file: t.TextIO) -> None:
    for event in events:
        file.write(json.dumps(event, ensure_ascii=False) + "\n")
