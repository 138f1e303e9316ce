"""Conditions that a table answers itself, on its argument and on columns that are looked up: the rows are those of
the same query where SQLite tries the condition in each row, and of the single queries."""

import functools
import re
import tempfile
from collections import Counter

from executables import dump_of, exe_of
from harness import ONE, TESTDATA, UNPACKED, equal, queries, run, test, unpack

CORE, TRACE = "core/go1.24-queued.core", "chromium/v2_table.json"
OBJECTS = tuple(f"(SELECT address FROM objects WHERE type = '{name}' ORDER BY retained_bytes DESC LIMIT 1)"
                for name in ("[][]byte", "main.TreeNode"))
HELD = tuple(f"(SELECT address FROM objects WHERE type = 'main.TreeNode' ORDER BY retained_bytes DESC LIMIT 1 OFFSET {n})" for n in (1, 2))
BOTH = tuple(f"{a} || ' ' || {b}" for a, b in (OBJECTS, OBJECTS[::-1]))
OWNERS = tuple(f"(SELECT name FROM owners WHERE kind = 'global' LIMIT 1 OFFSET {n})" for n in (0, 2))
THREADS = ("33", "28")
PROFILES = tuple(f"(SELECT id FROM profiles WHERE samples AND frames ORDER BY {way} LIMIT 1)" for way in ("frames, id", "frames DESC, id"))
MAPPINGS = tuple(f"(SELECT use FROM mappings GROUP BY use ORDER BY count(*) DESC LIMIT 1 OFFSET {n})" for n in (0, 1))
# Of each table that takes an argument: two, as SQL, and what has rows of both.
ARGUMENTS = {
    "owners_root": ("'global'", "'parked'", ONE), "retained_tree": (*OBJECTS, ONE), "retained_list": (*OWNERS, ONE), "retained": (*OBJECTS, ONE),
    "objects": ("'size=64'", "'size=32'", ONE), "retained_set": ("'type=main.Session'", "'main.gTree'", ONE),
    "owners_set": (*OWNERS, ONE), "spans": ("'in use'", "'stack'", CORE), "mappings": (*MAPPINGS, CORE),
    "types_shape": ("'reachable'", "'unreachable'", ONE), "find": ("'main'", "'0x6d61696e2e'", ONE), "fields": (*OBJECTS, ONE),
    "values": ("'type=main.Session'", "'type=string'", ONE), "references": ("'all'", "'main.gTree'", ONE), "referrers": (*HELD, ONE),
    "referrers_root": (*HELD, ONE), "path": (*OBJECTS, ONE), "path_tree": ("'type=main.Session'", OBJECTS[0], ONE),
    "what_if": (*OBJECTS, ONE), "path_between": ("'main.gTree ' || (SELECT address FROM \"references\"('main.gTree') LIMIT 1)", BOTH[0], ONE),
    "goroutines": ("'group=1'", "'group=2'", ONE), "frames": (*THREADS, ONE), "slots": (*THREADS, ONE), "stack": (*THREADS, ONE),
    "roots": ("'bss'", "'frame'", ONE), "finalizers": ("'registered'", "'queued'", ONE), "cycles": ("'chains'", "''", "go1.24-holders"),
    "types": ("'main'", "'os'", ONE), "collections": ("'map'", "'slice'", ONE), "layout": ("'main.Session'", "'main.TreeNode'", ONE),
    "grouped": ("'size of objects'", "'type of objects'", ONE), "profiles_stack": (*PROFILES, ONE), "profiles_object": (*PROFILES, ONE),
    "breakdown_reports": ("'all'", "'0x1'", "chromium/allocators.json"), "breakdown": ("'dump=0x1'", "'dump=0x2'", TRACE),
    "records": ("'frame'", "'profile'", ONE), "timers": ("'started'", "''", ONE), "findings": ("'libraries'", "''", ONE),
}
EMPTY = {"path_between", "cycles", "findings"}  # of which an argument may have no rows
INPUTS = [ONE, "go1.24-holders", "go1.27-corner", CORE, TRACE, "chromium/allocators.json", "netcf/two_domains.gclog",
          "v8/registry.heapsnapshot"]


