"""Objects that generic code has allocated, of a program without debug information, are called what the program calls
them where its executable has one type that uses the code, and by no other type's name where it has several."""

import functools
import json
import pathlib
import subprocess

from executables import exe_from
from harness import Skip, answer, equal, test

SOURCE = pathlib.Path(__file__).with_name("generics.go")


@functools.lru_cache(maxsize=None)
def built():
    """The dump, its executable, and the types of objects that the program has told."""
    exe = exe_from(SOURCE, "-ldflags=-w")
    dump = exe.removesuffix(".exe") + ".dump"
    told = subprocess.run([exe, dump], env={}, check=True, capture_output=True).stdout
    return dump, exe, json.loads(told)


@test(each=[SOURCE.name])  # in one process: the program is built once
def the_only_type_that_uses_the_code_names_the_object(_):
    dump, exe, told = built()
    found = {row["address"]: row for row in answer("list", "objects", dump, "--exe", exe)}
    exact = {at for at in told["one"] if found[at]["type_known"] == "exact"}
    if not exact:
        raise Skip("before Go 1.22, objects do not say which type was allocated")
    for at in exact:
        name = told["one"][at]
        equal(found[at]["type"], name, "type")
        rows = answer("list", "objects", dump, f"type={name}", "--exe", exe)
        equal([row["address"] for row in rows], [at], f"objects of {name}")


@test(each=[SOURCE.name])
def none_of_several_types_is_taken_for_certain(_):
    dump, exe, told = built()
    found = {row["address"]: row for row in answer("list", "objects", dump, "--exe", exe)}
    for at, name in told["several"].items():
        row = found[at]
        assert row["type"] in (name, "main.list[...]") or row["type_known"] != "exact", (name, row)


@test(each=[SOURCE.name])
def a_map_of_generic_code_has_the_types_of_the_program(_):
    dump, exe, _told = built()
    types = {row["type"] for row in answer("list", "types", dump, "--exe", exe)}
    if "main.cache[main.id,[4]int64]" not in types:
        raise Skip("before Go 1.22, objects do not say which type was allocated")
    assert "map[main.id]*main.node[main.id,[4]int64]" in types, types
