"""Prints another tool's claims about changes of statements, as JSON lines. The argument is the tool's name."""
import json
import pathlib
import sys
import tempfile

ROWS = {"kind": "changed", "rows": True, "columns": [], "added": [], "removed": []}


def only(columns=(), added=(), removed=()):
    """The claim that no other columns differ."""
    if not (columns or added or removed):
        return {"kind": "same"}
    return {"kind": "changed", "rows": False, "columns": list(columns), "added": list(added), "removed": list(removed)}


def recce(changes):
    from recce.util.change_classifier import parse_change_category

    for change in changes:
        schema = {table: dict(columns) for table, columns in change["tables"].items()}
        found = parse_change_category(change["before"], change["after"], schema, schema, dialect="duckdb")
        parts = found.columns or {}
        kinds = {kind: [name for name, one in parts.items() if one == kind] for kind in ("modified", "added", "removed")}
        if found.category in ("breaking", "unknown"):
            yield ROWS if found.category == "breaking" else {"kind": "not_compared"}
        else:
            yield only(kinds["modified"], kinds["added"], kinds["removed"])


def sqlmesh(changes):
    from sqlglot import parse_one
    from sqlmesh.core.config import CategorizerConfig
    from sqlmesh.core.model import create_sql_model
    from sqlmesh.core.snapshot import Snapshot, SnapshotChangeCategory
    from sqlmesh.core.snapshot.categorizer import categorize_change

    def snapshot(text):
        return Snapshot.from_node(create_sql_model("db.q", parse_one(text, dialect="duckdb"), dialect="duckdb"), nodes={})

    for change in changes:
        old, new = snapshot(change["before"]), snapshot(change["after"])
        if old.fingerprint == new.fingerprint:
            yield only()
            continue
        category = categorize_change(new=new, old=old, config=CategorizerConfig.all_full())
        added = [name for name, _ in change["is"] if name not in dict(change["was"])]
        yield only(added=added) if category == SnapshotChangeCategory.NON_BREAKING else ROWS


def altimate_core(changes):
    import altimate_core as altimate

    for change in changes:
        ddl = " ".join(
            f"create table {table} ({', '.join(f'{name} {type}' for name, type in columns)});"
            for table, columns in change["tables"].items()
        )
        found = altimate.check_equivalence(
            change["before"], change["after"], altimate.Schema.from_ddl(ddl), dialect="duckdb"
        )
        yield only() if found["equivalent"] else ROWS if found["decidable"] else {"kind": "not_compared"}


def parrant(changes):
    from parrant.artifacts.registry import ModelRegistry
    from parrant.lineage.changeset import ChangesetBuilder

    with tempfile.TemporaryDirectory() as folder:
        sides = [registry(pathlib.Path(folder), ModelRegistry, changes, *side) for side in (("before", "was"), ("after", "is"))]
        found = ChangesetBuilder(*sides).build()
    by_model = {}
    for one in found:
        by_model.setdefault(one.model, []).append(one)
    for place, change in enumerate(changes):
        kinds = {"added": [], "removed": [], "changed": []}
        for one in by_model.get(f"q{place}", []):
            kinds[one.kind.value if one.kind.value in kinds else "changed"].append(one.column)
        common = [name for name, _ in change["is"] if name in dict(change["was"])]
        is_all = bool(common) and set(common) <= set(kinds["changed"])
        yield ROWS if is_all else only(kinds["changed"], kinds["added"], kinds["removed"])


def registry(folder, load, changes, text, columns):
    """The artifacts of a dbt project that has a model for each change, in one version."""
    def described(fields):
        return {name: {"name": name, "type": type, "index": place} for place, (name, type) in enumerate(fields)}

    tables = {table: fields for change in changes for table, fields in change["tables"].items()}
    sources = {
        f"source.tpc.tpc.{table}": {"metadata": {"name": table, "schema": "tpc", "database": "tpc"}, "columns": described(fields)}
        for table, fields in tables.items()
    }
    catalog = {
        f"model.tpc.q{place}": {"metadata": {"name": f"q{place}", "schema": "m", "database": "tpc"}, "columns": described(change[columns])}
        for place, change in enumerate(changes)
    }
    models = {
        f"model.tpc.q{place}": {
            "resource_type": "model", "name": f"q{place}", "schema": "m", "database": "tpc", "compiled_code": change[text], "language": "sql",
            "config": {}, "columns": {}, "depends_on": {"nodes": [f"source.tpc.tpc.{table}" for table in change["tables"]]},
        }
        for place, change in enumerate(changes)
    }
    named = {
        key: {"resource_type": "source", "name": key.split(".")[-1], "source_name": "tpc", "identifier": key.split(".")[-1], "columns": {}}
        for key in sources
    }
    (folder / f"{text}-catalog.json").write_text(json.dumps({"nodes": catalog, "sources": sources}))
    manifest = {"metadata": {"adapter_type": "duckdb"}, "nodes": models, "sources": named, "exposures": {}, "parent_map": {}, "child_map": {}}
    (folder / f"{text}.json").write_text(json.dumps(manifest))
    loaded = load(str(folder / f"{text}-catalog.json"), str(folder / f"{text}.json"))
    loaded.load()
    return loaded


def claims(tool, changes):
    """One by one, so that a failure of the tool is one change that it does not compare."""
    if tool is parrant:
        # One project has the tables of one suite.
        for suite in dict.fromkeys(change["suite"] for change in changes):
            yield from parrant([change for change in changes if change["suite"] == suite])
        return
    for change in changes:
        try:
            yield next(tool([change]))
        except ImportError:
            raise
        except Exception as error:
            print(f"{type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            yield {"kind": "not_compared"}


tools = {"recce": recce, "sqlmesh": sqlmesh, "altimate-core": altimate_core, "parrant": parrant}
for claim in claims(tools[sys.argv[1]], json.load(sys.stdin)):
    print(json.dumps(claim))
