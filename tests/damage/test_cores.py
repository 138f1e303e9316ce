"""Core files that are cut or changed: an answer or a sentence, never a crash, and a loss is told."""

import os
import random
import shutil
import struct

from cores import LOAD, changed, core_and_exe
from harness import SANITIZED, UNPACKED, answer, equal, run, test

SAMPLES = int(os.environ.get("DAMAGE", "12"))


def ask(path, exe):
    """Both tables that go through all of it. The status is 0 or 2, and 2 comes with one line."""
    for command in (("info",), ("list", "roots")):
        result = run(*command, path, "--exe", exe, "--json")
        assert result.status in (0, 2), result
        if result.status == 2:
            assert result.err.count("\n") == 1, result.err
    return result


def copy(name):
    path = UNPACKED / f"damaged.{os.getpid()}.{name}"
    shutil.copy(core_and_exe()[0], path)
    return path


@test
def a_core_that_is_cut_says_so():
    core, exe = core_and_exe()
    size = os.stat(core).st_size
    path = copy("cut")
    chance = random.Random(1)
    try:
        for end in sorted([chance.randrange(size) for _ in range(SAMPLES)] + [0, 1, 63, 64, 200, 4096], reverse=True):
            os.truncate(path, end)
            result = ask(path, exe)
            assert result.err, (end, "nothing is said")
            assert "heap of the program" not in result.err or "The core file is cut: " in result.err, (end, result.err)
    finally:
        path.unlink()


@test
def a_list_of_segments_that_is_not_there_is_told():
    """The first section header says that there are so many; the list of them ends with the file."""
    core, exe = core_and_exe()
    path = copy("segments")
    with open(core, "rb") as file:
        data = bytearray(file.read())
    count = struct.unpack_from("<H", data, 56)[0]
    struct.pack_into("<H", data, 56, 0xffff)
    start = struct.unpack_from("<Q", data, 32)[0]
    headers = bytes(data[start:start + 56 * count])
    struct.pack_into("<QQ", data, 32, len(data) + 64, len(data))
    struct.pack_into("<HHH", data, 58, 64, 1, 0)
    try:
        for said, lost in ((count, False), (1 << 22, True), ((1 << 32) - 1, True)):
            path.write_bytes(bytes(data) + bytes(44) + struct.pack("<I", said) + bytes(16) + headers)
            result = run("info", path, "--exe", exe, expect=0)
            equal("segments that the core file says it has are not read" in result.out + result.err, lost, f"told of {said}")
    finally:
        path.unlink()


def segments(data):
    """Offsets in the file of what is not zero in a core: headers, notes, and pages with content."""
    count = struct.unpack_from("<H", data, 56)[0]
    return range(64, 64 + count * 56), count


