"""Small tables of libraries are one finding and one row of a screen, against a program that is built here, where there is a Go compiler."""

import functools
import pathlib
import subprocess

from executables import exe_from
from harness import answer, equal, run, test

FOLDER = pathlib.Path(__file__).with_name("libraries")
APP = pathlib.PurePosixPath("github.com/one/app")
PAGE = 8192
OWN, COMMON, LIBRARY, LARGE = 6 * PAGE, 7 * PAGE, 5 * PAGE, 25 * PAGE
BUILDS = {"symbols": [], "stripped": ["-ldflags=-s -w"]}
LIB = "github.com/two/lib."
TABLES = {"where": "bytes", "owners": "owned_bytes"}


@functools.lru_cache(maxsize=None)
def built(name):
    exe = exe_from(APP, *BUILDS[name], GOPATH=str(FOLDER))
    dump = exe.removesuffix(".exe") + ".dump"
    subprocess.run([exe, dump], env={}, check=True)
    return dump, exe


def listed(table, name, *arguments):
    dump, exe = built(name)
    return answer("list", table, dump, *arguments, "--exe", exe)


def summed(name):
    (row,) = [row for row in listed("findings", name) if row["kind"] == "libraries"]
    return row


@test(each=list(BUILDS), builds=["gcc"])
def tables_of_libraries_are_one_row(name):
    rows, parts = listed("findings", name), listed("findings", name, "libraries")
    places = {row["bytes"] for row in rows if row["kind"] == "place"}
    assert {OWN, COMMON, LARGE} <= places and LIBRARY not in places, places
    sizes = [row["bytes"] for row in parts]
    assert LIBRARY in sizes and not {OWN, COMMON, LARGE} & set(sizes), sizes
    kinds = [row["kind"] for row in rows]
    assert kinds.index("libraries") > max(i for i, kind in enumerate(kinds) if kind == "place"), kinds
    assert not any("session" in row["what"] for row in parts), parts


@test(each=list(BUILDS), builds=["gcc"])
def its_bytes_are_those_of_its_parts(name):
    dump, exe = built(name)
    row, parts = summed(name), listed("findings", name, "libraries")
    equal(sum(part["bytes"] for part in parts), row["bytes"], "the sum")
    (queried,) = answer("sql", dump, "SELECT sum(bytes) AS bytes FROM findings('libraries')", "--exe", exe)
    equal(queried["bytes"], row["bytes"], "the sum by SQL")
    equal(row["name"], f"largest: {parts[0]['name']}", "the largest")
    where = [(place["type"], place["bytes"]) for place in listed("where", name)]
    for part in parts:
        kind = part["what"].rpartition(" × ")[2].split(", ")[0]
        assert (kind, part["bytes"]) in where, part
        equal(len(listed("objects", name, f"at={part['name']} type={kind}")), part["count"], part["name"])


@test(builds=["gcc"])
def its_parts_are_variables_of_others():
    parts, row = {part["name"] for part in listed("findings", "symbols", "libraries")}, summed("symbols")
    assert {LIB + "Table", LIB + "Words"} <= parts, parts
    for other in ("main.", "github.com/one/", LIB + "Large", LIB + "Registry"):
        assert not any(part.startswith(other) for part in parts), other
    equal(row["what"], f"{row['count']} variables of libraries", "their number")


@test(builds=["gcc"])
def enter_opens_its_parts():
    dump, exe = built("symbols")
    rows = listed("findings", "symbols")
    keys = "keys " + "j " * [row["kind"] for row in rows].index("libraries") + "Enter"
    out = run(dump, "--exe", exe, "-e", "findings", "-e", keys, "-e", "screen", expect=0).out
    assert "places in variables of libraries" in out and LIB + "Table" in out, out


@test(builds=["gcc"])
def what_is_no_part_is_an_error():
    dump, exe = built("symbols")
    for wrong in ("librarie", "place"):
        assert "can be selected by libraries" in run("list", "findings", dump, wrong, "--exe", exe, expect=2).err, wrong


