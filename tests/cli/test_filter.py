"""list --where: the rows that are left are those for which the same condition holds in Python."""

import json
import re

import harness
from executables import dump_of, exe_of
from harness import ONE, answer, equal, run, test

KNOWN = ("exact", "inferred", "guess")

# For each filter of objects, what it means.
OBJECTS = {
    'type ~ "Session" and size > 4k': lambda o: "Session" in o["type"] and o["size"] > 4096,
    "type = main.Session": lambda o: o["type"] == "main.Session",
    "type !~ '^[[]' and not reachable": lambda o: o["type"][:1] != "[" and not o["reachable"],
    "type_known = none or type_known = guess": lambda o: o["type_known"] in ("none", "guess"),
    "type_known != none and references >= 3 and referrers < 2":
        lambda o: o["type_known"] in KNOWN and o["references"] >= 3 and o["referrers"] < 2,
    "size >= 1.5k and size <= 3 KB or address < 0xc000010000":
        lambda o: 1536 <= o["size"] <= 3072 or int(o["address"], 16) < 0xC000010000,
    "not (reachable or size = 16) and type ~ '^(map|string)'":
        lambda o: not (o["reachable"] or o["size"] == 16)
        and bool(re.search("^(map|string)", o["type"])),
    "listnode": lambda o: "listnode" in o["type"].lower(),
}


def arguments(table, *options):
    return ["list", table, dump_of(ONE), "--exe", exe_of(ONE), *options]


def objects():
    """With "" for no type."""
    return [{**row, "type": row["type"] or ""} for row in answer(*arguments("objects"))]


@test
def objects_are_those_for_which_it_holds():
    rows = objects()
    for where, holds in OBJECTS.items():
        right = [row["address"] for row in rows if holds(row)]
        assert 0 < len(right) < len(rows), f"{where} tells nothing apart"
        got = [row["address"] for row in answer(*arguments("objects", "--where", where))]
        equal(got, right, f"objects where {where}")


@test
def what_is_left_is_sorted_and_limited():
    where = "type = main.Session or type = main.TreeNode"
    rows = [o for o in objects() if o["type"] in ("main.Session", "main.TreeNode")]
    right = [o["address"] for o in sorted(rows, key=lambda o: -o["size"])]
    for limit in (len(rows), 300, 1, 0):
        options = ("--where", where, "--limit", limit)
        got = answer(*arguments("objects", "--sort=-size", *options))
        equal([o["address"] for o in got], right[:limit], f"sorted, {limit} rows")
        got = answer(*arguments("objects", *options))
        equal([o["address"] for o in got], [o["address"] for o in rows[:limit]], f"{limit} rows")
        got = answer(*arguments("objects", "--reverse", *options))
        equal([o["address"] for o in got], [o["address"] for o in rows[::-1][:limit]], "reversed")


@test
def every_kind_of_column_is_compared():
    def check(table, where, holds, *argument):
        rows = answer(*arguments(table, *argument))
        right = [row for row in rows if holds(row)]
        assert 0 < len(right) < len(rows), f"{table} where {where} tells nothing apart"
        got = answer(*arguments(table, *argument, "--where", where))
        equal(got, right, f"{table} where {where}")

    check("types", "share > 1% and count < 1k", lambda t: t["share"] > 1 and t["count"] < 1000)
    check("goroutines", "'chan receive'", lambda g: "chan receive" in str(g))
    check("goroutines", "id = 1 or id > 20", lambda g: g["id"] == 1 or g["id"] > 20)
    check("roots", "kind = frame", lambda r: r["kind"] == "frame")
    check("slots", "offset >= 0x18 and offset < 1k", lambda s: 24 <= s["offset"] < 1024, "30")


@test
def nothing_left_is_an_answer():
    where = ("--where", "size > 100G")
    equal(answer(*arguments("objects", *where)), [], "rows")
    result = run(*arguments("objects", *where), expect=0)
    equal((result.out, result.err), ("", "No row matches.\n"), "text")


@test
def a_filter_that_is_none_is_refused():
    for where, says in (("size >", "at column 7: a value"), ("type ~ '('", "at column 8: a pattern"),
                        ("", "at column 1:"), ("sise > 4", 'there is no column "sise"')):
        result = run(*arguments("objects", "--where", where), expect=2)
        equal(result.out, "", "stdout")
        assert says in result.err and result.err.count("\n") == 1, result
    result = run("info", dump_of(ONE), "--where", "size > 4", expect=2)
    assert "--where" in result.err, result


@test
def a_column_that_the_rows_lack_is_said():
    """Where none matches. What is empty in all rows for another reason is said, too; a filter for none has rows."""
    owners = arguments("owners")
    equal(len(answer(*owners, "--where", "count_delta = none")), len(answer(*owners)), "rows where none")
    for output in ((), ("--json",), ("--csv",)):
        result = run(*owners, "--where", "count_delta > 0", *output, expect=1)
        equal(result.err, "goheapx: These rows have no column count_delta.\n", output)
    assert "no column count_delta" in run(*arguments("owners", "--where", "not count_delta < 5 and count > 0 and count_delta > 1"), expect=1).err
    assert "no column count_delta" in run(*arguments("grouped", "kind", "of", "owners", "where", "count_delta > 1"), expect=1).err
    checked = run("check", dump_of(ONE), "--assert", "owners(count_delta > 1) = 0", "--allow-empty", expect=2)
    assert "no column count_delta" in checked.err, checked


@test(builds=["gcc"])
def a_column_without_values_is_said():
    """Of every table of the dump: no filter that compares such a column leaves nothing without a word."""
    names = harness.forms()
    told = 0
    for table in names:
        result = run(*arguments(table, "--json"))
        rows = json.loads(result.out or "[]") if result.status == 0 else []
        empty = [name for name in (rows or [{}])[0] if all(row[name] is None for row in rows)]
        for name in empty[:3]:
            result = run(*arguments(table, "--where", f"{name} != none"))
            expected = f"These rows have no column {name}" if result.status else f"{name} is empty in all rows"
            assert expected in result.err and not result.out.count("\n") > 1, (table, name, result)
            told += 1
    assert told > 10, told
