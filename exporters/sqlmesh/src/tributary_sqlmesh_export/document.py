"""Reads a loaded SQLMesh project into the exported document."""

from __future__ import annotations

import typing as t
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

from sqlglot import exp

if t.TYPE_CHECKING:
    from sqlmesh import Context
    from sqlmesh.core.model import Model

SCHEMA = "service.sqlmesh-project@v1"
Warn = t.Callable[[str], None]


def project_document(context: Context, *, name: str, environment: str, warn: Warn) -> dict[str, t.Any]:
    """What a project says of its models: names, columns with types, dependencies and SQL without macros.

    Tables are named by the models, not by the physical tables of a plan, so that no state is read. `warn` hears of each
    model whose SQL cannot be rendered: it is exported with its dependencies alone.
    """
    models = sorted(context.models.values(), key=lambda model: model.fqn)
    return {
        "schema": SCHEMA,
        "sqlmesh_version": version("sqlmesh"),
        "project": {"name": name},
        "environment": environment,
        "gateway": context.selected_gateway,
        "dialect": context.default_dialect or None,
        "generated_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "external_models": [_external(model) for model in models if model.kind.is_external],
        "models": [_model(model, context.path, warn) for model in models if not model.kind.is_external],
    }


def _external(model: Model) -> dict[str, t.Any]:
    return {"name": model.name, "fqn": model.fqn, "columns": _columns(model)}


def _model(model: Model, folder: Path, warn: Warn) -> dict[str, t.Any]:
    return {
        "name": model.name,
        "fqn": model.fqn,
        "physical_table": None,
        "kind": _kind(model.kind),
        "language": model.source_type,
        "dialect": model.dialect or None,
        "columns": _columns(model),
        "own_columns": _own_columns(model),
        "depends_on": sorted(model.depends_on),
        "rendered_sql": _rendered_sql(model, warn),
        "path": _path(model, folder),
    }


def _kind(kind: t.Any) -> str | dict[str, str]:
    """A kind's name; of SCD_TYPE_2 also what it calls the columns that it adds."""
    name = kind.name.value
    if not kind.is_scd_type_2:
        return name
    return {
        "name": name,
        "valid_from_name": kind.valid_from_name.name,
        "valid_to_name": kind.valid_to_name.name,
    }


def _own_columns(model: Model) -> list[str]:
    """The columns that the model's settings name: its next run needs them."""
    time = [model.time_column.column] if model.time_column else []
    settings = [*model.unique_key, *time, *model.partitioned_by, *model.clustered_by]
    return sorted({column.name for one in settings for column in one.find_all(exp.Column)})


def _columns(model: Model) -> dict[str, str | None] | None:
    """Types by names, or None where SQLMesh cannot tell all columns: the list would be taken as complete."""
    columns = model.columns_to_types
    if not columns or any(column in ("", "*") for column in columns):
        return None
    return {column: _type(kind, model.dialect) for column, kind in columns.items()}


def _type(kind: t.Any, dialect: str | None) -> str | None:
    name = kind.sql(dialect=dialect)
    return None if name in ("", "UNKNOWN", "NULL") else name


def _rendered_sql(model: Model, warn: Warn) -> str | None:
    if model.source_type != "sql":
        return None
    try:
        query = model.render_query()
        reason = "it needs a connection or a date that only a run has"
    except Exception as error:  # A model's macros are anybody's code.
        query, reason = None, f"{type(error).__name__}: {error}"
    if query is None:
        warn(f"The SQL of {model.name} cannot be rendered, so that its columns are not traced: {reason}")
        return None
    return _listed(query, model).sql(dialect=model.dialect, pretty=True)


def _listed(query: exp.Query, model: Model) -> exp.Query:
    """The query with only the columns that the model lists, as SQLMesh stores it; a view takes them by their places."""
    listed = [*(model.columns_to_types_ or ())]
    unlisted = {name.lower() for name in query.named_selects} - {name.lower() for name in listed}
    if not listed or not unlisted or model.kind.is_view:
        return query
    return exp.select(*(exp.column(name, quoted=True) for name in listed)).from_(query.subquery("_subquery"))


def _path(model: Model, folder: Path) -> str | None:
    path = getattr(model, "_path", None)
    if not path or not Path(path).name:
        return None
    try:
        return Path(path).resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return Path(path).name
