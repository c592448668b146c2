import unittest
from unittest.mock import patch

from sqlmesh.core.dialect import parse
from sqlmesh.core.model import SqlModel, load_sql_based_model

from tributary_sqlmesh_export.document import _columns, _kind, _own_columns, _rendered_sql

DEFINITION = "MODEL (name core.late, kind FULL, columns (id int, made unknown)); SELECT id, made FROM raw.orders"


class UnrenderedModel(unittest.TestCase):
    """SQLMesh answers no query, or raises, where a model of a dbt project asks its adapter."""

    def setUp(self):
        self.model = load_sql_based_model(parse(DEFINITION, default_dialect="duckdb"), dialect="duckdb")
        self.warnings = []

    def test_a_model_without_a_query_keeps_its_dependencies_and_is_said(self):
        with patch.object(SqlModel, "render_query", return_value=None):
            self.assertIsNone(_rendered_sql(self.model, self.warnings.append))
        self.assertIn("core.late cannot be rendered", self.warnings[0])
        self.assertEqual(self.model.depends_on, {'"raw"."orders"'})

    def test_a_model_whose_macro_raises_is_said_with_the_error(self):
        with patch.object(SqlModel, "render_query", side_effect=KeyError("x")):
            self.assertIsNone(_rendered_sql(self.model, self.warnings.append))
        self.assertIn("KeyError", self.warnings[0])

    def test_a_type_that_is_not_known_is_no_type(self):
        self.assertEqual(_columns(self.model), {"id": "INT", "made": None})

    def test_a_column_that_the_model_does_not_list_is_not_stored(self):
        def sql(kind, query):
            text = f"MODEL (name core.listed, kind {kind}, columns (id int, made text)); {query}"
            model = load_sql_based_model(parse(text, default_dialect="duckdb"), dialect="duckdb")
            return " ".join(_rendered_sql(model, self.warnings.append).split())

        query = "SELECT id, made, 1 AS rank FROM raw.orders"
        self.assertRegex(sql("FULL", query), r'^SELECT "id", "made" FROM \( SELECT .* \) AS _subquery$')
        self.assertRegex(sql("FULL", "SELECT * FROM raw.orders"), r'^SELECT "id", "made" FROM \( SELECT \* ')
        self.assertIn("rank", sql("VIEW", query))
        self.assertNotIn("_subquery", sql("FULL", "SELECT made, id FROM raw.orders"))
        self.assertEqual(self.warnings, [])

    def test_a_kind_names_the_columns_that_it_adds(self):
        settings = "unique_key id, valid_from_name since, valid_to_name until"
        text = f"MODEL (name core.past, kind SCD_TYPE_2_BY_TIME ({settings})); SELECT id, updated_at FROM raw.orders"
        past = load_sql_based_model(parse(text, default_dialect="duckdb"), dialect="duckdb")
        names = {"valid_from_name": "since", "valid_to_name": "until"}
        self.assertEqual(_kind(past.kind), {"name": "SCD_TYPE_2_BY_TIME", **names})
        self.assertEqual(_kind(self.model.kind), "FULL")
        self.assertEqual((_own_columns(past), _own_columns(self.model)), (["id"], []))

    def test_settings_name_columns_that_the_next_run_needs(self):
        settings = "kind INCREMENTAL_BY_TIME_RANGE (time_column day), partitioned_by (region, date_trunc('month', made))"
        text = f"MODEL (name core.days, {settings}, clustered_by id); SELECT id, day, region, made FROM raw.orders"
        days = load_sql_based_model(parse(text, default_dialect="duckdb"), dialect="duckdb")
        self.assertEqual(_own_columns(days), ["day", "id", "made", "region"])


if __name__ == "__main__":
    unittest.main()
