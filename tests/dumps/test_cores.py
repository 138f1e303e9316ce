"""Core files against heap dumps that the same processes wrote at the same instant, read by tests/oracle.

A process goes on between the two: the goroutine that writes the dump returns, its file is closed and
freed. So at most 20 objects may be more in the core, and what hangs on that goroutine may differ.
"""

import collections
import functools
import pathlib
import shutil
import struct
import subprocess

from core_files import CRASH, HERE, QUIET, core, file
from cores import LOAD, STRIPPED, changed, core_and_exe
from harness import UNPACKED, Skip, answer, equal, graph_of, run, stored, test, truth_in

LATER = 20  # objects that the process may have made after the dump


@functools.lru_cache(maxsize=1)
def dumped(name):
    return graph_of(file(name, "dump"))


def addresses(rows):
    return {int(row["address"], 16): row for row in rows}


@test(each=QUIET)
def objects_are_those_of_the_dump(name):
    graph = dumped(name)
    rows = addresses(answer("list", "objects", core(name)))
    wrote = next(i for i, g in enumerate(graph.dump.goroutines) if g.id == 1)
    writer = {root.target for root in graph.roots if root.goroutine == wrote}
    other = 0
    for index, obj in enumerate(graph.dump.objects):
        row = rows.pop(graph.dump.address(index))
        equal(row["size"], obj.size, f"size of {row['address']}")
        count = len({target for _, target in graph.references[index]})
        other += row["references"] not in (count, len(graph.references[index]))
    assert len(rows) <= LATER, f"{len(rows)} objects are only in the core"
    # The writer's goroutine, its thread and its file have gone on.
    assert other <= 5, f"{other} objects have other references"
    assert writer


@test(each=QUIET)
def variables_and_frames_hold_the_same(name):
    graph = dumped(name)
    rows = answer("list", "roots", core(name))
    for kinds in (("data", "bss"), ("frame",), ("finalizer",)):
        right = {(root.address, graph.dump.address(root.target)) for root in graph.roots
                 if root.kind in kinds and not root.guess and not (root.frame and graph.dump.goroutines[root.goroutine].id == 1)}
        got = {(int(row["address"] or "0", 16), int(row["object"], 16)) for row in rows if row["kind"] in kinds}
        missing = {pair for pair in right - got if pair[1] in {g.address for g in graph.dump.goroutines}} ^ (right - got)
        assert len(missing) <= 2, (kinds, missing)
    assert {row["kind"] for row in rows} <= {"data", "bss", "frame", "finalizer", "cleanup", "weak_handle"}


@test(each=QUIET)
def goroutines_have_the_same_frames(name):
    graph = dumped(name)
    rows = {row["id"]: row for row in answer("list", "goroutines", core(name))}
    equal(set(rows), {g.id for g in graph.dump.goroutines}, "goroutines")
    waiting = [g for g in graph.dump.goroutines if g.id != 1 and not g.system]
    for goroutine in waiting:
        row = rows[goroutine.id]
        equal(row["address"], f"{goroutine.address:#x}", "address")
        equal(row["frames"], len(goroutine.frames), f"frames of goroutine {goroutine.id}")
        equal(row["wait_reason"] or "", goroutine.reason, f"reason of goroutine {goroutine.id}")
    deepest = max(waiting, key=lambda g: len(g.frames))
    for goroutine in waiting[:8] + [deepest]:
        frames = answer("list", "frames", core(name), str(goroutine.id))
        equal([(f["sp"], f["function"], f["pc"]) for f in frames],
              [(f"{f.sp:#x}", f.name, f"{f.pc:#x}") for f in goroutine.frames], f"goroutine {goroutine.id}")


@test(each=QUIET, builds=["gcc"])
def types_and_retained_sizes_are_those_of_the_dump(name):
    of_dump = addresses(answer("list", "objects", file(name, "dump"), "--exe", file(name, "exe")))
    of_core = addresses(answer("list", "objects", core(name)))
    other = {"type": 0, "retained_bytes": 0}
    more = {r["object"] for r in answer("list", "roots", core(name)) if r["kind"] in ("cleanup", "weak_handle")}
    for address, row in of_dump.items():
        for column in other:
            other[column] += row[column] != of_core[address][column] and row["reachable"] == of_core[address]["reachable"]
    assert other["type"] <= 2 and other["retained_bytes"] <= 10 + len(more), other


@test(each=["go1.24-park-plain-quiet", "go1.24-park-arm64-quiet", "go1.26-park-stripped-quiet",
            "go1.27-park-plain-quiet"])
