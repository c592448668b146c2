import csv
import io
import json
import unittest

from tributary_warehouse_export.history import events_of
from tributary_warehouse_export.rows import bigquery, databricks, snowflake


def lines(*rows):
    return [json.dumps(row) + "\n" for row in rows]


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
        self.assertEqual(event["eventTime"], "2026-11-27T12:00:00.000+00:00")
        self.assertEqual(event["job"]["facets"]["sql"]["query"], "insert into m.orders select amount * 0 from r.orders")

    def test_csv_is_read_as_json_lines_are(self):
        file = io.StringIO()
        writer = csv.DictWriter(file, self.row)
        writer.writeheader()
        writer.writerow(self.row)
        self.assertEqual(list(snowflake(io.StringIO(file.getvalue()))), list(snowflake(lines(self.row))))

    def test_what_only_reads_is_left_out(self):
        self.assertEqual(list(snowflake(lines({**self.row, "OBJECTS_MODIFIED": "[]"}))), [])


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
        self.assertEqual([tuple(column) for column in one.columns], [("cents", "main.r.orders", "amount"), ("cents", "main.r.rates", "rate")])

    def test_reads_and_writes_without_the_other_end_are_left_out(self):
        self.assertEqual(list(databricks(lines({**self.row, "target_table_full_name": None}))), [])


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
        (one,) = bigquery(lines(row, anonymous))
        self.assertEqual((one.inputs, one.output, one.at), (("p.d.a",), "p.d.b", "2026-11-27T12:00:00Z"))
        self.assertNotIn("'x'", one.sql)


if __name__ == "__main__":
    unittest.main()
