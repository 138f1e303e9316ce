"""Redacted dumps and core files: no address tells a value. The values change places, or become others, and the redacted
copy is the same to the byte, whatever command would read it."""

import functools
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile

import harness
from core_files import file as core_file
from executables import dump_of, exe_of
from harness import Skip, answer, equal, oracle, run, test, unpacked
from live import may_look
from toolchains import TOOLCHAINS, building, go_of

SOURCE = pathlib.Path(__file__).with_name("small_values.go")
MODES = {"exe": [], "stripped": ["-ldflags=-s -w"], "pie": ["-buildmode=pie"]}
KINDS = {"int", "byte", "uint16", "bool", "text", "float", "bss", "method", "letter", "color", "global", "pair",
         "queue", "behind a timer"}
# of earlier releases, other processors, cores; the numbers are in a table of the runtime since Go 1.15
OTHERS = ("go1.15.15-server", "go1.19-corner", "go1.24.4-small",
          "go1.24.4-small-386", "go1.24.4-small-s390x", "go1.24.4-small-pie", "go1.27-corner", "go1.19-park-plain-quiet.core",
          "go1.24-park-arm64-quiet.core", "go1.24-queued.core", "go1.26-park-stripped-quiet.core")
# dumps without their executables
ALONE = ("go1.4.3-small", "go1.5.4-small", "go1.6.4-server", "go1.7.6-small", "go1.10.8-server", "go1.15.15-server",
         "go1.19.8-server", "go1.22.12-small")
WITH_EXE = [name for name in OTHERS if not name.startswith(("go1.5.", "go1.7.", "go1.10.")) and not name.endswith(".core")]