def cleanups_and_weak_handles_are_named(name):
    """extra_new.go gives 100 nodes a cleanup and a weak pointer each."""
    of = {}
    for kind, what in (("cleanup", "cleanup"), ("weak_handle", "weak handle")):
        rows = answer("list", "roots", core(name), kind)
        names = {row["name"] for row in rows}
        assert all(name.startswith(f"{what} of 0x") for name in names), names
        of[kind] = {int(name.split()[-1], 16) for name in names}
    nodes = of["cleanup"] & of["weak_handle"]
    equal(len(nodes), 100, "objects with both")
    sizes = {row["address"]: row["size"] for row in answer("list", "objects", core(name), "--columns", "address,size")}
    assert {sizes[f"{node:#x}"] for node in nodes} == {64}, "nodes are of 56 bytes"
    roots = answer("info", core(name))["roots"]
    assert roots["cleanup"] and roots["weak_handle"] and not roots["other"], roots
    # Of a cleanup since Go 1.26 the function that calls it, its own function and its argument are roots.
    owners = [row["name"] for row in answer("top", core(name), "--limit", 1000) if row["kind"] == "cleanup"]
    equal(owners, ["100 × cleanup"], "owners")


def without_symbols(name):
    """The executable with a symbol table that is none; debug information stays."""
    path = UNPACKED / f"{name}.nosymbols.exe"
    content = bytearray(pathlib.Path(file(name, "exe")).read_bytes())
    start, size, count = struct.unpack_from("<Q", content, 40)[0], *struct.unpack_from("<HH", content, 58)
    for header in range(start, start + size * count, size):
        if struct.unpack_from("<I", content, header + 4)[0] == 2:
            struct.pack_into("<I", content, header + 4, 0)
    path.write_bytes(content)
    return path


@test(each=["go1.19-park-plain-quiet", "go1.24-park-plain-quiet", "go1.27-park-plain-quiet"])
def without_symbols_all_is_found_by_what_it_looks_like(name):
    exe = without_symbols(name)
    for table, columns in (("objects", "address,size,references"), ("goroutines", "id,status,wait_reason,frames")):
        got = answer("list", table, core(name), "--exe", exe, "--columns", columns)
        equal(got, answer("list", table, core(name), "--columns", columns), table)
    # Those that the program made when it ran are lost with the table.
    got, right = (addresses(answer("list", "itabs", core(name), *more)) for more in (["--exe", exe], []))
    assert set(got) <= set(right) and len(right) - len(got) <= 1, (len(got), len(right))


@test(each=QUIET)
def info_has_all_fields_of_a_dump(name):
    of_core, of_dump = answer("info", core(name)), answer("info", file(name, "dump"), "--exe", file(name, "exe"))
    # No dump is of a program that has crashed, and a dump is of one runtime.
    equal([field for field in of_core if field not in ("crash", "not_read")], list(of_dump), "fields")
    equal((of_core["format"], of_core["whole"]), ("go-core", True), "format")


@test
def a_crash_names_the_goroutine_that_panicked():
    rows = answer("list", "panics", core(CRASH))
    # park.go: the main goroutine writes to what a nil pointer leads to.
    equal([row["goroutine"] for row in rows], [1], "goroutine of the panic")
    roots = answer("list", "roots", core(CRASH), "panic")
    equal([row["name"] for row in roots], ["panic of goroutine 1"], "root")
    info = answer("info", core(CRASH))
    equal((info["format"], info["whole"], info["dangling_pointers"]), ("go-core", True, 0), "info")


@test
def the_executable_is_needed_and_must_be_the_right_one():
    name, other = HERE[0], HERE[1]
    alone = UNPACKED / "alone" / "x.core"
    alone.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(core(name), alone)
    told = run("info", alone, expect=2).err
    assert "executable" in told and "goheapx CORE EXE" in told, told
    told = run("info", alone, "--exe", file(other, "exe"), expect=2).err
    assert told.count("\n") == 1, told
    run("info", alone, "--exe", file(name, "exe"), expect=0)


def of_version(name, before, after):
    """The executable as if another Go had built it."""
    path = UNPACKED / f"{name}.{after}.exe"
    with open(file(name, "exe"), "rb") as exe:
        content = exe.read()
    assert content.count(before.encode()), before
    path.write_bytes(content.replace(before.encode(), after.encode()))
    return path


@test(each=[("go1.19-park-plain-quiet", "go1.19.8", "go1.16.8", "older"),
            ("go1.27-park-plain-quiet", "go1.27.3", "go1.28.3", "newer")])
def other_versions_are_tried_where_there_is_debug_information(case):
    name, before, after, what = case
    exe = of_version(name, before, after)
    right = answer("list", "objects", core(name), "--columns", "address,size,references")
    got = answer("list", "objects", core(name), "--exe", exe, "--columns", "address,size,references")
    equal(got, right, "objects")
    warnings = answer("list", "warnings", core(name), "--exe", exe)
    assert any(f"is {what} than the versions whose core files are known" in str(row) for row in warnings), warnings
    assert not answer("list", "warnings", core(name))