def files(name):
    if name.endswith(".core"):
        return [unpack(TESTDATA / f"{file}.xz", UNPACKED / file) for file in (name, name.removesuffix(".core") + ".exe")]
    return [TESTDATA / name] if "/" in name else [dump_of(name), exe_of(name)]


@functools.cache
def declared():
    """{table: (what it says of its argument, its columns)}"""
    with tempfile.TemporaryFile() as file:
        file.write(b".schema\n")
        file.seek(0)
        text = run("sql", *files(ONE), stdin=file).out
    found = re.findall(r'^CREATE TABLE "(\w+)" \(\n  argument HIDDEN,? -- (.*)\n((?:  "\w+" .*\n)*)', text, re.M)
    return {table: (argument, re.findall(r'^  "(\w+)" ', columns, re.M)) for table, argument, columns in found}


def bag(rows):
    return Counter(tuple(row.items()) for row in rows)


@test(builds=["gcc"])
def each_table_with_an_argument_is_tried():
    taking = {table for table, (argument, _) in declared().items() if argument != "none"}
    equal(taking, set(ARGUMENTS), "tables that take an argument")


@test(each=ARGUMENTS, builds=["gcc"])
def conditions_on_the_argument_are_the_union(table):
    a, b, name = ARGUMENTS[table]
    every = f'SELECT t.* FROM "{table}" t WHERE '
    one, other = f"argument = {a}", f"argument = {b}"
    given = f"WITH given(a) AS (VALUES ({a}), ({b}), (NULL), ({a})) SELECT t.* FROM given"
    listed = f"argument IN ({a}, {b}, NULL, {a})"
    optional = declared()[table][0].startswith("[")
    first, second, *told = queries([
        every + one, every + other,
        every + f"{one} OR {other}", every + f"{other} OR {one}", every + listed, f'{given}, "{table}" t WHERE argument = a',
        f'{given} LEFT JOIN "{table}" t ON argument = a WHERE a IS NOT NULL',
        every + f"{one} OR argument = NULL", every + f"{one} AND {listed}", every + f"{one} AND {other}",
        every + f"({one} AND rowid < 2) OR ({other} AND rowid = 0)", every + f"{one} OR ({other} AND rowid > 0)",
        every + f"({one} OR {other}) AND NOT {one}", every + f"{one} AND (rowid = 1 OR rowid = 0)",
        *([every + f"argument IS NULL OR {one}", every + "argument IS NULL", f'SELECT * FROM "{table}"'] if optional else []),
    ], *files(name))
    if table not in EMPTY:
        assert first and second and bag(first) != bag(second), (first[:3], second[:3])
    either = bag(first) + bag(second)
    for got, want, what in zip(told, [either, either, either, either + bag(first), either + bag(first), bag(first), bag(first), {},
                                      bag(first[:2]) + bag(second[:1]), bag(first) + bag(second[1:]), bag(second), bag(first[:2])],
                               ["OR", "OR the other way round", "IN", "join", "outer join", "OR NULL", "AND IN", "AND the other",
                                "OR with numbers of rows", "OR with one", "AND NOT", "AND two rows"]):
        if "join" in what and "outer" in what:
            got = [row for row in got if any(value is not None for value in row.values())]
        equal(bag(got), Counter(want), what)
    if optional:
        with_none, none, plain = told[-3:]
        equal(bag(none), bag(plain), "IS NULL")
        equal(bag(with_none), bag(plain) + bag(first), "IS NULL OR")


@test(each=["argument = 'size=64' OR size = 32", "NOT argument = 'size=64'", "argument <> 'size=64'", "argument LIKE 'size=64'",
            "argument > 's'", "argument IS NOT NULL", "argument IN ('size=64') OR reachable"])
def what_no_argument_answers_is_an_error(condition):
    """A scan has no row with an argument: it would say that there is none."""
    result = run("sql", dump_of(ONE), f"SELECT count(*) FROM objects WHERE {condition}", expect=2, alone=False)
    assert "needs its argument" in result.err, result


NOTHING = ["argument IN ('type=main.Session', 'type=nosuch')", "argument = 'type=nosuch'", "argument IN ('type=nosuch')",
           "argument = 'type=main.Session' OR argument = 'type=nosuch'", "argument = 'type=' || 'nosuch'",
           "argument IN ('type=main.Session', 'type=' || 'nosuch')", "argument = 'type=nosuch' AND size > 0",
           "argument IN (SELECT 'type=nosuch' FROM types)", "(argument = 'type=nosuch' AND size > 0) OR argument = 'size=64'"]


