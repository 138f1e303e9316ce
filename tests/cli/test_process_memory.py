"""What a snapshot tells of its process: how much of what was in memory, which the kernel counts, too."""

import json
import platform
import struct

from harness import UNPACKED, Skip, answer, equal, run, test
from live import PARK, executable, may_look, parked

HEAP = {"objects", "free slots", "rest of spans", "goroutine stacks", "other stacks", "work of the collector",
        "free spans", "released"}


def kernel_tells_zeros():
    """Linux 6.7 tells which pages were read and never written, and so are in no memory."""
    version = platform.release().split(".")
    if (int(version[0]), int(version[1].split("-")[0])) < (6, 7):
        raise Skip("kernels before 6.7 do not tell pages that have only been read apart")


def resident(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("Rss:"))


def resident_pages(pid, start, size):
    """Bit 63: it is in memory; 61: of a file; 56: of this process alone, which the page of zeros is not."""
    with open(f"/proc/{pid}/pagemap", "rb") as file:
        file.seek(start // 4096 * 8)
        pages = file.read(size // 4096 * 8)
    return sum(4096 for (page,) in struct.iter_unpack("<Q", pages) if page >> 63 and page >> 56 & 0x21)


def resident_part(pid, start, size):
    """Bytes of a range whose pages are resident."""
    first, end = start // 4096, (start + size + 4095) // 4096
    with open(f"/proc/{pid}/pagemap", "rb") as file:
        file.seek(first * 8)
        pages = [page for (page,) in struct.iter_unpack("<Q", file.read((end - first) * 8))]
    return sum(min(start + size, (first + i + 1) * 4096) - max(start, (first + i) * 4096)
               for i, page in enumerate(pages) if page >> 63 and page >> 56 & 0x21)


def between_equal_counts(process, measure):
    """Something that is true of a process whose memory does not change meanwhile."""
    for _ in range(50):
        before = resident(process.pid)
        measured = measure()
        if before == resident(process.pid):
            return measured, before
    raise AssertionError("the process does not come to rest")


@test(each=[f"{name}{how}" for name in PARK for how in ("", "--fork")])
def what_is_in_memory_adds_up_to_what_the_kernel_counts(way):
    may_look()
    kernel_tells_zeros()
    path = UNPACKED / f"{way}-memory.core"
    name, fork = way.replace("--fork", ""), ["--fork"] if "--fork" in way else []
    with parked(name, "quiet") as process:
        pid = process.pid

        def look():
            run("snapshot", str(pid), "-y", "--zstd", "-o", str(path), *fork, expect=0)
            spans = answer("list", "spans", path, "--exe", executable(name))
            return sum(resident_pages(pid, int(span["address"], 16), span["bytes"]) for span in spans)

        heap, right = between_equal_counts(process, look)
        rows = answer("list", "memory", path, "--exe", executable(name))
    equal(sum(row["resident_bytes"] or 0 for row in rows), right, "all")
    equal(sum(row["resident_bytes"] for row in rows if row["use"] in HEAP), heap, "heap")
    some = {row["use"]: row for row in rows}
    for use in HEAP & set(some) | {"executable", "first stack", "reserved"}:
        assert 0 <= some[use]["resident_bytes"] <= some[use]["bytes"], some[use]
    equal(some["span records"]["resident_bytes"] if "span records" in some else None, None, "where they are is not known")
    shown = run("list", "memory", str(path), "--exe", executable(name), expect=0).out
    assert "resident_bytes" in shown.splitlines()[0], shown


@test
def pages_that_were_only_read_are_not_copied():
    """Of the 32 MB that the runtime notes arenas in almost all is one page of zeros."""
    may_look()
    kernel_tells_zeros()
    with parked(PARK[0], "quiet") as process:
        info = json.loads(run("info", str(process.pid), "-y", "--json", expect=0).out)
        assert info["copied_bytes"] <= resident(process.pid) + (1 << 20), info["copied_bytes"]


@test(builds=["gcc"])
def what_is_resident_of_objects_and_variables_is_what_the_kernel_counts():
    may_look()
    kernel_tells_zeros()
    path, name = UNPACKED / "resident-parts.core", PARK[1]
    tables = {"objects": "size > 8kB", "variables": "size > 0"}
    with parked(name, "quiet") as process:
        pid = process.pid

        def look():
            run("snapshot", str(pid), "-y", "-o", str(path), expect=0)
            found = {table: answer("list", table, path, "--exe", executable(name), "--where", where)
                     for table, where in tables.items()}
            return found, {row["address"]: resident_part(pid, int(row["address"], 16), row["size"])
                           for rows in found.values() for row in rows}

        (found, right), _ = between_equal_counts(process, look)
        shown = {row["address"]: json.loads(run("show", str(path), row["address"], "--exe", executable(name), "--json",
                                                expect=0).out)["resident_bytes"] for row in found["objects"][:20]}
    for table, rows in found.items():
        equal([(row["address"], row["resident_bytes"]) for row in rows],
              [(row["address"], right[row["address"]]) for row in rows], table)
    assert any(0 < row["resident_bytes"] < row["size"] for row in found["variables"]), "all are resident as a whole"
    equal(shown, {address: right[address] for address in shown}, "pages of objects")
