import csv
import json
import os
import sys
import tempfile
import types
import unittest
from contextlib import contextmanager
from datetime import datetime, timezone

from tributary_warehouse_export.command import main
from tributary_warehouse_export.history import events_of, in_utc
from tributary_warehouse_export.rows import bigquery, databricks, snowflake, snowflake_views
from tributary_warehouse_export.sources import SOURCES, from_connection, from_files

README = os.path.join(os.path.dirname(__file__), "..", "README.md")


def lower(row):
    return {name.lower(): value for name, value in row.items()}


def lines(*rows):
    return [lower(row) for row in rows]


@contextmanager
def file_of(text, name="rows.txt"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", newline="", encoding="utf-8") as file:
            file.write(text)
        yield path


class Snowflake(unittest.TestCase):
    table = {"objectDomain": "Table", "objectId": 1}
    written = {
        **table,
        "objectName": "DB.M.ORDERS",
        "columns": [
            {"columnName": "CENTS", "directSources": [{**table, "objectName": "DB.R.ORDERS", "columnName": "AMOUNT"}]},
            {"columnName": "ONE", "directSources": []},
        ],
    }
    row = {
        "QUERY_ID": "q1",
        "QUERY_START_TIME": "2026-11-27 12:00:00.000 +0000",
        "USER_NAME": "ANN",
        "QUERY_TEXT": "insert into m.orders select amount * 100 from r.orders -- Ann's",
        "DIRECT_OBJECTS_ACCESSED": json.dumps([{**table, "objectName": "DB.R.ORDERS"}, {"objectDomain": "Stage", "objectName": "S"}]),
        "OBJECTS_MODIFIED": json.dumps([written]),
    }

    def test_columns_come_from_what_the_history_says(self):
        (event,) = events_of(snowflake(lines(self.row)), "jobs", "snowflake://o-a", users=False)
        self.assertEqual([one["name"] for one in event["inputs"]], ["DB.R.ORDERS"])
        (output,) = event["outputs"]
        self.assertEqual(output["name"], "DB.M.ORDERS")
        source = {"namespace": "snowflake://o-a", "name": "DB.R.ORDERS", "field": "AMOUNT"}
        self.assertEqual(output["facets"]["columnLineage"]["fields"], {"CENTS": {"inputFields": [source]}})
        self.assertEqual(event["eventTime"], "2026-11-27T12:00:00.000000Z")
        self.assertEqual(event["job"]["facets"]["sql"]["query"], "insert into m.orders select amount * 0 from r.orders")

    def test_every_format_of_a_file_gives_the_same(self):
        other = {**self.row, "QUERY_ID": "q2", "QUERY_TEXT": "insert into m.orders\nselect 1 from r.orders"}
        pair = [self.row, other]
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "rows.csv")
            with open(file, "w", newline="", encoding="utf-8") as opened:
                writer = csv.DictWriter(opened, self.row)
                writer.writeheader()
                writer.writerows(pair)
            parquet = os.path.join(folder, "rows.parquet")
            import duckdb

            duckdb.connect().execute("copy (from read_csv(?, all_varchar = true)) to '%s'" % parquet, [file])
            found = [list(from_files("snowflake", [path])) for path in (file, parquet)]
        for text in (json.dumps(pair), json.dumps(pair, indent=1), "".join(json.dumps(row) + "\n" for row in pair)):
            with file_of(text) as path:
                found.append(list(from_files("snowflake", [path])))
        for one in found:
            self.assertEqual(one, list(snowflake(lines(*pair))))



    def test_what_is_renamed_or_swapped_has_the_rows_of_its_old_name(self):
        def copies(properties, **more):
            ddl = {**self.table, "objectName": "DB.M.A", "operationType": "ALTER", "properties": properties, **more}
            row = {**self.row, "OBJECTS_MODIFIED": "[]", "OBJECT_MODIFIED_BY_DDL": json.dumps(ddl)}
            return [(one.inputs, one.output, one.sql) for one in snowflake(lines(row))]

        there = (("DB.M.A",), "DB.M.B", "create table DB.M.B as select * from DB.M.A")
        back = (("DB.M.B",), "DB.M.A", "create table DB.M.A as select * from DB.M.B")
        self.assertEqual(copies({"swapTargetName": {"value": "DB.M.B"}}), [there, back])
        self.assertEqual(copies({"objectName": {"value": "DB.M.B"}}), [there])
        self.assertEqual(copies({"columns": {"ADD": {"X": {}}}}), [])
        self.assertEqual(copies({"objectName": {"value": "DB.M.B"}}, objectDomain="Warehouse"), [])

    def test_a_database_that_is_swapped_takes_along_what_was_written_into_it(self):
        ddl = {"objectDomain": "Database", "objectName": "DB", "operationType": "ALTER", "properties": {"swapTargetName": {"value": "PROD"}}}
        swap = {**self.row, "OBJECTS_MODIFIED": "[]", "DIRECT_OBJECTS_ACCESSED": "[]", "OBJECT_MODIFIED_BY_DDL": json.dumps(ddl)}
        found = [(one.inputs, one.output) for one in snowflake(lines(swap, self.row))]
        self.assertEqual(found, [(("DB.R.ORDERS",), "DB.M.ORDERS"), (("DB.M.ORDERS",), "PROD.M.ORDERS")])

    def test_a_stream_is_read_by_its_name_and_its_columns_by_the_statement(self):
        source = {"objectDomain": "View", "objectName": "DB.R.$SYS_VIEW_7", "columnName": "AMOUNT"}
        written = {**self.written, "columns": [{"columnName": "CENTS", "directSources": [source]}]}
        read = [{"objectDomain": "Stream", "objectName": "DB.R.CHANGES"}]
        row = {**self.row, "DIRECT_OBJECTS_ACCESSED": json.dumps(read), "OBJECTS_MODIFIED": json.dumps([written])}
        (one,) = snowflake(lines(row))
        self.assertEqual((one.inputs, one.output, one.columns), (("DB.R.CHANGES",), "DB.M.ORDERS", ()))

    def test_views_and_streams_depend_on_what_they_read(self):
        def row(referencing, domain, referenced, other="TABLE"):
            ends = {"referencing": (referencing, domain), "referenced": (referenced, other)}
            names = {f"{end}_{part}": text for end, (name, _) in ends.items() for part, text in zip(("database", "schema", "object_name"), name.split("."))}
            domains = {f"{end}_object_domain": one for end, (_, one) in ends.items()}
            return {**names, **domains, "read_at": "2026-11-27 12:00:00", "view_definition": "create view v as select 'x' as a from t" if domain == "VIEW" else None}

        found = snowflake_views(
            [
                row("DB.M.V", "VIEW", "DB.R.T"),
                row("DB.M.V", "VIEW", "DB.R.S", "STREAM"),
                row("DB.R.S", "STREAM", "DB.R.T"),
                row("DB.M.V", "VIEW", "DB.M.P", "MASKING POLICY"),
            ]
        )
        view = ("DB.M.V", ("DB.R.S", "DB.R.T"), "create view v as select '?' as a from t")
        self.assertEqual([(one.output, one.inputs, one.sql) for one in found], [view, ("DB.R.S", ("DB.R.T",), "")])


