"""Global variables without pointers: core files have them, heap dumps have not."""

import json
import pathlib
import struct

from core_files import core, file, truth
from cores import changed
from elf import Elf
from harness import answer, equal, run, stored, test

NAME = "go1.19-park-plain-quiet"
SIZE = "runtime.physPageSize"


def value(name, path):
    """What is told of a variable that is no object: its value and its type."""
    told = run("show", path, name, "--exe", file(NAME, "exe"), "--json")
    if told.status:
        return None
    shown = json.loads(told.out)
    if "its value is not in the dump" in shown.get("value", ""):
        return None
    equal(shown["name"], name, "name")
    return shown["text"], shown["type"]


def address_of(name):
    exe = Elf(pathlib.Path(file(NAME, "exe")).read_bytes())
    (names, _), (start, size) = exe.place(".strtab"), exe.place(".symtab")
    for at in range(start, start + size, 24):
        begin, _, _, _, address, _ = struct.unpack_from("<IBBHQQ", exe.bytes, at)
        if exe.bytes.startswith(name.encode() + b"\0", names + begin):
            return address
    raise KeyError(name)


@test
def their_values_are_those_that_the_program_had():
    path = core(NAME)
    equal(value(SIZE, path), ("0x1000", "uintptr"), SIZE)
    # park.go: debug.SetGCPercent(-1)
    equal(value("runtime.gcController.gcPercent.value", path), ("-1", "int32"), "percent")
    memory = truth(NAME)
    equal(value("runtime.memstats.numgc", path), (str(memory["NumGC"]), "uint32"), "collections")
    equal(value("runtime.memstats.pause_total_ns", path), (str(memory["PauseTotalNs"]), "uint64"), "pauses")


@test
def they_come_from_the_memory_and_not_from_the_executable():
    with changed("variable", NAME) as (memory, path):
        memory.put(address_of(SIZE), 0x4321)
        equal(value(SIZE, path), ("0x4321", "uintptr"), SIZE)


@test
def a_dump_lacks_them():
    equal(value(SIZE, file(NAME, "dump")), None, SIZE)


@test
def a_lock_in_a_variable_has_a_name_and_a_state():
    files = [stored("cases/lock-static-1.26/app.core"), "--exe", stored("cases/lock-static-1.26/app")]
    shown = answer("show", files[0], "main.reg.mu", *files[1:])
    equal((shown["text"], shown["type"]), ("locked, 250 wait", "sync.RWMutex"), "show")
    right = "main.reg.mu is locked, 250 wait (sync.RWMutex)."
    assert right in run(*files, "-e", "goto main.reg.mu", expect=0).out
    groups = run("list", "groups", *files, "--where", "count = 250", "--csv", "--columns", "waits_on", expect=0).out
    assert "main.reg.mu" in groups, groups