@functools.lru_cache(maxsize=None)
def program(number, mode):
    """(executable, dump, core file or None, rows of values) of the program, built by a toolchain."""
    go = go_of(number)
    folder = harness.UNPACKED / f"values-{number}-{mode}"
    folder.mkdir(parents=True, exist_ok=True)
    exe, dump, core = (str(folder / name) for name in ("values.exe", "values.dump", "values.core"))
    subprocess.run([go, "build", *MODES[mode], "-o", exe, SOURCE], check=True,
                   env=building())
    with subprocess.Popen([exe, dump, "a secret, or another"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        rows = json.loads(process.stdout.readline())
        try:
            may_look()
            if "processes are read of programs of Go 1.17 and later" in run("snapshot", str(process.pid), "-y", "-o", core).err:
                core = None
        except Skip:
            core = None
        process.stdin.close()
    return exe, dump, core, [(row["Kind"], row["Stride"], bytes.fromhex(row["Bytes"])) for row in rows]


def redacted(data, exe):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "in"), os.path.join(folder, "out")
        pathlib.Path(path).write_bytes(data)
        run("redact", path, exe, "-o", out, expect=0)
        return pathlib.Path(out).read_bytes()


def places(one, other):
    """Where two files of one size differ, at most ten."""
    if one == other:
        return []
    return [hex(at) for at in range(0, len(one), 8) if one[at:at + 8] != other[at:at + 8]][:10] if len(one) == len(other) else "sizes"


def turned(row, stride):
    """The values of a row, the last first."""
    return b"".join(row[at:at + stride] for at in range(len(row) - stride, -1, -stride))


@test(each=[f"{number}-{mode}" for number in range(len(TOOLCHAINS)) for mode in MODES], builds=["gcc"])
def values_that_change_places_change_nothing(case):
    number, _, mode = case.partition("-")
    exe, dump, core, rows = program(int(number), mode)
    equal({kind for kind, *_ in rows}, KINDS, "kinds of values")
    for path in filter(None, (dump, core)):
        data = other = pathlib.Path(path).read_bytes()
        count = 0
        for kind, stride, row in rows:
            assert row in data, (path, kind)
            if turned(row, stride) != row:
                other = other.replace(row, turned(row, stride))
                count += len(row) // stride
        assert count > 1000 and other != data, count
        equal(places(redacted(data, exe), redacted(other, exe)), [], f"{path}: where the redacted copies differ")


def loaded(exe):
    """(order of bytes, bytes of a word, [(address, content, whether it may be written)]) of an executable."""
    content = pathlib.Path(exe).read_bytes()
    order, wide = ">" if content[5] == 2 else "<", content[4] == 2
    start, = struct.unpack_from(f"{order}{'Q' if wide else 'I'}", content, 32 if wide else 28)
    size, count = struct.unpack_from(f"{order}HH", content, 54 if wide else 42)
    parts = []
    for at in range(start, start + size * count, size):
        if wide:
            kind, flags, offset, address, _, length = struct.unpack_from(f"{order}IIQQQQ", content, at)
        else:
            kind, offset, address, _, length, _, flags = struct.unpack_from(f"{order}IIIIIII", content, at)
        parts += [(address, content[offset:offset + length], bool(flags & 2))] if kind == 1 else []
    return order, 8 if wide else 4, parts


def other_numbers(data, exe):
    """The same with every address in the runtime's table of numbers moved to another number, and how many there were."""
    order, width, parts = loaded(exe)
    table = b"".join(struct.pack(f"{order}Q", number) for number in range(256))
    first = next(address + content.find(table) for address, content, _ in parts if table in content)
    form, changed, count = f"{order}{'Q' if width == 8 else 'I'}", bytearray(data), 0
    step = width if data[:4] == b"\x7fELF" else 1  # in a heap dump objects stand anywhere
    for high in {first >> 16, (first + len(table)) >> 16}:
        fixed = re.escape(struct.pack(form, high << 16)[:-2] if order == ">" else struct.pack(form, high << 16)[2:])
        for found in re.finditer(b"(?s)(?=%s)" % (fixed + b".." if order == ">" else b".." + fixed), data):
            if found.start() % step:
                continue
            word, = struct.unpack_from(form, data, found.start())
            before, behind = (struct.unpack_from(form, data, found.start() + by)[0] for by in (-width, width))
            typed = any(start <= before < start + len(content) for start, content, _ in parts)
            # The first word of an interface, or the length of a text of one letter: other bytes only look so.
            if first <= word < first + len(table) and word % 8 in (0, 7) and (typed or behind == 1):
                struct.pack_into(form, changed, found.start(), first + (word - first + 13 * 8) % len(table))
                count += 1
    return bytes(changed), count


@test(each=[name for name in OTHERS if re.match(r"go1\.(1[59]|2)", name) and "-pie" not in name], builds=["gcc"])
def numbers_of_the_runtimes_table_are_not_told(name):
    """In whatever memory the address stands: entries of maps, frames, registers."""
    path, exe = (core_file(name[:-5], "core"), core_file(name[:-5], "exe")) if name.endswith(".core") else (dump_of(name), exe_of(name))
    data = pathlib.Path(path).read_bytes()
    other, count = other_numbers(data, exe)
    equal(places(redacted(data, exe), redacted(other, exe)), [], f"where the redacted copies differ, of {count}")


@test(each=range(len(TOOLCHAINS)), builds=["gcc"])
def neither_are_they_in_maps_and_frames(number):
    exe, dump, core, _ = program(number, "exe")
    for path in filter(None, (dump, core)):
        data = pathlib.Path(path).read_bytes()
        other, count = other_numbers(data, exe)
        assert count > 1000, count
        equal(places(redacted(data, exe), redacted(other, exe)), [], f"{path}: where the redacted copies differ, of {count}")


def other_texts(data, exe):
    """The same with every constant text of the executable's beginning a letter later, and how many there were."""
    order, width, parts = loaded(exe)
    form, changed, count = f"{order}{'QQ' if width == 8 else 'II'}", bytearray(data), 0
    zeros, top = b"\0" * (width - 1), b"\0" * (width - 4)
    pattern = top + b"....%s[\x02-\x50]" % zeros if order == ">" else b"....%s[\x02-\x50]%s" % (top, zeros)
    for found in re.finditer(b"(?s)(?=%s)" % pattern, data):
        address, length = struct.unpack_from(form, data, found.start())
        for start, content, writable in parts:
            text = content[address - start:address - start + length + 1] if not writable and start <= address < start + len(content) else b""
            if len(text) > length and re.fullmatch(rb"[ -~]+", text):
                struct.pack_into(form[:2], changed, found.start(), address + 1)
                count += 1
    return bytes(changed), count


@test(each=[name for name in WITH_EXE if not name.endswith("-pie")], builds=["gcc"])
def texts_of_the_executable_are_not_told(name):
    path, exe = dump_of(name), exe_of(name)
    data = pathlib.Path(path).read_bytes()
    other, count = other_texts(data, exe)
    assert count > 20, count
    equal(places(redacted(data, exe), redacted(other, exe)), [], f"where the redacted copies differ, of {count}")


def uvarint(data, at):
    """A number, and where it ends."""
    value = shift = 0
    while data[at] >= 0x80:
        value, shift, at = value | (data[at] & 0x7f) << shift, shift + 7, at + 1
    return value | data[at] << shift, at + 1


def other_constants(name, data):
    """The same with each pointer of an object to what the linker put before the variables, but for types, moved, and
    how many there were."""
    dump, changed, count = oracle(name).dump, bytearray(data), 0
    least = min(segment.address for segment in dump.segments)
    types = {kind.address for kind in dump.types} | {itab for itab, _ in dump.itabs}
    objects = {obj.slot: obj for obj in dump.objects}
    for row in answer("list", "records", unpacked(name), "--columns", "kind,offset"):
        if row["kind"] != "object":
            continue
        slot, at = uvarint(data, row["offset"] + 1)
        _, at = uvarint(data, at)
        for offset, word in dump.words(objects[slot].data, objects[slot].fields):
            if 4096 <= word < least and word not in types:
                struct.pack_into("<Q", changed, at + offset, word + 8)
                count += 1
    return bytes(changed), count


@test(each=ALONE, builds=["gcc"])
def constants_are_not_told_without_the_executable(name):
    data = pathlib.Path(unpacked(name)).read_bytes()
    other, count = other_constants(name, data)
    assert count > 500, count
    equal(places(redacted(data, "/dev/null"), redacted(other, "/dev/null")), [], f"where the redacted copies differ, of {count}")


@test(builds=["gcc"])
def memory_in_the_names_of_types_of_go_1_5_is_not_told():
    """The runtime wrote pieces of its memory, megabytes long, in place of some names."""
    path = dump_of("go1.5.4-server")
    data = pathlib.Path(path).read_bytes()
    skipped = [(row["offset"], int(re.search(r"(\d+) bytes were skipped", row["text"])[1])) for row in answer("list", "warnings", path)]
    equal(len(skipped), 2, "names that are none")
    other = bytearray(data)
    for at, size in skipped:
        assert size > 1 << 20, size
        other[at + 64:at + size - 64] = (b"canary " * (size // 7 + 1))[:size - 128]
    copy = redacted(data, "/dev/null")
    equal(places(copy, redacted(bytes(other), "/dev/null")), [], "where the redacted copies differ")
    for at, size in skipped:
        assert not any(copy[at + 64:at + size - 64]), at


KEYED = """package main

import (
	"os"
	"runtime/debug"
)

type session struct{ items []int64 }

var sessions = map[string]*session{}

func main() {
	sessions["private-"+"c"] = &session{make([]int64, 10, 200000)}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
}
"""


@test(builds=["gcc"])
def an_index_and_a_redacted_report_know_nothing_of_each_other():
    """A finding names an array by the key that leads to it. The index of an ordinary answer adds that key to no
    redacted report, and what a redacted report hides is hidden nowhere else afterwards."""
    go = go_of()
    with tempfile.TemporaryDirectory() as folder:
        source, exe, dump = (os.path.join(folder, name) for name in ("keyed.go", "keyed.exe", "keyed.dump"))
        pathlib.Path(source).write_text(KEYED)
        subprocess.run([go, "build", "-o", exe, source], check=True, env=building())
        subprocess.run([exe, dump], check=True)

        def ask(*words, index):
            return run(*words, dump, "--exe", exe, "--index", os.path.join(folder, index), expect=0, environment={"XDG_CACHE_HOME": folder}).out
        for first in ("report", "list"):
            plain = ask("list", "findings", index=first) if first == "list" else ""
            for form in ("json", "html", "md"):
                shown = ask("report", "--redact", "--format", form, index=first).replace("\\", "")
                assert "sessions[key]" in shown and "private-" not in shown, (first, form)
            again = ask("list", "findings", index=first)
            assert 'sessions["private-c"]' in again and plain in ("", again), (first, again)