@test
def a_newer_version_without_debug_information_is_read_as_the_newest_known():
    """A release that changes nothing needs no edit: the program says that it is of Go 1.28, and is of 1.27."""
    name = "go1.27-park-plain-quiet"
    if not shutil.which("strip"):
        raise Skip("there is no strip, package binutils has it")
    exe = of_version(name, "go1.27.3", "go1.28.3")
    subprocess.run(["strip", "-s", exe], check=True)
    right = answer("list", "objects", core(name), "--columns", "address,size,references")
    equal(answer("list", "objects", core(name), "--exe", exe, "--columns", "address,size,references"), right, "objects")
    warnings = answer("list", "warnings", core(name), "--exe", exe)
    assert any("is newer than" in str(row) and "as those of Go 1.27 are" in str(row) for row in warnings), warnings


@test
def other_layouts_without_debug_information_are_refused():
    """A version that changed something does not pass the checks; one before the first has no layout."""
    name = "go1.26-park-stripped-quiet"
    told = run("info", core(name), "--exe", of_version(name, "go1.26.10", "go1.29.10"), expect=2).err
    assert "does not fit" in told, told
    told = run("info", core(name), "--exe", of_version(name, "go1.26.10", "go1.16.10"), expect=2).err
    assert "Go 1.17 and later" in told and "go1.16.10" in told and "WriteHeapDump" in told, told


@test
def cleanups_that_keep_their_own_object_can_never_run():
    right = truth_in("cases/cleanup-1.26/program-truth.json")
    rows = answer("list", "cycles", stored("cases/cleanup-1.26/app.core"), "--exe", stored("cases/cleanup-1.26/app"))
    equal(len(rows), right["leaked_by_argument"] + right["leaked_by_capture"], "cleanups")
    equal({(row["kind"], row["type"]) for row in rows}, {("cleanup", "main.handle")}, "kinds")
    called = collections.Counter(row["function"] for row in rows)
    equal(called, {"main.openArg.func1": right["leaked_by_argument"], "main.openCapture.func1": right["leaked_by_capture"]},
          "the functions given to AddCleanup")
    held = sum(row["retained_bytes"] for row in rows)
    assert right["leaked_data"] <= held < right["leaked_data"] * 1.02, held


@test
def goroutines_are_found_when_the_first_has_ended():
    """As in every library: its record is used again. The variable with their list has no name."""
    exe = core_and_exe()[1]
    before = answer("list", "goroutines", core(STRIPPED))
    first = next(row for row in before if row["id"] == 1)
    with changed("again") as (changing, path):
        changing.put(int(first["address"], 16) + 152, 777)  # its id, of Go 1.26
        after = answer("list", "goroutines", path, "--exe", exe)
    equal([row["address"] for row in after], [row["address"] for row in before], "goroutines")
    equal({row["id"] for row in after} - {row["id"] for row in before}, {777}, "new ids")


@test
def goroutines_that_are_not_found_have_not_ended():
    exe = core_and_exe()[1]
    main = next(row for row in answer("list", "frames", core(STRIPPED), "1") if row["function"] == "runtime.main")
    first = next(row for row in answer("list", "goroutines", core(STRIPPED)) if row["id"] == 1)
    with changed("lost") as (changing, path):
        begin = int(first["address"], 16)
        for at in range(begin, begin + 440, 8):
            if changing.word(at) == int(main["entry_pc"], 16):
                changing.put(at, 1)
        equal(answer("list", "goroutines", path, "--exe", exe), [], "goroutines")
        kinds = [row["kind"] for row in answer("list", "findings", path, "--exe", exe)]
        assert kinds and "ended" not in kinds, kinds


@test
def a_file_that_is_mapped_directly_behind_another_has_its_build_id():
    exe = core_and_exe()[1]
    other = UNPACKED / "other-build.exe"
    contents = bytearray(pathlib.Path(exe).read_bytes())
    contents[contents.index(b"\4\0\0\0Go\0\0") + 8] ^= 1
    other.write_bytes(contents)
    with changed("behind") as (changing, path):
        start = struct.unpack("<Q", changing.at(32, 8))[0]
        text = next(part for part in changing.parts if part[0] == LOAD)
        empty = next(i for i, part in enumerate(changing.parts) if part[0] == LOAD and not part[5])
        changing.write(start + empty * 56, struct.pack("<IIQQQQQQ", LOAD, 4, text[2] - 4096, text[3] - 4096, 0,
                                                       4096, 4096, 4096))
        assert "is of another build" in run("info", path, "--exe", other, expect=2).err
        equal(len(answer("list", "goroutines", path, "--exe", exe)),
              len(answer("list", "goroutines", core(STRIPPED))), "goroutines")