@test(each=NOTHING)
def what_a_query_names_and_is_not_there_is_an_error(condition):
    """However it is asked, and beside names that are there."""
    result = run("sql", *files(ONE), f"SELECT count(*) FROM objects WHERE {condition}", expect=2, alone=False)
    assert "nosuch" in result.err and not result.out, result


@test
def what_rows_name_and_is_not_there_has_no_rows():
    """Each row of another table gives its argument: not all of them have rows."""
    objects, = queries(["SELECT count(*) AS n FROM types WHERE type <> 'main.Session'"], *files(ONE))
    assert objects[0]["n"] > 10, objects
    told = queries([
        "SELECT count(*) AS n FROM types t, objects o WHERE o.argument = 'type=' || t.type || CASE t.type WHEN 'main.Session' THEN '' ELSE '?' END",
        "SELECT count(*) AS n FROM objects WHERE argument IN (SELECT CASE type WHEN 'main.Session' THEN 'type=' || type ELSE 'type=?' || type END"
        " FROM types)", "SELECT count(*) AS n FROM objects WHERE type = 'main.Session'",
    ], *files(ONE))
    equal(told[:2], [told[2]] * 2, "only one type is there")
    result = run("sql", *files(ONE), "SELECT count(*) FROM goroutines g JOIN frames f ON f.argument IN (987654, g.id)", expect=2)
    assert "987654" in result.err, result


@test(each=INPUTS, builds=["gcc"])
def what_is_looked_up_is_what_is_scanned(name):
    """Every column of every table that needs no argument, by its most frequent and its rarest texts."""
    tables = {table: columns for table, (argument, columns) in declared().items() if argument == "none" or argument.startswith("[")}
    there = {table: columns for table, columns in tables.items()
             if run("sql", *files(name), f'SELECT * FROM "{table}" LIMIT 1', alone=False).status in (0, 1)}
    plans = [(table, column) for table, columns in there.items() for column in [*columns, "rowid"]]
    asked = queries([f"""EXPLAIN QUERY PLAN SELECT * FROM "{table}" WHERE "{column}" = '1'""" for table, column in plans], *files(name))
    looked_up = [place for place, plan in zip(plans, asked) if plan[0]["detail"].rpartition(":")[2] in ("column", "address", "rowid")]
    values = queries([f"""SELECT "{column}" AS v, count(*) AS n FROM "{table}" GROUP BY +"{column}" ORDER BY 2 DESC, 1"""
                      for table, column in looked_up], *files(name))
    statements = []
    for (table, column), rows in zip(looked_up, values):
        quote = "" if column == "rowid" else "'"
        texts = [quote + str(row["v"]).replace("'", "''") + quote for row in rows if row["v"] is not None and "\\x" not in str(row["v"])]
        texts = [*texts[:3], *texts[-2:], "'nothing'"]
        conditions = [f"@ = {text}" for text in texts] + [f"@ = {texts[0]} OR @ = {texts[-2 if len(texts) > 1 else 0]}",
                                                           f"@ IN ({', '.join(texts)})", "@ = NULL", f"NOT @ = {texts[0]}",
                                                           f"@ = {texts[0]} AND @ = {texts[-1]}", f"@ = {texts[0]} OR rowid = 0"]
        for condition in conditions:
            for mine in ('"%s"' % column, '+"%s"' % column):
                where = condition.replace("@", mine).replace(" rowid", " +rowid" if mine[0] == "+" else " rowid")
                statements.append(f'SELECT count(*) AS n, min(rowid) AS a, sum(rowid) AS b FROM "{table}" WHERE {where}')
                statements.append(f'SELECT count(*) AS n, count("{column}") AS c FROM "{table}" WHERE {where}')
    told = queries(statements, *files(name))
    for at in range(0, len(statements), 4):
        equal(told[at:at + 2], told[at + 2:at + 4], statements[at])
    # the tables of a trace are trees, of which only the numbers of rows are looked up
    assert looked_up and (name.startswith("chromium/") or {column for _, column in looked_up} - {"rowid"}), looked_up
