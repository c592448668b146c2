"""Writes the tables and the queries of TPC-H and TPC-DS, which DuckDB's extensions carry, into one database file."""
import importlib.util
import pathlib
import sys

import duckdb


def extension(name):
    """The file of an extension that pip installed as a package of Python."""
    package = pathlib.Path(importlib.util.find_spec(f"duckdb_extension_{name}").origin).parent
    return next(package.rglob(f"{name}.duckdb_extension"))


file = pathlib.Path(sys.argv[1])
if file.exists():
    sys.exit()
unfinished = file.with_suffix(".unfinished")
unfinished.unlink(missing_ok=True)
connection = duckdb.connect(str(unfinished))
connection.execute("create table queries (suite varchar, number integer, text varchar)")
for suite, generate in [("tpch", "dbgen"), ("tpcds", "dsdgen")]:
    connection.load_extension(str(extension(suite)))
    connection.execute(f"create schema {suite}")
    connection.execute(f"call {generate}(sf = 0.01, schema = '{suite}')")
    connection.execute(f"insert into queries select '{suite}', query_nr, query from {suite}_queries()")
connection.close()
unfinished.rename(file)
