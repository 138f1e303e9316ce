"""Queries of SQL, against the tables that they ask and against the reader in tests/oracle."""

import functools
import json
from collections import Counter

from executables import dump_of, exe_of
from harness import ONE, SMALL, answer, equal, oracle, run, test, unpacked


def sql(name, query, *options):
    return answer("sql", unpacked(name), query, *options)


@test(each=SMALL)
def sums_are_those_of_the_reader(name):
    graph = oracle(name)
    sizes = [obj.size for obj in graph.dump.objects]
    row = sql(name, "SELECT count(*) AS n, sum(size) AS bytes, max(size) AS most FROM objects")[0]
    equal((row["n"], row["bytes"], row["most"]), (len(sizes), sum(sizes), max(sizes)), "objects")
    row = sql(name, "SELECT sum(size) AS bytes FROM objects WHERE reachable")[0]
    equal(row["bytes"], graph.reachable_bytes(), "reachable bytes")
    rows = sql(name, "SELECT size, count(*) AS n FROM objects GROUP BY size")
    equal({row["size"]: row["n"] for row in rows}, Counter(sizes), "objects by size")


@test(each=SMALL, builds=["gcc"])
def joins_follow_references(name):
    graph = oracle(name)
    pointing = Counter(target for row in graph.references for _, target in row)
    most = sorted(pointing, key=lambda target: (-pointing[target], target))[:5]
    for index in most:
        address = f"{graph.dump.address(index):#x}"
        rows = sql(name, "SELECT r.address AS holder FROM objects o, referrers(o.address) r "
                         f"WHERE o.address = '{address}'")
        right = {f"{graph.dump.address(holder):#x}" for holder, _ in graph.referrers[index]}
        equal({row["holder"] for row in rows}, right, f"what points at {address}")
    inside = f"{graph.dump.address(most[0]) + 1:#x}"
    equal(sql(name, f"SELECT * FROM objects WHERE address = '{inside}'"), [], "no object begins there")


@test(each=["types", "goroutines", "roots", "owners", "segments", "frames", "finalizers"])
def a_table_is_what_list_prints(table):
    argument = ["1"] if table == "frames" else []
    rows = answer("list", table, dump_of(ONE), *argument, "--exe", exe_of(ONE))
    of = f'"{table}"' + (f"('{argument[0]}')" if argument else "")
    got = answer("sql", dump_of(ONE), f"SELECT * FROM {of}", "--exe", exe_of(ONE))
    plain = [{key: int(value) if isinstance(value, bool) else value for key, value in row.items()
              if isinstance(value, (int, str))} for row in rows]
    got = [{key: value for key, value in row.items() if isinstance(value, (int, str)) and key != "share"}
           for row in got]  # shares are not rounded
    by_text = functools.partial(json.dumps, sort_keys=True)
    equal(sorted(got, key=by_text), sorted(plain, key=by_text), "rows")


@test(each=["where", "merged_paths"], builds=["gcc"])
def trees_are_unfolded(table):
    rows = answer("list", table.replace("_", "-"), dump_of(ONE), "--depth", "100000")
    got = answer("sql", dump_of(ONE), f'SELECT depth, name, bytes FROM "{table}"')
    equal([(row["depth"], row["name"], row["bytes"]) for row in got],
          [(row["depth"], row["name"], row["bytes"]) for row in rows], "rows")


@test
def a_type_is_looked_up():
    exe = ("--exe", exe_of(ONE))
    rows = answer("sql", dump_of(ONE), "SELECT * FROM objects WHERE type = 'main.Session'", *exe)
    equal(len(rows), 250, "sessions")


def examples():
    """The queries of the manual: what stands behind each question."""
    text = run("manual").out
    text = text[text.index(".Sh SQL"):]
    for item in text[:text.index(".El")].split(".It ")[1:]:
        query = item[item.index("SELECT"):].replace("\n", " ")
        yield query.replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")


@test
def the_queries_of_the_manual_answer():
    found = list(examples())
    equal(len(found), 10, "queries")
    for query in found:
        rows = answer("sql", dump_of(ONE), query, "--exe", exe_of(ONE))
        assert rows, query


@test
def what_is_wrong_is_said_and_nothing_is_written():
    for query, said in (
        ("SELECT * FROM objekts", "no such table: objekts"),
        ("SELECT sise FROM objects", "no such column: sise"),
        ("SELECT * FROM objects WHERE", "incomplete input"),
        ("SELECT * FRUM objects", "at character 10: FRUM objects"),
        ("", "Say of what"), (";", "empty"),
        ("SELECT 1; SELECT 2", "more than one query"),
        ("ATTACH 'file' AS other", "not authorized"),
        ("PRAGMA user_version", "not authorized"),
        ("CREATE TABLE t (a)", "not authorized"),
        ("DELETE FROM objects", "may not be modified"),
        ("SELECT * FROM referrers", "no query solution"),
        ("SELECT * FROM referrers('main.nothing')", ""),
        ("SELECT load_extension('x')", "not authorized"),
        ("SELECT writefile('x', 'y')", "no such function"),
    ):
        result = run("sql", unpacked(ONE), query, expect=None)
        assert result.status in (0, 2) and said in result.err, (query, result)


@test
def numbers_of_all_kinds_are_printed():
    query = "SELECT -5 AS minus, 1.5 AS half, NULL AS none, 'a' || char(27) AS text, 1 = 1 AS yes"
    equal(sql(ONE, query), [{"minus": -5, "half": 1.5, "none": None, "text": "a\\x1b", "yes": 1}],
          "values")
