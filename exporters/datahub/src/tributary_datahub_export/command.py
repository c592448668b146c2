"""The command `tributary-datahub-export`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import typing as t
from datetime import datetime, timezone

from . import __version__
from .api import ApiError, Datahub
from .lineage import dataset_description, dataset_entries, exposure, job_entries

# Exit codes of the `tributary` command line.
DONE, WRONG_USE, UNAVAILABLE = 0, 2, 5


def main(arguments: t.Sequence[str] | None = None) -> int:
    """Exports the lineage of a DataHub, and answers the exit code: nothing is written unless all of it was read."""
    options = _parser().parse_args(arguments)
    if not options.url or not options.url.startswith(("http://", "https://")):
        return _failed(WRONG_USE, "name the metadata service: --url http://localhost:8080, or DATAHUB_GMS_URL")
    try:
        document = _export(Datahub(options.url, options.token), options)
    except ApiError as error:
        return _failed(UNAVAILABLE, str(error))
    try:
        _write(document, options.output)
    except OSError as error:
        return _failed(WRONG_USE, f"{options.output} cannot be written: {error.strerror}")
    counts = f"{len(document['lineage'])} entries, the columns of {len(document['datasets'])} datasets"
    print(f"{counts} and {len(document['exposures'])} charts and dashboards are exported", file=sys.stderr)
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tributary-datahub-export",
        description="Writes the lineage of a DataHub as the export that `tributary push datahub` sends.",
    )
    environment = os.environ
    parser.add_argument("--url", default=environment.get("DATAHUB_GMS_URL"), help="metadata service (DATAHUB_GMS_URL)")
    parser.add_argument("--no-jobs", action="store_true", help="leave out lineage through jobs")
    parser.add_argument("--no-dashboards", action="store_true", help="leave out charts and dashboards")
    parser.add_argument("--page", type=_page, default=200, help="entities a request, 1 to 5000 (200)")
    parser.add_argument("--output", help="file to write; standard output where it is left out")
    parser.add_argument("--version", action="version", version=__version__)
    # A token on the command line would show in the list of processes.
    parser.set_defaults(token=environment.get("DATAHUB_GMS_TOKEN"))
    return parser


def _page(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 5_000:
        raise argparse.ArgumentTypeError("must be a number from 1 to 5000")
    return int(text)


def _export(datahub: Datahub, options: argparse.Namespace) -> dict[str, t.Any]:
    lineage: list[dict[str, t.Any]] = []
    datasets: list[dict[str, t.Any]] = []
    for entity in datahub.entities("dataset", ["upstreamLineage", "schemaMetadata", "ownership"], options.page):
        lineage.extend(dataset_entries(entity))
        described = dataset_description(entity)
        if described:
            datasets.append(described)
    if not options.no_jobs:
        for entity in datahub.entities("datajob", ["dataJobInputOutput"], options.page):
            lineage.extend(job_entries(entity))
    exposures = [] if options.no_dashboards else list(_exposures(datahub, options.page))
    # A catalog that returns to an earlier state is another export: a push of the same content would be a duplicate.
    generated_at = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"generated_at": generated_at, "lineage": lineage, "datasets": datasets, "exposures": exposures}


def _exposures(datahub: Datahub, page: int) -> t.Iterator[dict[str, t.Any]]:
    for name in ("chart", "dashboard"):
        for entity in datahub.entities(name, [f"{name}Info", "inputFields", "ownership"], page):
            if f"{name}Info" in entity or "inputFields" in entity:
                yield exposure(entity)


def _write(document: dict[str, t.Any], output: str | None) -> None:
    text = json.dumps(document, ensure_ascii=False) + "\n"
    if output is None:
        sys.stdout.write(text)
        return
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


def _failed(code: int, message: str) -> int:
    print(f"tributary-datahub-export: {message}", file=sys.stderr)
    return code