def screened(name, table, *commands, expect=0):
    """The last screen that the explorer shows."""
    dump, exe = built(name)
    more = [word for command in commands for word in ("-e", command)]
    shown = run(dump, "--exe", exe, "--size", "110x100", "-e", table, *more, "-e", "screen", expect=expect)
    return "\n".join(shown.out.splitlines()[-100:])


@test(each=[f"{table} {name}" for table in TABLES for name in BUILDS], builds=["gcc"])
def a_table_has_them_one_by_one(words):
    """Whose variables they are does not depend on how a table is asked."""
    table, name = words.split()
    dump, exe = built(name)
    rows, chosen = listed(table, name), listed(table, name, "--where", "library")
    equal(chosen, [row for row in rows if row["library"]], "those that a filter chooses")
    size = TABLES[table]
    assert LIBRARY in [row[size] for row in chosen] and not {OWN, COMMON, LARGE} & {row[size] for row in chosen}
    assert {"unicode", "github.com/two/lib"} <= {row["package"] for row in chosen}, chosen
    assert not any((row["package"] or "").startswith(("main", "github.com/one/")) for row in chosen), chosen
    topmost = " AND depth = 0" if table == "where" else ""
    query = f"SELECT count(*) AS count, sum({size}) AS bytes FROM \"{table}\" WHERE library{topmost}"
    (queried,) = answer("sql", dump, query, "--exe", exe)
    equal(queried, {"count": len(chosen), "bytes": sum(row[size] for row in chosen)}, "by SQL")
    grouped = answer("list", table, dump, "--where", "library", "--group", f"package,sum({size})", "--exe", exe)
    equal(sum(row["count"] for row in grouped), len(chosen), "in groups")


@test(builds=["gcc"])
def where_has_those_of_the_finding():
    chosen = listed("where", "symbols", "--where", "library")
    equal(sum(row["bytes"] for row in chosen), summed("symbols")["bytes"], "bytes")
    equal(len({row["name"] for row in chosen}), len(listed("findings", "symbols", "libraries")), "places")


@test(each=list(TABLES), builds=["gcc"])
def a_screen_has_one_row_that_opens(table):
    chosen = listed(table, "symbols", "--where", "library")
    shown = screened("symbols", table)
    (line,) = [line for line in shown.splitlines() if "variables of libraries" in line]
    assert "▸" in line and LIB + "Table" not in shown and LIB + "Large" in shown, shown
    total = sum(row[TABLES[table]] for row in chosen)
    assert f"{total / 1024:.1f} KB" in line, (line, total)
    opened = screened("symbols", table, "search variables of", "toggle")
    for row in chosen[:5]:
        assert row["name"][-20:] in opened, (row["name"], opened)
    closed = screened("symbols", table, "search variables of", "toggle", "toggle")
    equal([row.split()[:3] for row in closed.splitlines()], [row.split()[:3] for row in shown.splitlines()], "closed")


@test(each=list(TABLES), builds=["gcc"])
def a_search_and_a_filter_see_below_it(table):
    shown = screened("symbols", table, "search lib.Table")
    assert LIB + "Table" in shown and "▾" in shown, shown
    filtered = screened("symbols", table, f"filter library and {TABLES[table]} > 1k")
    assert LIB + "Table" in filtered and "variables of libraries" not in filtered, filtered
    assert LIB + "Large" not in filtered and "common.Table" not in filtered, filtered
    back = screened("symbols", table, "filter library", "filter")
    assert "variables of libraries" in back, back


@test(builds=["gcc"])
def a_search_says_where_it_looked():
    """Below rows that are closed nobody knows; below the row of libraries every row is known."""
    dump, exe = built("symbols")
    for table, told in (("owners", "No open row contains"), ("where", "Nothing here contains")):
        failed = run(dump, "--exe", exe, "-e", table, "-e", "search no.Such", expect=1).err
        assert told in failed, (table, failed)
