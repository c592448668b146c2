import unittest

from tributary_warehouse_export.history import events_of, with_readers
from tributary_warehouse_export.postgres import executions, statistics
from tributary_warehouse_export.statement import shape_of, tokens_of, without_literals


def row(line, message, severity="LOG", session="s"):
    fields = [""] * 26
    fields[0], fields[1], fields[2], fields[5], fields[6] = f"2026-11-27 12:00:00.{line:03} UTC", "ann", "shop", session, str(line)
    fields[11], fields[13] = severity, message
    return fields


def log(*statements):
    """One session: texts are statements; ("ERROR", …) is the server's answer to the one before."""
    rows = []
    for line, one in enumerate(statements):
        rows.append(row(line, f"statement: {one}") if isinstance(one, str) else row(line, one[1], one[0]))
    return [one.sql for one in executions(rows) if not one.read]


class Readers(unittest.TestCase):
    reads = ["-- Metabase:: userID: 7\n/* x */ select case when a > 7 then 1 end from m.t", "with u as (select 'x' from m.t) select * from u"]
    others = ["select relname from pg_class", "select 1 into m.new from m.t", "set x = 1", "update m.t set a = 8 from m.u", "select $1$", "/* a */" * 5_000 + "x"]

    def texts(self, readers):
        log = executions(row(line, f"statement: {one}") for line, one in enumerate([*self.reads, *self.others]))
        counted = statistics({"read_at": "2026-11-27 12:00", "database": "shop", "user_name": "ann", "queryid": n, "calls": 1, "query": one} for n, one in enumerate([*self.reads, *self.others]))
        return [[(one.read, one.job.split(".")[:2]) for one in with_readers(found, readers) if one.read] for found in (log, counted)]

    def test_queries_of_a_named_user_are_exported_without_literals(self):
        expected = [(one, ["reads", "ann"]) for one in ("select case when a > 0 then 0 end from m.t", "with u as (select '?' from m.t) select * from u")]
        self.assertEqual(self.texts(["ann"]), [expected, expected])
        self.assertEqual(self.texts(["bob"]), [[], []])

    def test_the_service_learns_that_they_only_read(self):
        (event,) = events_of(with_readers(executions([row(1, "statement: select a from m.t")]), ["ann"]), "jobs", "db", users=False)
        session = event["job"]["facets"]["tributary_session"]
        self.assertEqual((session["database"], session["reads"]), ("shop", True))


class Literals(unittest.TestCase):
    def test_no_literal_and_no_comment_is_left(self):
        sql = "/* Ann */ select 'Ann''s', E'a', $x$it's$x$, 3.5e2, a1 -- 42\n from t where b = $1 and c = N'x'"
        self.assertEqual(without_literals(tokens_of(sql, "postgres")), "select '?', '?', '?', 0, a1 from t where b = $0 and c = '?'")

    def test_positions_of_columns_stay(self):
        sql = "select a, sum(b) from t where c in (1, 2) group by 1, 2 order by 2 limit 10"
        self.assertEqual(
            without_literals(tokens_of(sql, "postgres")),
            "select a, sum(b) from t where c in (0, 0) group by 1, 2 order by 2 limit 0",
        )

    def test_statements_that_differ_only_in_literals_and_times_in_names_have_one_shape(self):
        shapes = {
            shape_of(without_literals(tokens_of(sql, "postgres")))
            for sql in ("insert into T select 1 from tmp13073344", "INSERT into t  select 22 from tmp13079999")
        }
        self.assertEqual(len(shapes), 1)


class Sessions(unittest.TestCase):
    def test_a_relation_has_the_name_that_it_is_renamed_to(self):
        self.assertEqual(
            log(
                "begin",
                'create table "shop"."m"."a__tmp" as (select x from "shop"."r"."b")',
                'alter table "shop"."m"."a" rename to "a__backup"',
                'alter table "shop"."m"."a__tmp" rename to "a"',
                "commit",
            ),
            ['create table "shop"."m"."a" as (select x from "shop"."r"."b")'],
        )

    def test_temporary_relations_are_a_part_of_what_reads_them(self):
        self.assertEqual(
            log("create temp table t as select x from r.b", "create temp table u as select x from t", "insert into m.a select x from u"),
            ["create temp table t as select x from r.b; create temp table u as select x from t; insert into m.a select x from u"],
        )
        self.assertEqual(
            log("create temp table t (x int)", "insert into t select x from r.b", "select x into temp u from t", "insert into m.a select x from u"),
            [
                "create temp table t (x int); insert into t select x from r.b; select x into temp u from t; insert into m.a select x from u",
            ],
        )

    def test_what_failed_or_was_rolled_back_is_left_out(self):
        self.assertEqual(log("insert into a select x from b", ("ERROR", "no"), "insert into c select x from d"), ["insert into c select x from d"])
        self.assertEqual(log("begin", "insert into a select x from b", "rollback"), [])
        self.assertEqual(log("begin", "insert into a select x from b", ("ERROR", "no"), "commit"), [])

    def test_statements_that_move_nothing_between_relations_are_left_out(self):
        self.assertEqual(log("select x from a", "insert into a values (1)", "create table a (x int)", "delete from a where x = 1"), [])

    def test_times_in_another_zone_are_refused(self):
        with self.assertRaisesRegex(ValueError, "log_timezone"):
            list(executions([[one.replace("UTC", "CET") for one in row(1, "statement: insert into a select x from b")]]))


class Statistics(unittest.TestCase):
    def counted(self, *queries):
        rows = [{"read_at": "2026-11-27 12:00:00+00", "database": "shop", "user_name": "ann", "queryid": n, "calls": 3, "query": q} for n, q in enumerate(queries)]
        return [one.sql for one in statistics(rows) if not one.read]

    def test_names_are_followed_although_statements_have_no_order(self):
        self.assertEqual(
            self.counted(
                "insert into m.c select x from u where y > $1",
                "insert into u select x from r.b",
                "create temp table u (x int)",
                'alter table "m"."a" rename to "a__backup"',
                'alter table "m"."a__tmp" rename to "a"',
                'create table "m"."a__tmp" as (select x from r.b)',
                "select x from m.a",
            ),
            [
                "create temp table u (x int); insert into u select x from r.b; insert into m.c select x from u where y > $0",
                'create table "m"."a" as (select x from r.b)',
            ],
        )

    def test_what_is_not_clear_without_an_order_is_left_out(self):
        self.assertEqual(self.counted("create temp table u as select x from a", "create temp table u as select y from b", "insert into c select * from u"), [])
        self.assertEqual(self.counted("create table t as select x from a", "alter table t rename to c", "alter table t rename to d"), [])


class Events(unittest.TestCase):
    def test_a_shape_has_one_run_an_hour_and_no_user_unless_it_is_wanted(self):
        rows = [row(n, f"statement: insert into a select {n} from b") for n in range(3)]
        events = events_of(executions(rows), "jobs", "postgres://h:5432", users=False)
        self.assertEqual([event["eventTime"] for event in events], ["2026-11-27T12:00:00.002000Z"])
        self.assertNotIn("ann", str(events))
        again = events_of(executions(rows), "jobs", "postgres://h:5432", users=True)
        self.assertEqual(again[0]["run"], events[0]["run"])
        self.assertEqual(again[0]["job"]["facets"]["ownership"]["owners"][0]["name"], "user:ann")


if __name__ == "__main__":
    unittest.main()
