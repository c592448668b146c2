"""Turns the aspects of DataHub's entities into entries of the export."""

from __future__ import annotations

import typing as t
from itertools import product

Json = t.Dict[str, t.Any]
FIELD = "urn:li:schemaField:("


def dataset_entries(entity: Json) -> list[Json]:
    """An entry for each upstream of a dataset (aspect `upstreamLineage`), with the columns that come from it."""
    aspect = _aspect(entity, "upstreamLineage")
    upstreams = [one["dataset"] for one in aspect.get("upstreams") or []]
    return _entries(upstreams, [entity["urn"]], aspect.get("fineGrainedLineages") or [])


def job_entries(entity: Json) -> list[Json]:
    """An entry for each pair of an input and an output of a job (aspect `dataJobInputOutput`)."""
    aspect = _aspect(entity, "dataJobInputOutput")
    ends = (_listed(aspect, f"{side}DatasetEdges", f"{side}Datasets") for side in ("input", "output"))
    return _entries(*ends, aspect.get("fineGrainedLineages") or [])


def dataset_description(entity: Json) -> Json | None:
    """The columns of a dataset with their types, and its owners, or None if DataHub has neither."""
    fields = _aspect(entity, "schemaMetadata").get("fields") or []
    listed = [{"fieldPath": one["fieldPath"], "nativeDataType": one.get("nativeDataType")} for one in fields]
    described: Json = {"schemaMetadata": {"fields": listed}} if listed else {}
    owners = _owners(entity)
    if owners:
        described["owners"] = owners
    return {"urn": entity["urn"], **described} if described else None


def _owners(entity: Json) -> list[str]:
    return [one["owner"] for one in _aspect(entity, "ownership").get("owners") or []]


def exposure(entity: Json) -> Json:
    """A chart or dashboard: what it reads or consists of, and its fields with the fields that they show."""
    info = _aspect(entity, "chartInfo") or _aspect(entity, "dashboardInfo")
    fields = _aspect(entity, "inputFields").get("fields") or []
    return {
        "urn": entity["urn"],
        "title": info.get("title"),
        "owners": _owners(entity),
        "inputs": _listed(info, "inputEdges", "inputs", "chartEdges", "charts", "datasetEdges", "datasets", "dashboards"),
        "fields": [
            {"fieldPath": (one.get("schemaField") or {}).get("fieldPath"), "schemaFieldUrn": one["schemaFieldUrn"]}
            for one in fields
        ],
    }


def _aspect(entity: Json, name: str) -> Json:
    return (entity.get(name) or {}).get("value") or {}


def _listed(aspect: Json, *members: str) -> list[str]:
    """Newer DataHubs list edges, older ones the deprecated plain URNs, or unions of one; some list both."""
    listed = [one for member in members for one in aspect.get(member) or []]
    urns = (one if isinstance(one, str) else one.get("destinationUrn") or next(iter(one.values())) for one in listed)
    return list(dict.fromkeys(urns))


def _entries(upstreams: t.Sequence[str], downstreams: t.Sequence[str], mappings: t.Sequence[Json]) -> list[Json]:
    """An entry for each pair that is listed, and for each other one whose columns are mapped: a dataset's own included."""
    return [
        {
            "upstreamUrn": upstream,
            "downstreamUrn": downstream,
            "fineGrainedLineages": _mappings_between(upstream, downstream, mappings),
        }
        for upstream, downstream in dict.fromkeys([*product(upstreams, downstreams), *_mapped_pairs(mappings)])
    ]


def _mapped_pairs(mappings: t.Sequence[Json]) -> t.Iterator[tuple[str, str]]:
    """The pairs of datasets between which columns are mapped."""
    for mapping in mappings:
        sources, targets = (
            [dataset for dataset in map(_dataset_of, mapping.get(side) or []) if dataset]
            for side in ("upstreams", "downstreams")
        )
        yield from product(sources, targets)


def _mappings_between(upstream: str, downstream: str, mappings: t.Sequence[Json]) -> list[Json]:
    """An aspect maps the columns of all its datasets at once; an entry keeps those of its two datasets."""
    kept = []
    for mapping in mappings:
        sources = _fields_of(upstream, mapping.get("upstreams") or [])
        targets = _fields_of(downstream, mapping.get("downstreams") or [])
        if not sources or not targets:
            continue
        operation = mapping.get("transformOperation")
        kept.append(
            {"upstreams": sources, "downstreams": targets, **({"transformOperation": operation} if operation else {})}
        )
    return kept


def _fields_of(dataset: str, urns: t.Sequence[str]) -> list[str]:
    """Fields of a dataset, and what names no field: that a column is not wholly known must not be lost."""
    return [urn for urn in urns if _dataset_of(urn) in (dataset, None)]


def _dataset_of(urn: str) -> str | None:
    end = urn.find("),", len(FIELD)) if urn.startswith(FIELD) else -1
    return None if end < 0 else urn[len(FIELD) : end + 1]