class Databricks(unittest.TestCase):
    row = {
        "statement_id": "s1",
        "event_time": "2026-11-27T12:00:00.000Z",
        "created_by": "ann@x.test",
        "source_table_full_name": "main.r.orders",
        "target_table_full_name": "main.m.orders",
        "source_column_name": "amount",
        "target_column_name": "cents",
    }

    def test_rows_of_one_statement_are_one_event(self):
        more = {**self.row, "source_table_full_name": "main.r.rates", "source_column_name": "rate"}
        (one,) = databricks(lines(self.row, more))
        self.assertEqual(one.inputs, ("main.r.orders", "main.r.rates"))
        self.assertEqual([column[:3] for column in one.columns], [("cents", "main.r.orders", "amount"), ("cents", "main.r.rates", "rate")])


class Bigquery(unittest.TestCase):
    def table(self, name):
        return {"project_id": "p", "dataset_id": "d", "table_id": name}

    def test_tables_are_named_and_results_of_queries_left_out(self):
        row = {
            "job_id": "j",
            "creation_time": "2026-11-27 12:00:00 UTC",
            "query": "create table d.b as select a from d.a where c = 'x'",
            "destination_table": self.table("b$20261127"),
            "referenced_tables": [self.table("a")],
        }
        anonymous = {**row, "destination_table": self.table("anon0123")}
        (one, _) = bigquery(lines(row, anonymous))
        self.assertEqual((one.inputs, one.output, one.at), (("p.d.a",), "p.d.b", "2026-11-27T12:00:00.000000Z"))
        self.assertNotIn("'x'", one.sql)


