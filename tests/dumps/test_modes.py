"""Programs as packages build them: testdata/src/modes, linked by the C linker, stripped.

Its source says what is true of it: 300 sessions, 20 goroutines that nothing can wake."""

import json
import pathlib
import re

from core_files import core, file
from harness import TESTDATA, UNPACKED, answer, equal, input_of, test, unpacked

VERSIONS = ["X:boringcrypto,loopvar", "(Red Hat 1.24.4-1.el9)", "X:systemcrypto"]
SAMPLES = ["go1.24-modes-cgopie"]


@test(each=SAMPLES)
def the_table_of_functions_is_found_without_its_section(name):
    told = answer("info", core(name))
    equal((told["executable_refused"], told["executable_damage"]), (None, None), "the executable")
    types = {row["type"]: row["count"] for row in answer("list", "types", core(name))}
    equal(types["main.session"], 300, "sessions")
    groups = [row["function"] for row in answer("list", "groups", core(name))]
    assert {"main.main", "main.waitEvents"} <= set(groups), groups


@test(each=SAMPLES)
def wait_reasons_are_found_whatever_the_order_of_variables(name):
    told = answer("info", core(name))
    equal(told["lost_goroutines"], 20, "goroutines that nothing can wake")
    waiting = [row for row in answer("list", "goroutines", core(name)) if row["status"] == "waiting"]
    assert len(waiting) > 20 and all(row["wait_reason"] for row in waiting), waiting


@test
def a_function_that_stands_twice_in_the_table_is_no_reason_to_refuse():
    path, exe = (input_of(f"daemons/small/refl1.26.{kind}") for kind in ("core", "exe"))
    told = answer("info", path, "--exe", exe)
    equal((told["executable_refused"], told["frames"]), (None, 22), "its own executable")


@test(each=VERSIONS)
def a_version_with_more_words_is_of_the_same_release(words):
    version = f"go1.24.4 {words}"
    dump = pathlib.Path(unpacked("go1.24.4-small")).read_bytes()
    equal(dump.count(b"\x08go1.24.4"), 1, "versions, with their length before them")
    path = pathlib.Path(UNPACKED) / f"version-{VERSIONS.index(words)}.dump"
    path.write_bytes(dump.replace(b"\x08go1.24.4", bytes([len(version)]) + version.encode()))
    told = answer("info", path, "--exe", TESTDATA / "go1.24.4-small.exe.xz")
    equal((told["go_version"], told["executable_refused"]), (version, None), "version")


@test(each=["version-boringcrypto-1.22", "version-redhat-1.22"])
def cores_have_the_whole_version(name):
    path, exe = (input_of(f"cases/{name}/{kind}") for kind in ("app.core", "app"))
    told = answer("info", path, "--exe", exe)
    equal(told["executable_refused"], None, "its own executable")
    assert re.match(r"go1\.22\.12 (X:boringcrypto|\(Red Hat 1\.22\.12-2\.el9_5\))$", told["go_version"]), told


HIDDEN = {  # what is changed in the executable: its version then, and what is said of that
    "section": ({b".go.buildinfo": b".xx.buildinfo"}, "go1.24.4", None),
    "magic": ({b"\xff Go buildinf:": b"\xff No buildinf:"}, "go1.24.4", "taken from a text among its variables"),
    "version": ({b"\xff Go buildinf:": b"\xff No buildinf:", b"go1.24.4": b"unknown."}, "go1.24",
                "a guess by the functions of its runtime"),
}


@test(each=list(HIDDEN))
def the_version_is_found_without_build_info(what):
    changes, version, doubt = HIDDEN[what]
    name = SAMPLES[0]
    bytes_ = pathlib.Path(file(name, "exe")).read_bytes()
    for old, new in changes.items():
        assert old in bytes_ and len(old) == len(new), old
        bytes_ = bytes_.replace(old, new)
    exe = pathlib.Path(UNPACKED) / f"no-buildinfo-{what}.exe"
    exe.write_bytes(bytes_)
    told = answer("info", core(name), "--exe", exe)
    equal((told["go_version"], told["executable_refused"], told["lost_goroutines"]), (version, None, 20), "info")
    warnings = json.dumps(told["warnings"])
    equal(doubt is None or doubt in warnings, True, warnings)
    equal("Go version" in warnings, doubt is not None, warnings)
    types = {row["type"]: row["count"] for row in answer("list", "types", core(name), "--exe", exe)}
    equal(types["main.session"], 300, "sessions")
