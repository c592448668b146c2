"""Builds a dbt project and compares its relations with those of the base, a request a line, in one process.

Requests (JSON lines on standard input):
  {"do": "build", "project": folder, "database": file, "raw": file}
  {"do": "document", "project": folder, "database": file}
  {"do": "keep", "database": file, "kept": file, "relations": ["schema.name", ...]}
  {"do": "compare", "database": file, "kept": file, "relations": [...]}
Each gets one line on the standard output that was open at the start; what dbt prints goes to standard error.
"""
import contextlib
import json
import os
import sys

import duckdb
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def build(project, database, raw):
    """Builds the whole project from nothing into a new file; the status of every node."""
    for stale in (database, f"{database}.wal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(stale)
    os.environ["GAUNTLET_DATABASE"] = database
    with duckdb.connect(database) as connection, open(raw, encoding="utf-8") as script:
        connection.execute(script.read())
    built = invoke(project, ["build", "--full-refresh"])
    if built["success"]:
        return {"nodes": built["nodes"], "problems": []}
    # A build that fails leaves out the code of the models that it skips; `compile` writes all.
    compiled = invoke(project, ["compile", "--full-refresh"])
    problems = [] if compiled["success"] and built["nodes"] else [f"compile: {compiled['problem'] or built['problem']}"]
    return {"nodes": built["nodes"], "problems": problems}


def document(project, database):
    """Writes the catalog of the built relations, as `dbt docs generate` does, and leaves the compiled manifest as it is."""
    os.environ["GAUNTLET_DATABASE"] = database
    manifest = os.path.join(project, "target", "manifest.json")
    os.replace(manifest, f"{manifest}.kept")
    outcome = invoke(project, ["docs", "generate", "--no-compile"])
    os.replace(f"{manifest}.kept", manifest)
    return {"problems": [] if outcome["success"] else [outcome["problem"]]}


def invoke(project, words):
    places = ["--project-dir", project, "--profiles-dir", project, "--target-path", os.path.join(project, "target")]
    quiet = ["--quiet", "--no-use-colors", "--no-send-anonymous-usage-stats", "--no-version-check"]
    try:
        outcome = dbtRunner().invoke([*quiet, *words, *places])
    finally:
        DuckDBConnectionManager.close_all_connections()
        DuckDBConnectionManager._ENV = None
    nodes = {}
    for one in getattr(outcome.result, "results", None) or []:
        nodes[one.node.unique_id] = {"status": str(one.status), "message": str(one.message or "")[:300]}
    return {"success": bool(outcome.success), "nodes": nodes, "problem": str(outcome.exception or "")[:500]}


def columns_of(connection, relation):
    """Names and types of a relation's columns; null if it is not there or cannot be read."""
    try:
        rows = connection.execute(f"describe select * from {relation}").fetchall()
    except duckdb.Error:
        return None
    return {name: kind for name, kind, *_ in rows}


def quoted(relation):
    return ".".join(f'"{part}"' for part in relation.split("."))


def kept_name(relation):
    return f'kept.main."{relation}"'


def keep(database, kept, relations):
    """Copies the rows of the base's relations, views too, so that they stay when the views are gone."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(kept)
    with duckdb.connect(database) as connection:
        connection.execute(f"attach '{kept}' as kept")
        counts = {}
        for relation in relations:
            connection.execute(f"create table {kept_name(relation)} as select * from {quoted(relation)}")
            counts[relation] = connection.execute(f"select count(*) from {kept_name(relation)}").fetchone()[0]
    return counts


def compare(database, kept, relations):
    """How each relation differs from the base: gone, or its columns, or its rows as a multiset."""
    with duckdb.connect(database) as connection:
        connection.execute(f"attach '{kept}' as kept (read_only)")
        connection.execute("set threads to 1")
        return {relation: difference(connection, relation) for relation in relations}


def difference(connection, relation):
    before = columns_of(connection, kept_name(relation))
    after = columns_of(connection, quoted(relation))
    if before is None or after is None:
        return found(is_gone=after is None, is_new=before is None)
    lost = sorted(name for name in before if before[name] != after.get(name))
    added = sorted(name for name in after if name not in before)
    shared = [name for name in before if name in after]
    names = ", ".join(f'"{name}"' for name in shared)
    was = f"select {names} from {kept_name(relation)}"
    now = f"select {names} from {quoted(relation)}"
    count = lambda query: connection.execute(f"select count(*) from ({query})").fetchone()[0]
    if not shared:
        return found(columns_lost=lost, columns_added=added)
    try:
        rows = {"only_before": count(f"{was} except all {now}"), "only_after": count(f"{now} except all {was}")}
    except duckdb.Error:
        # Values of the two types cannot be compared; if no type differs, a view fails when it is read.
        return found(is_gone=not lost, columns_lost=lost, columns_added=added)
    return found(columns_lost=lost, columns_added=added, **rows)


def found(is_gone=False, is_new=False, columns_lost=(), columns_added=(), only_before=0, only_after=0):
    return {
        "is_gone": is_gone,
        "is_new": is_new,
        "columns_lost": list(columns_lost),
        "columns_added": list(columns_added),
        "only_before": only_before,
        "only_after": only_after,
    }


work = {"build": build, "document": document, "keep": keep, "compare": compare}
for line in sys.stdin:
    request = json.loads(line)
    answers.write(json.dumps(work[request.pop("do")](**request)) + "\n")
    answers.flush()
