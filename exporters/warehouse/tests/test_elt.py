import csv
import json
import os
import tempfile
import unittest

from tributary_warehouse_export.command import main
from tributary_warehouse_export.elt import place_of


def exported(source, documents, *options):
    """The events of files by their names, and the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, rows in documents.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w", newline="", encoding="utf-8") as file:
                if name.endswith(".csv"):
                    writer = csv.DictWriter(file, rows[0])
                    writer.writeheader()
                    writer.writerows(rows)
                else:
                    json.dump(rows, file, indent=1)
        output = os.path.join(folder, "events.ndjson")
        code = main([source, *paths, "--datasets", "snowflake://o-a", "--output", output, *options])
        if code != 0:
            return code, []
        with open(output, encoding="utf-8") as file:
            return code, [json.loads(line) for line in file]


def hops(events):
    """Each landed table with what it comes from and its columns, as `to < namespace/relation.column`."""
    return {
        event["outputs"][0]["name"]: (
            sorted(f"{one['namespace']}/{one['name']}" for one in event["inputs"]),
            sorted(
                f"{to} {'=' if 'transformations' in one else '<'} {one['name']}.{one['field']}"
                for to, field in event["outputs"][0].get("facets", {}).get("columnLineage", {"fields": {}})["fields"].items()
                for one in field["inputFields"]
            ),
        )
        for event in events
    }


class Fivetran(unittest.TestCase):
    row = {
        "READ_AT": "2026-11-27 12:00:00.000 +0000",
        "CONNECTION_ID": "speak_pony",
        "CONNECTION_NAME": "shop",
        "DESTINATION_ID": "d1",
        "SOURCE_SCHEMA": "public",
        "SOURCE_TABLE": "orders",
        "SOURCE_COLUMN": "id",
        "DESTINATION_SCHEMA": "shop_public",
        "DESTINATION_TABLE": "orders",
        "DESTINATION_COLUMN": "id",
    }
    tables = {
        "connection.csv": [{"connection_id": "speak_pony", "connection_name": "shop", "destination_id": "d1", "_fivetran_deleted": "false"}],
        "source_schema.csv": [{"id": "1", "connection_id": "speak_pony", "name": "public"}],
        "source_table.csv": [{"id": "1", "connection_id": "speak_pony", "schema_id": "1", "name": "orders"}],
        "source_column.csv": [{"id": "1", "table_id": "1", "name": "id"}, {"id": "2", "table_id": "1", "name": "Total Amount"}],
        "destination_schema.csv": [{"id": "1", "destination_id": "d1", "name": "shop_public"}],
        "destination_table.csv": [{"id": "1", "schema_id": "1", "name": "orders"}],
        "destination_column.csv": [{"id": "1", "table_id": "1", "name": "id"}, {"id": "2", "table_id": "1", "name": "total_amount"}],
        "table_lineage.csv": [{"source_table_id": "1", "destination_table_id": "1"}, {"source_table_id": "9", "destination_table_id": "1"}],
        "column_lineage.csv": [{"source_column_id": str(one), "destination_column_id": str(one)} for one in (1, 2)],
    }
    origin = ("--origin", "shop=postgres://db.example:5432/shop", "--database", "RAW")
    landed = {
        "RAW.shop_public.orders": (
            ["postgres://db.example:5432/shop.public.orders"],
            ["id < shop.public.orders.id", "total_amount < shop.public.orders.Total Amount"],
        )
    }

    def test_rows_of_the_query_are_one_job_for_each_landed_table(self):
        other = {**self.row, "SOURCE_COLUMN": "Total Amount", "DESTINATION_COLUMN": "total_amount"}
        code, events = exported("fivetran", {"rows.csv": [self.row, other]}, *self.origin)
        self.assertEqual((code, hops(events)), (0, self.landed))
        self.assertEqual(events[0]["job"], {"namespace": "fivetran", "name": "shop.RAW.shop_public.orders", "facets": {}})
        self.assertEqual(events[0]["eventTime"], "2026-11-27T12:00:00.000000Z")

    def test_the_tables_themselves_give_the_same_by_their_names_of_either_time(self):
        self.assertEqual(hops(exported("fivetran", self.tables, *self.origin)[1]), self.landed)
        older = {
            name.replace("connection", "CONNECTOR").replace("_schema.", "_schema_metadata.").replace("_table.", "_table_metadata.").replace("_column.", "_column_metadata."): [
                {key.replace("connection", "connector"): value for key, value in row.items()} for row in rows
            ]
            for name, rows in self.tables.items()
        }
        self.assertIn("source_table_metadata.csv", older)
        self.assertEqual(hops(exported("fivetran", older, *self.origin)[1]), self.landed)

    def test_a_source_that_nobody_placed_has_a_namespace_of_its_own(self):
        _, events = exported("fivetran", {"rows.csv": [{**self.row, "SOURCE_COLUMN": "", "DESTINATION_COLUMN": ""}]})
        self.assertEqual(hops(events), {"shop_public.orders": (["elt://shop/public.orders"], [])})

    def test_of_several_destinations_one_has_to_be_chosen(self):
        rows = {"rows.csv": [self.row, {**self.row, "CONNECTION_ID": "x", "CONNECTION_NAME": "crm", "DESTINATION_ID": "d2"}]}
        self.assertEqual(exported("fivetran", rows)[0], 2)
        code, events = exported("fivetran", rows, "--destination", "d2")
        self.assertEqual((code, [one["inputs"][0]["namespace"] for one in events]), (0, ["elt://crm"]))
        self.assertEqual(exported("fivetran", rows, "--destination", "d3")[0], 2)

    def test_what_was_deleted_is_left_out_and_a_file_that_is_something_else_refused(self):
        deleted = {**self.row, "_FIVETRAN_DELETED": "true"}
        self.assertEqual(exported("fivetran", {"rows.csv": [deleted]}), (0, []))
        self.assertEqual(exported("fivetran", {"other.csv": [{"a": "1"}]})[0], 2)
        without = {name: rows for name, rows in self.tables.items() if "lineage" not in name}
        self.assertEqual(exported("fivetran", without)[0], 2)

    def test_an_origin_without_a_place_is_refused(self):
        self.assertEqual(exported("fivetran", {"rows.csv": [self.row]}, "--origin", "shop")[0], 2)
        self.assertEqual(place_of("bigquery/project")[:2], ("bigquery", "project"))


class Airbyte(unittest.TestCase):
    properties = {"id": {"type": "integer"}, "email": {"type": "string"}, "secret": {"type": "string"}}
    source = {
        "sourceId": "s1",
        "name": "Shop",
        "sourceName": "Postgres",
        "connectionConfiguration": {"host": "db.example", "port": 5432, "database": "shop", "password": "hush"},
    }
    destination = {
        "destinationId": "d1",
        "name": "Warehouse",
        "destinationName": "Snowflake",
        "connectionConfiguration": {"host": "o-a.snowflakecomputing.com", "database": "RAW", "schema": "LANDED"},
    }

    def connection(self, streams, **more):
        return {"connectionId": "c1", "name": "Shop to warehouse", "sourceId": "s1", "destinationId": "d1", "status": "active", "syncCatalog": {"streams": streams}, **more}

    def stream(self, name="users", namespace="public", **config):
        return {"stream": {"name": name, "namespace": namespace, "jsonSchema": {"properties": self.properties}}, "config": {"selected": True, **config}}

    def events(self, *connections):
        documents = {"c.json": {"connections": list(connections)}, "s.json": {"sources": [self.source]}, "d.json": {"destinations": [self.destination]}}
        code, events = exported("airbyte", documents)
        self.assertEqual(code, 0)
        return events

    def test_a_catalogue_gives_tables_and_columns_of_both_ends(self):
        events = self.events(self.connection([self.stream(), self.stream("logs", selected=False)], prefix="shop_"))
        users = "shop.public.users"
        self.assertEqual(
            hops(events),
            {"RAW.LANDED.shop_users": ([f"postgres://db.example:5432/{users}"], [f"{one} = {users}.{one}" for one in ("email", "id", "secret")])},
        )
        self.assertNotIn("hush", json.dumps(events))

    def test_the_namespace_is_that_of_the_destination_the_source_or_a_format(self):
        chosen = {
            "RAW.LANDED.users": {"namespaceDefinition": "destination"},
            "RAW.public.users": {"namespaceDefinition": "source"},
            "RAW.from_public.users": {"namespaceDefinition": "customformat", "namespaceFormat": "from_${SOURCE_NAMESPACE}"},
            "RAW.all.people": {"namespaceDefinition": "custom_format", "namespaceFormat": "all"},
        }
        for name, more in chosen.items():
            stream = self.stream(**({"aliasName": "people"} if name.endswith("people") else {}))
            self.assertEqual(list(hops(self.events(self.connection([stream], **more)))), [name])

    def test_fields_are_those_that_are_selected_as_mappings_name_them(self):
        mappers = [
            {"type": "field-renaming", "mapperConfiguration": {"originalFieldName": "id", "newFieldName": "user_id"}},
            {"type": "hashing", "mapperConfiguration": {"targetField": "email", "method": "SHA-256", "fieldNameSuffix": "_hashed"}},
            {"type": "field-filtering", "mapperConfiguration": {"targetField": "secret"}},
            {"type": "row-filtering", "mapperConfiguration": {"conditions": {"type": "EQUAL", "fieldName": "id"}}},
        ]
        (columns,) = [one for _, one in hops(self.events(self.connection([self.stream(mappers=mappers)]))).values()]
        self.assertEqual(columns, ["email_hashed < shop.public.users.email", "user_id = shop.public.users.id"])
        chosen = self.stream(fieldSelectionEnabled=True, selectedFields=[{"fieldPath": ["id"]}])
        (columns,) = [one for _, one in hops(self.events(self.connection([chosen]))).values()]
        self.assertEqual(columns, ["id = shop.public.users.id"])

    def test_the_public_api_names_fields_where_they_are_selected(self):
        connection = {
            **{"connectionId": "c1", "name": "crm", "sourceId": "s2", "destinationId": "d2", "status": "active", "namespaceDefinition": "destination", "prefix": ""},
            "configurations": {"streams": [{"name": "Account", "selectedFields": [{"fieldPath": ["Id"]}]}, {"name": "Lead"}]},
        }
        documents = {
            "connections.json": {"data": [connection, {**connection, "connectionId": "c2", "status": "deprecated"}], "next": ""},
            "destinations.json": {"data": [{"destinationId": "d2", "name": "bq", "destinationType": "bigquery", "configuration": {"project_id": "p", "dataset_id": "crm"}}]},
        }
        _, events = exported("airbyte", documents)
        self.assertEqual(hops(events), {"p.crm.Account": (["elt://crm/Account"], ["Id = Account.Id"]), "p.crm.Lead": (["elt://crm/Lead"], [])})

    def test_a_document_without_a_connection_is_refused(self):
        self.assertEqual(exported("airbyte", {"s.json": {"sources": [self.source]}})[0], 2)


if __name__ == "__main__":
    unittest.main()
