"""What a program of Go maps itself, without C and without a file, is not the runtime's."""

import pathlib
import re
import struct
import subprocess

from core_files import QUIET, core
from executables import exe_from, strip
from harness import ENVIRONMENT, PROGRAM, UNPACKED, answer, equal, input_of, run, test
from live import may_look, running

SOURCE = pathlib.Path(__file__).with_name("mapped.go")
RUNTIME, SMALL = 36 << 20, 2 << 20  # the largest table of the runtime has 32 MB, which are hardly touched


def uses_of(path, exe):
    return {row["use"]: row for row in answer("list", "memory", path, "--exe", exe)}


# Parts, their size, how much of each is written, and allocations after each.
PROGRAMS = {"large": (40, 2 << 20, 256 << 10, 100), "small": (60, 128 << 10, 128 << 10, 300)}


@test(each=PROGRAMS, builds=["gcc"])
def what_a_program_maps_is_its_own(kind):
    """With symbols and without; the kernel has joined some of it with memory of the runtime."""
    may_look()
    whole = pathlib.Path(exe_from(SOURCE))
    path, bare = UNPACKED / f"mapped-{kind}.core", whole.with_suffix(".bare")
    bare.write_bytes(strip(whole))
    with running(whole, *map(str, PROGRAMS[kind]), stderr=subprocess.PIPE) as process:
        size, written = map(int, process.stderr.readline().split())
        subprocess.run([PROGRAM, "snapshot", str(process.pid), "-y", "-o", path], env=ENVIRONMENT, check=True,
                       stdout=subprocess.DEVNULL)
    for exe in whole, bare:
        uses = uses_of(path, exe)
        own = uses["other mappings"]
        assert size * 0.97 <= own["bytes"] <= size * 1.03, (own, size)
        assert written * 0.95 <= own["resident_bytes"] <= written * 1.05, (own, written)
        assert uses["rest of the runtime"]["resident_bytes"] < SMALL, uses["rest of the runtime"]
        found = [row for row in answer("info", path, "--exe", exe)["findings"] if row["kind"] == "mapping"]
        # The finding is of one mapping that is large.
        equal({row["what"] for row in found}, {"other mappings"} if kind == "large" else set(), "the finding")


@test(builds=["gcc"])
def what_another_program_mapped_is_its_own():
    """41 parts of 2 MB, of which 256 KB are written; what points there is named after main.engine, which points to it,
    and by that name it is found."""
    path, exe = (input_of(f"cases4/merged-mapping-1.24/{name}") for name in ("app.core", "app"))
    uses = uses_of(path, exe)
    own = [row for row in answer("list", "mappings", path, "--exe", exe) if row["bytes"] >= 41 * (2 << 20)]
    row, = (row for row in own if row["resident_bytes"] == 41 * (256 << 10))
    equal(row["use"], "other mappings", "the mapping")
    name, field = row["pointed_from"].removesuffix(".mem.buffer"), ".mem.buffer"
    assert name.startswith("main.engine variable bss+0x") and name + field == row["pointed_from"], row
    module, = (root["object"] for root in answer("list", "roots", path, "--exe", exe) if root["name"] == name)
    assert module in run("show", path, name, "--exe", exe, expect=0).out, (module, name)
    assert uses["rest of the runtime"]["resident_bytes"] < SMALL, uses["rest of the runtime"]
    assert uses["rest of the runtime"]["bytes"] < RUNTIME, uses["rest of the runtime"]


@test(each=QUIET)
def what_maps_nothing_has_pages_of_the_kernel_alone(name):
    """The program calls no C: beside its heap and the runtime there are but [vvar], [vdso] and [vsyscall]."""
    row, = (row for row in answer("list", "memory", core(name)) if row["use"] == "other mappings")
    assert 0 < row["bytes"] <= 48 << 10, row


def without_pointers(data, begin, end):
    """A core in whose memory each word that leads to these addresses is 0."""
    data = bytearray(data)
    headers, = struct.unpack_from("<Q", data, 32)
    count, = struct.unpack_from("<H", data, 56)
    for n in range(count):
        kind, _, at, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", data, headers + 56 * n)
        if kind == 1 and not begin <= address < end:
            for found in re.finditer(re.escape(struct.pack("<Q", begin)[5:]), data[at : at + size]):
                word = at + found.start() - 5
                if (word - at) % 8 == 0 and begin <= struct.unpack_from("<Q", data, word)[0] < end:
                    data[word : word + 8] = bytes(8)
    return data


@test(builds=["gcc"])
def what_nothing_points_to_is_said_with_what_was_searched():
    """Pointers of C and in numbers are not looked for."""
    path, exe = (input_of(f"cases4/merged-mapping-1.24/{name}") for name in ("app.core", "app"))
    large = max(answer("list", "mappings", path, "other mappings", "--exe", exe), key=lambda row: row["resident_bytes"])
    begin = int(large["address"], 16)
    other = UNPACKED / "mapped-unpointed.core"
    other.write_bytes(without_pointers(pathlib.Path(path).read_bytes(), begin, begin + large["bytes"]))
    for file, right in (path, False), (other, True):
        found, = (row["name"] for row in answer("list", "findings", file, "--exe", exe) if row["kind"] == "mapping")
        equal(found == "no pointer in a variable, object or Go frame leads there", right, found)
    other.unlink()
