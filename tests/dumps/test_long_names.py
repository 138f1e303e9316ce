"""Names with more than 200 letters: every output has them with a handle in place of their middle, which is taken back in
another process, and means the same objects."""

import json
import pathlib
import re

from executables import built_from, files
from harness import ONE, answer, equal, queries, run, test

PROGRAM = pathlib.Path(__file__).with_name("longnames.go")
HANDLE = re.compile("…#[0-9a-f]{6}")
MOST = 220  # 200 letters, and what stands before a name: "[]", "type="


def asked(*words):
    dump, exe, _ = built_from(PROGRAM)
    command = 2 if words[0] == "list" else 1
    return answer(*words[:command], dump, *words[command:], "--exe", exe)


def handles():
    """The places of leaves, which findings have."""
    return [row for row in asked("list", "findings") if HANDLE.search(row["name"] or "")]


@test(builds=["gcc"])
def every_output_has_the_same_bounded_name():
    dump, exe, _ = built_from(PROGRAM)
    names = {row["name"] for row in handles()}
    assert names, asked("list", "findings")
    [told] = queries(["SELECT name FROM findings"], dump, "--exe", exe)
    text = run("list", "findings", dump, "--exe", exe, expect=0).out
    for name in names:
        assert len(name) <= MOST and name in {row["name"] for row in told} and name in text, name
    for table, column in (("where", "expression"), ("objects", "type"), ("variables", "type"), ("types", "type")):
        longest = max((row[column] or "" for row in asked("list", table)), key=len)
        assert len(longest) <= MOST, (table, len(longest), longest)


@test(builds=["gcc"])
def a_handle_means_the_objects_of_its_name():
    dump, exe, told = built_from(PROGRAM)
    rows = handles()
    equal(sorted(row["count"] for row in rows if row["count"] in told.values()), sorted(told.values()), "leaves")
    for row in rows:
        place = row["name"]
        shown = asked("show", place)
        equal((shown["count"], shown["freed_bytes"]), (row["count"], row["frees"]), place)
        equal(asked("what-if", place)[0]["freed_bytes"], row["frees"], place)
        equal(asked("list", "retained", place)[0]["retained_bytes"], row["frees"], place)
        assert row["count"] == len(asked("list", "objects", f"at={place}")), place
        assert asked("why", place)["address"] and json.loads(run("path", dump, place, "--json", "--exe", exe, expect=0).out)


@test(builds=["gcc"])
def a_type_with_a_handle_is_one():
    named = {row["type"] for row in asked("list", "types") if HANDLE.search(row["type"] or "")}
    assert any(name.startswith("struct { ") for name in named), named
    for name in named:
        equal({row["type"] for row in asked("list", "objects", f"type={name}")}, {name}, name)
        assert asked("show", name), name


@test(builds=["gcc"])
def a_path_with_a_handle_leads_to_its_object():
    for row in asked("list", "where", "--depth", "20"):
        if "…" in row["expression"]:
            equal(asked("show", row["expression"])["address"], row["example"], row["expression"])


@test(builds=["gcc"])
def a_handle_of_another_dump_says_so():
    for row in handles():
        for command in ("show", "path", "why", "what-if"):
            out = run(command, *files(ONE)[:1], row["name"], *files(ONE)[1:])
            assert out.status and "it may be that of another dump" in out.err, (command, out)