class GoogleDataLineage(unittest.TestCase):
    """Shapes of https://cloud.google.com/dataplex/docs/reference/data-lineage/rest/v1/projects.locations/searchLinks."""

    place = "projects/p/locations/eu"

    def link(self, name, source, target, *fields, **more):
        ends = [{"fullyQualifiedName": one, **({"field": [field]} if field else {})} for one, field in zip((source, target), fields or (None, None))]
        times = {"startTime": "2026-11-26T12:00:00Z", "endTime": "2026-11-27T12:00:00.5Z"}
        return {"name": f"{self.place}/links/{name}", "source": ends[0], "target": ends[1], **times, **more}

    def test_links_of_one_process_are_one_event(self):
        copy = {"dependencyInfo": {"dependencyType": "EXACT_COPY"}}
        links = {
            "links": [
                self.link("1", "bigquery:p.d.a", "bigquery:p.d.b"),
                self.link("2", "bigquery:p.d.a", "bigquery:p.d.b", "x", "y", **copy),
                self.link("3", "bigquery:p.d.a", "bigquery:p.d.b", "w", "z", dependencyInfo={"dependencyType": "OTHER"}),
                self.link("4", "gcs:bucket.file", "bigquery:p.d.b"),
            ]
        }
        names = [{"link": f"{self.place}/links/{n}"} for n in (1, 2, 3)]
        processes = {"processLinks": [{"process": f"{self.place}/processes/etl", "links": names}]}
        with file_of(json.dumps(links, indent=2)) as first, file_of(json.dumps(processes, indent=2)) as second:
            (event,) = events_of(from_files("google-data-lineage", [first, second]), "jobs", "bigquery", users=False)
        self.assertEqual([one["name"] for one in event["inputs"]], ["p.d.a"])
        fields = event["outputs"][0]["facets"]["columnLineage"]["fields"]
        source = {"namespace": "bigquery", "name": "p.d.a"}
        self.assertEqual(fields["y"]["inputFields"], [{**source, "field": "x", "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}]}])
        self.assertEqual(fields["z"]["inputFields"], [{**source, "field": "w"}])
        self.assertEqual((event["job"]["name"].split(".")[0], event["eventTime"]), ("etl", "2026-11-27T12:00:00.500000Z"))
        self.assertEqual(event["job"]["facets"], {})


class Readers(unittest.TestCase):
    def exported(self, source, rows, *options):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "events")
            with file_of("".join(json.dumps(row) + "\n" for row in rows)) as path:
                self.assertEqual(main([source, path, "--datasets", "db", "--output", output, *options]), 0)
            with open(output, encoding="utf-8") as file:
                return [json.loads(line) for line in file]

    def test_reads_of_a_named_user_are_one_job_and_those_of_others_left_out(self):
        def read(user, time, table):
            read = json.dumps([{**Snowflake.table, "objectName": table}])
            return {**Snowflake.row, "USER_NAME": user, "QUERY_START_TIME": f"2026-11-27 {time} +0000", "DIRECT_OBJECTS_ACCESSED": read, "OBJECTS_MODIFIED": "[]"}

        rows = [read("BI", "12:00:00", "DB.M.A"), read("BI", "12:30:00", "DB.M.B"), read("BI", "13:00:00", "DB.M.A"), read("ANN", "12:00:00", "DB.M.C")]
        self.assertEqual(self.exported("snowflake", rows), [])
        first, second = self.exported("snowflake", rows, "--reader", "BI")
        self.assertEqual([one["name"] for one in first["inputs"]], ["DB.M.A", "DB.M.B"])
        self.assertEqual((first["outputs"], first["job"]), ([], {"namespace": "snowflake-history", "name": "snowflake.reads.BI", "facets": {}}))
        self.assertEqual((first["eventTime"][11:16], [one["name"] for one in second["inputs"]]), ("12:30", ["DB.M.A"]))

    def test_rows_that_go_to_files_are_read_whoever_does_it(self):
        stage = json.dumps([{"objectDomain": "Stage", "objectName": "DB.M.S"}])
        unload = {**Snowflake.row, "QUERY_TEXT": "copy into @m.s from r.orders", "OBJECTS_MODIFIED": stage}
        job = {"job_id": "j", "creation_time": "2026-11-27 12:00:00 UTC", "query": "EXPORT DATA options (uri = 'gs://b/*') as select 1 from d.a"}
        export = {**job, "destination_table": None, "referenced_tables": [{"project_id": "p", "dataset_id": "d", "table_id": "a"}]}
        for source, row, name in (("snowflake", unload, "DB.R.ORDERS"), ("bigquery", export, "p.d.a")):
            (event,) = self.exported(source, [row])
            self.assertEqual(([one["name"] for one in event["inputs"]], event["outputs"]), ([name], []))

    def test_they_are_read_of_databricks_and_bigquery_too(self):
        lineage = {**Databricks.row, "target_table_full_name": None}
        job = {"job_id": "j", "creation_time": "2026-11-27 12:00:00 UTC", "user_email": "bi@x.test", "query": "select 1"}
        table = {"project_id": "p", "dataset_id": "d", "table_id": "a"}
        query = {**job, "destination_table": {**table, "table_id": "anon0"}, "referenced_tables": [table]}
        for source, row, user, name in (("databricks", lineage, "ann@x.test", "main.r.orders"), ("bigquery", query, "bi@x.test", "p.d.a")):
            self.assertEqual(self.exported(source, [row]), [])
            (event,) = self.exported(source, [row], "--reader", user)
            self.assertEqual(([one["name"] for one in event["inputs"]], event["outputs"]), ([name], []))


class Times(unittest.TestCase):
    def test_times_compare_as_texts(self):
        same = ["2026-11-27T12:00:00Z", "2026-11-27 12:00:00 UTC", "2026-11-27 14:00:00.000 +0200", "2026-11-27 06:30:00-05:30", "2026-11-27 12:00:00+00", "2026-11-27 12:00"]
        self.assertEqual({in_utc(time) for time in same}, {"2026-11-27T12:00:00.000000Z"})

    def test_what_a_history_may_show_late_is_read_again(self):
        def history(*times):
            rows = [{**Databricks.row, "statement_id": time, "event_time": time} for time in times]
            return "".join(json.dumps(row) + "\n" for row in rows)

        with tempfile.TemporaryDirectory() as folder:
            state, output = os.path.join(folder, "state"), os.path.join(folder, "events")

            def exported(*times):
                with file_of(history(*times)) as path:
                    self.assertEqual(main(["databricks", path, "--datasets", "unitycatalog://h", "--state", state, "--output", output]), 0)
                with open(output, encoding="utf-8") as file:
                    return [json.loads(line)["eventTime"][11:13] for line in file]

            self.assertEqual(exported("2026-11-27T12:00:00Z"), ["12"])
            self.assertEqual(exported("2026-11-27T08:00:00Z", "2026-11-27T10:00:00Z", "2026-11-27T13:00:00Z"), ["10", "13"])


class Connections(unittest.TestCase):
    """The DB-API shape of the vendors' packages, which are not installed here."""

    class Connection:
        description = (("STATEMENT_ID",), ("EVENT_TIME",), ("SOURCE_TABLE_FULL_NAME",), ("TARGET_TABLE_FULL_NAME",))

        def __init__(self, **options):
            self.options, self.closed, self.query = options, False, ""
            self.batches = [[("s1", datetime(2026, 11, 27, 12, tzinfo=timezone.utc), "main.r.a", "main.m.b")], []]

        def cursor(self):
            return self

        def execute(self, query):
            self.query = query

        def fetchmany(self, _size):
            return self.batches.pop(0)

        def close(self):
            self.closed = True

    def test_rows_come_from_the_query_and_the_time(self):
        made = []
        package = types.ModuleType("databricks.sql")
        package.connect = lambda **options: made.append(self.Connection(**options)) or made[0]
        sys.modules["databricks.sql"] = package
        try:
            (one,) = from_connection("databricks", "dbc.example/sql/1.0/warehouses/x", "2026-11-27T09:00:00.000000Z")
        finally:
            del sys.modules["databricks.sql"]
        self.assertEqual((one.at, one.inputs, one.output), ("2026-11-27T12:00:00.000000Z", ("main.r.a",), "main.m.b"))
        self.assertEqual({**made[0].options, "access_token": None}, {"server_hostname": "dbc.example", "http_path": "/sql/1.0/warehouses/x", "access_token": None})
        self.assertIn("event_time > timestamp '2026-11-27T09:00:00.000000Z'", made[0].query)
        self.assertTrue(made[0].closed)

    def test_a_missing_package_is_named(self):
        with self.assertRaisesRegex(ValueError, r"pip install 'tributary-warehouse-export\[snowflake\]'"):
            list(from_connection("snowflake", "prod", ""))

    def test_the_readme_has_every_query(self):
        with open(README, encoding="utf-8") as file:
            text = " ".join(file.read().split())
        for source in SOURCES.values():
            query = source.query.format(since="2026-11-27T00:00:00Z", place="project.region-eu", readers="'LOOKER'")
            self.assertIn(" ".join(query.split()), text)


if __name__ == "__main__":
    unittest.main()