@test
def changed_bytes_do_no_harm():
    core, exe = core_and_exe()
    path = copy("changed")
    with open(core, "rb") as file:
        data = file.read()
    headers, _ = segments(data)
    places = [i for i in range(0, len(data), 8) if data[i:i + 8] != bytes(8)]
    chance = random.Random(2)
    try:
        with open(path, "r+b", buffering=0) as file:
            for number in range(SAMPLES // 2 if SANITIZED else SAMPLES * 2):
                at = chance.choice(headers) if number % 3 == 0 else chance.choice(places)
                change = chance.choice([bytes(8), b"\xff" * 8, struct.pack("<Q", at), bytes([chance.randrange(256)])])
                for offset, content in [(at, change)] + [(p, bytes(8)) for p in chance.sample(places, 200) if number % 2]:
                    file.seek(offset)
                    file.write(content)
                ask(path, exe)
                file.seek(0)
                for offset in range(0, len(data), 1 << 20):
                    file.seek(offset)
                    file.write(data[offset:offset + (1 << 20)])
    finally:
        path.unlink()


@test
def a_signal_stack_without_end_is_not_searched_to_its_end():
    # Offsets of Go 1.26: of the goroutine's status, system call and thread; of the thread's id and of
    # the goroutine that handles its signals.
    status, in_call, m, procid, gsignal, rsp = 144, 104, 48, 64, 72, 19 * 8
    exe = core_and_exe()[1]
    with changed("signal") as (core, path):
        row = next(r for r in answer("list", "goroutines", path, "--exe", exe) if r["status"] == "syscall")
        goroutine = int(row["address"], 16)
        thread = core.word(goroutine + m)
        stack = core.word(thread + gsignal)
        core.put(goroutine + status, 2, "<I")
        core.put(goroutine + in_call, 0)
        core.put(stack, 0)
        core.put(stack + 8, 2**64 - 8)
        core.write(core.thread(core.word(thread + procid)) + rsp, struct.pack("<Q", 4))
        rows = answer("list", "goroutines", path, "--exe", exe)
        equal([r["status"] for r in rows if r["id"] == row["id"]], ["running"], "status")


@test
def numbers_behind_the_first_goroutines_address_are_no_list():
    """Of a stripped executable the list of goroutines is searched for; its address stands elsewhere, too."""
    goid, exe = 152, core_and_exe()[1]
    with changed("goroutines") as (core, path):
        right = answer("list", "goroutines", path, "--exe", exe)
        words = {start + i * 8: word for kind, _, at, start, _, size, _, _ in core.parts if kind == LOAD and start < 1 << 24
                 for i, (word,) in enumerate(struct.iter_unpack("<Q", core.at(at, size // 8 * 8)))}
        is_list = {at: len(right) <= words.get(at + 8, 0) <= words.get(at + 16, 0) < 1000 for at in words}
        lists = [at for at, word in words.items() if is_list[at] and core.has(word) and core.has(core.word(word) + goid)
                 and core.word(core.word(word) + goid) == 1]
        alone = [at for at, word in words.items() if lists and word == words[lists[0]] and not is_list[at]]
        first, count, capacity = (core.word(lists[0] + i * 8) for i in range(3))
        assert alone and count < capacity - 1, (lists, alone, count, capacity)
        core.put(first + (capacity - 1) * 8, core.word(first))
        for more in (capacity, 4096, 1 << 26):
            core.put(alone[0] + 8, more)
            core.put(alone[0] + 16, more)
            equal(answer("list", "goroutines", path, "--exe", exe), right, f"goroutines beside {more}")


@test
def machines_that_cannot_be_read_are_named():
    path = UNPACKED / f"machine.{os.getpid()}.core"
    cases = [(3, 1, "<", "386"), (8, 1, ">", "mips"), (22, 2, ">", "s390x"), (40, 1, "<", "arm"), (99, 2, "<", "another machine")]
    try:
        for machine, wide, order, name in cases:
            ident = b"\x7fELF" + bytes([wide, 1 if order == "<" else 2, 1]) + bytes(9)
            path.write_bytes(ident + struct.pack(f"{order}HHI", 4, machine, 1) + bytes(100))
            told = run("info", path, expect=2).err
            assert f"this one is of {name}. " in told and "WriteHeapDump" in told, told
    finally:
        path.unlink()


@test
def a_table_that_is_wrong_is_refused():
    core, exe = core_and_exe()
    path = UNPACKED / f"wrong.{os.getpid()}.exe"
    with open(exe, "rb") as file:
        content = file.read()
    try:
        for minor in (17, 19, 21, 22, 24, 25, 27):
            path.write_bytes(content.replace(b"go1.26.10", f"go1.{minor}.10".encode()))
            told = run("info", core, "--exe", path, expect=2).err
            assert "was not found" in told or "does not fit" in told, told
    finally:
        path.unlink()


@test
def a_core_without_notes_or_of_another_program_says_so():
    exe = core_and_exe()[1]
    with changed("notes") as (core, path):
        name = next(at for what, at, _ in core.notes() if what == 3) + 40
        core.write(name, b"other\x1b[31m\0\0\0\0\0\0")
        told = run("info", path, "--exe", __file__, expect=2).err
        assert "is of the program other" in told and "\x1b" not in told, told
        core.write(name - 40 + 3, bytes(1))
        start = struct.unpack("<Q", core.at(32, 8))[0]
        for number, part in enumerate(core.parts):
            if part[0] == 4:
                core.write(start + number * 56, struct.pack("<I", 0))
        result = run("info", path, "--exe", exe, expect=0)
        rows = answer("list", "warnings", path, "--exe", exe)
        assert result.err and any("no threads" in row["text"] for row in rows), rows
        assert "with the program's executable" in run("info", path, expect=2).err


@test
def executables_that_are_broken_do_no_harm():
    core, exe = core_and_exe()
    path = UNPACKED / f"broken.{os.getpid()}.exe"
    with open(exe, "rb") as file:
        content = file.read()
    chance = random.Random(3)
    headers = struct.unpack_from("<Q", content, 40)[0]
    try:
        for number in range(SAMPLES):
            broken = bytearray(content)
            for _ in range(1 + number % 4 * 40):
                at = chance.randrange(headers, len(content)) if number % 2 else chance.randrange(len(content))
                broken[at] = chance.randrange(256)
            path.write_bytes(broken[: chance.randrange(len(content))] if number % 5 == 0 else broken)
            ask(core, path)
    finally:
        path.unlink()
