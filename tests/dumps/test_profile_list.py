"""The runtime's lists of call stacks: however many there are they are read, and none twice."""

import pathlib
import struct
import subprocess

from executables import exe_from, strip
from harness import ENVIRONMENT, PROGRAM, UNPACKED, answer, equal, run, test
from live import may_look, running

SOURCE = pathlib.Path(__file__).with_name("callstacks.go")
ALL_NEXT = 8  # offset of a bucket's link (runtime/mprof.go)


def snapshot():
    """Of a process, its executable, and what it has told."""
    may_look()
    exe = exe_from(SOURCE)
    path = UNPACKED / "callstacks.core"
    with running(exe, stderr=subprocess.PIPE) as process:
        told = process.stderr.readline().split()
        subprocess.run([PROGRAM, "snapshot", str(process.pid), "-y", "-o", path], env=ENVIRONMENT, check=True,
                       stdout=subprocess.DEVNULL)
    return path, pathlib.Path(exe), *map(int, told)


def is_read(path, whole, count, bytes_of_all):
    bare = whole.with_suffix(".bare")
    bare.write_bytes(strip(whole))
    for exe in whole, bare:
        equal(answer("list", "warnings", path, "--exe", exe), [], "warnings")
        equal(len(answer("list", "profiles", path, "--exe", exe)), count, "stacks")
        info = answer("info", path, "--exe", exe)
        equal(info["memstats"]["BuckHashSys"], bytes_of_all, "bytes of all profiles")
        memory = {row["use"]: row for row in answer("list", "memory", path, "--exe", exe)}
        equal(memory["profile"]["bytes"], bytes_of_all, "the use")
        # All stacks are in memory of the runtime; no program maps anything here.
        assert memory["other mappings"]["resident_bytes"] < 1 << 20, memory["other mappings"]
        found = {row["kind"]: row for row in info["findings"]}
        equal((found["profile"]["bytes"], found["profile"]["name"]),
              (bytes_of_all, f"of allocations: {count:,} stacks"), "the finding")


def offset_of(content, address):
    """Where a core file has an address."""
    start, count = struct.unpack_from("<Q", content, 32)[0], struct.unpack_from("<H", content, 56)[0]
    for at in range(start, start + count * 56, 56):
        kind, _, offset, first, _, size = struct.unpack_from("<IIQQQQ", content, at)
        if kind == 1 and first <= address < first + size:
            return offset + address - first
    raise AssertionError(f"{address:#x} is not in the file")


def is_a_circle(path, exe, count):
    """The last one leads back: each is told, and that something is wrong."""
    rows = {int(row["id"], 16) for row in answer("list", "profiles", path, "--exe", exe)}
    content = bytearray(path.read_bytes())
    links = {at: offset_of(content, at) + ALL_NEXT for at in rows}
    following = {at: struct.unpack_from("<Q", content, link)[0] for at, link in links.items()}
    first, = rows - set(following.values())
    last, = (at for at, to in following.items() if not to)
    circle = UNPACKED / "callstacks-circle.core"
    for back_to in (first, following[following[first]], last):
        struct.pack_into("<Q", content, links[last], back_to)
        circle.write_bytes(content)
        told = [int(row["id"], 16) for row in answer("list", "profiles", circle, "--exe", exe)]
        equal(set(told), rows, "stacks")
        assert len(told) < 4 * count, len(told)
        warned = run("list", "warnings", circle, "--exe", exe, expect=0).out
        assert "The list of allocation profiles is damaged" in warned, warned


@test(builds=["gcc"])
def a_list_is_read_to_its_end_and_once():
    """With symbols, and without, where the list and the table are searched for."""
    path, whole, count, bytes_of_all = snapshot()
    is_read(path, whole, count, bytes_of_all)
    is_a_circle(path, whole, count)
