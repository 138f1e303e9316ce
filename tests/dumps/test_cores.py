"""Core files against heap dumps that the same processes wrote at the same instant, read by tests/oracle.

A process goes on between the two: the goroutine that writes the dump returns, its file is closed and
freed. So at most 20 objects may be more in the core, and what hangs on that goroutine may differ.
"""

import functools
import shutil

from harness import (CORPUS, ROOT, TESTDATA, UNPACKED, Skip, answer, equal, run, test, unpack)

HERE = sorted(p.name[: -len(".core.xz")] for p in (TESTDATA / "core").glob("*.core.xz"))
MORE = ["go1.24-park-plain-quiet", "go1.24-park-arm64-quiet", "go1.27-park-plain-quiet"]
QUIET = HERE + MORE
CRASH = "go1.26-park-plain-crash"
LATER = 20  # objects that the process may have made after the dump


def file(name, kind):
    folder = TESTDATA / "core" if name in HERE else CORPUS / "core"
    return unpack(folder / f"{name}.{kind}.xz", UNPACKED / f"{name}.{kind}")


def core(name):
    """Its path, with the executable beside it."""
    file(name, "exe")
    return file(name, "core")


@functools.lru_cache(maxsize=1)
def dumped(name):
    import godump
    import graph

    return graph.Graph(godump.read(godump.load(file(name, "dump"))))


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
                 if root.kind in kinds and not (root.frame and graph.dump.goroutines[root.goroutine].id == 1)}
        got = {(int(row["address"] or "0", 16), int(row["object"], 16)) for row in rows if row["kind"] in kinds}
        missing = {pair for pair in right - got if pair[1] in {g.address for g in graph.dump.goroutines}} ^ (right - got)
        assert len(missing) <= 2, (kinds, missing)
    assert {row["kind"] for row in rows} <= {"data", "bss", "frame", "finalizer", "other"}


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
    more = {r["object"] for r in answer("list", "roots", core(name)) if r["kind"] == "other"}
    for address, row in of_dump.items():
        for column in other:
            other[column] += row[column] != of_core[address][column] and row["reachable"] == of_core[address]["reachable"]
    assert other["type"] <= 2 and other["retained_bytes"] <= 10 + len(more), other


@test
def a_crash_names_the_goroutine_that_panicked():
    rows = answer("list", "panics", core(CRASH))
    equal(len(rows), 1, "panics")
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
