"""Small tables of libraries are one finding, against a program that is built here, where there is a Go compiler."""

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
        assert "there is libraries" in run("list", "findings", dump, wrong, "--exe", exe, expect=2).err, wrong
