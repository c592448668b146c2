"""The command `tributary-sqlmesh-export`."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import typing as t
from pathlib import Path

from . import __version__

# Exit codes of the `tributary` command line.
DONE, FOUND_WANTING, WRONG_USE = 0, 1, 2
CONFIGURATIONS = ("config.yaml", "config.yml", "config.py", "sqlmesh.yaml", "sqlmesh.yml", "dbt_project.yml")


class UsageError(Exception):
    """What the caller can mend; the message says how."""


def main(arguments: t.Sequence[str] | None = None) -> int:
    """Exports a project, and answers the exit code: 0, 1 where a model was left without SQL, 2 where none was written."""
    options = _parser().parse_args(arguments)
    warnings: list[str] = []
    try:
        # Macros and SQLMesh itself may print while a project is loaded: standard output carries only the document.
        with contextlib.redirect_stdout(sys.stderr):
            document = _export(options, warnings.append)
        _write(document, options.output)
    except UsageError as error:
        print(f"tributary-sqlmesh-export: {error}", file=sys.stderr)
        return WRONG_USE
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    models, externals = len(document["models"]), len(document["external_models"])
    print(f"{models} models and {externals} external models are exported", file=sys.stderr)
    return FOUND_WANTING if warnings and options.strict else DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tributary-sqlmesh-export",
        description="Writes a SQLMesh project as the document that `tributary push sqlmesh` sends.",
    )
    parser.add_argument("project", nargs="?", default=".", help="folder of the project (default: this one)")
    parser.add_argument("--environment", default="prod", help="environment that the project is exported as (prod)")
    parser.add_argument("--gateway", default=os.environ.get("SQLMESH_GATEWAY"), help="gateway of the configuration")
    parser.add_argument("--config", help="name of the configuration in config.py")
    parser.add_argument("--name", help="name of the project; its configuration's, else its folder's")
    parser.add_argument("--output", help="file to write; standard output where it is left out")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a model's SQL cannot be rendered")
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _export(options: argparse.Namespace, warn: t.Callable[[str], None]) -> dict[str, t.Any]:
    folder = Path(options.project).resolve()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {options.project}: name the folder that has config.yaml")
    if not any((folder / name).is_file() for name in CONFIGURATIONS):
        raise UsageError(f"{options.project} has no config.yaml or config.py: name the folder of a SQLMesh project")
    # SQLMesh reports its use to its makers unless this is disabled before the import.
    os.environ.setdefault("SQLMESH__DISABLE_ANONYMIZED_ANALYTICS", "true")
    from .document import project_document

    context = _load(folder, options)
    name = options.name or context.config.project or folder.name
    return project_document(context, name=name, environment=options.environment, warn=warn)


def _load(folder: Path, options: argparse.Namespace) -> t.Any:
    try:
        from sqlmesh import Context
    except ImportError as error:
        raise UsageError(f"SQLMesh cannot be imported ({error}): pip install sqlmesh") from error
    try:
        return Context(paths=[str(folder)], gateway=options.gateway or None, config=options.config)
    except ImportError as error:
        raise UsageError(
            f"a package of the project is missing ({error}): install what the project's engine needs beside this "
            'command, such as pip install "sqlmesh[snowflake]"'
        ) from error
    except Exception as error:  # SQLMesh, the project's own Python or the engine's driver: whatever they raise.
        raise UsageError(
            f"SQLMesh cannot load the project: {type(error).__name__}: {error}\n"
            "`sqlmesh info` in the same folder says what is wrong with it."
        ) from error


def _write(document: dict[str, t.Any], output: str | None) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}") from error
