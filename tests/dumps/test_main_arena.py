"""The main arena of malloc whose heap cannot grow, and the arenas of threads, against what glibc says of itself in
programs that are built here, where there are compilers of Go and C. GLIBC=FOLDER[:FOLDER] names folders with another
glibc, as its package has it in usr/lib/MACHINE, with which they run, too."""

import contextlib
import json
import os
import pathlib
import re
import subprocess

from cores import Core
from executables import exe_from
from harness import UNPACKED, answer, equal, run, test
from live import may_look, running

SOURCE = pathlib.Path(__file__).with_name("scattered.go")
FENCES = 32  # bytes at the end of what no longer grows: two chunks that nobody has


@contextlib.contextmanager
def snapshot(wall):
    may_look()
    exe, path = exe_from(SOURCE), UNPACKED / f"scattered{wall}.snapshot"
    with running(exe, env={"WALL": wall} if wall else {}, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        truth = json.loads(process.stdout.readline())
        for _ in range(20):  # until the runtime has not started a thread meanwhile, which takes memory of the arena
            run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
            process.stdin.write(b"\n")
            process.stdin.flush()
            before, truth = truth, json.loads(process.stdout.readline())
            if truth == before:
                break
    yield truth, (path, "--exe", exe)


@test(each=["", "first", "later"], builds=["gcc"])
def all_parts_of_the_main_arena_are_counted(wall):
    with snapshot(wall) as (truth, files):
        rows = answer("list", "mappings", *files, "malloc")
        memory = {row["use"]: row for row in answer("list", "memory", *files)}
    arena = [row for row in rows if row["name"] in ("malloc, [heap]", "malloc, main arena")]
    parts = {row["name"].removeprefix("malloc, ") for row in arena}
    equal(parts, {name for name, there in (("[heap]", wall != "first"), ("main arena", wall)) if there}, "its parts")
    equal(sum(row["bytes"] for row in arena), truth["arena"], "bytes of the arena")
    used, free = (sum(row[key] for row in arena) for key in ("malloc_used", "malloc_free"))
    equal(free, truth["free"], "free")
    assert 0 <= truth["used"] - used <= FENCES * (truth["arena"] >> 17), (truth, used)
    equal(memory["malloc"]["bytes"], sum(row["bytes"] for row in rows), "the use malloc")
    blocks = sum(row["bytes"] for row in rows if row["name"] == "malloc, large block")
    equal(blocks, truth["mapped"], "large blocks")


def loaders():
    """Words before a program that runs with the glibc of this machine, or of a folder."""
    folders = [pathlib.Path(name) for name in os.environ.get("GLIBC", "").split(":") if name]
    return [[]] + [[next(folder.glob("ld-linux-*.so.*")), "--library-path", folder] for folder in folders]


@test(builds=["gcc"])
def what_is_free_in_arenas_of_threads_is_counted():
    may_look()
    exe, path = exe_from(SOURCE.with_name("arenas.go")), UNPACKED / "arenas.snapshot"
    for loader in loaders():
        with running(*loader, exe, stderr=subprocess.PIPE) as process:
            free = int(process.stderr.readline())
            run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
        rows = answer("list", "mappings", path, "malloc", "--exe", exe)
        assert sum(row["name"] == "malloc, arena of threads" for row in rows) >= 6, rows
        equal([row for row in rows if row["malloc_free"] is None], [], f"not read, with {loader}")
        equal(sum(row["malloc_free"] for row in rows), free, f"free, with {loader}")
        found, = (row for row in answer("info", path, "--exe", exe)["findings"] if row["kind"] == "malloc")
        assert re.fullmatch(r"free: \S+ [KM]B of \S+ [KM]B", found["name"]), found


@test(builds=["gcc"])
def arenas_of_another_layout_are_not_read():
    """As if the arena behind heap_info had 1 KB more: that is told, and no number."""
    may_look()
    exe, path = exe_from(SOURCE.with_name("arenas.go")), UNPACKED / "layout.snapshot"
    with running(exe, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
    arenas = [row for row in answer("list", "mappings", path, "malloc", "--exe", exe) if row["name"] == "malloc, arena of threads"]
    changed = {row["address"] for row in arenas[:3]}
    with open(path, "r+b") as file:
        core = Core(file)
        for address in changed:
            at, size, more = core.offset(int(address, 16)) + 0x30, 0x3000, 0x400
            content = core.at(at, size)
            core.write(at, bytes(more) + content[:size - more])
    rows = answer("list", "mappings", path, "malloc", "--exe", exe)
    equal({row["address"] for row in rows if row["malloc_free"] is None}, changed, "arenas that are not read")
    found, = (row for row in answer("info", path, "--exe", exe)["findings"] if row["kind"] == "malloc")
    assert re.fullmatch(r"free: \S+ [KM]B of \S+ [KM]B; \S+ [KM]B not read", found["name"]), found
    path.unlink()
