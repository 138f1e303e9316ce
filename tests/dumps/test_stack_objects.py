"""Pointers in variables on stacks whose address is taken, which no record of a dump lists: the program against the
reader in tests/oracle, and against core files of the same instant."""

import pathlib
import shutil
import subprocess

from core_files import QUIET, file
from harness import ROOT, UNPACKED, answer, equal, test, unpack
from live import may_look, running, snapshot_into
from program import Program
from toolchains import CASES, MODES, environment, toolchain

import godump
import graph

LATER = 5  # objects of the goroutine that writes the dump, which goes on
SOURCE = ROOT / "testdata" / "src" / "stackobjects"


@test
def what_a_sender_sends_is_alive():
    """100 arrays of 3 KB survive two collections; see sendbuf.go."""
    dump = unpack(ROOT / "testdata" / "sendbuf.dump.xz", UNPACKED / "sendbuf.dump")
    exe = unpack(ROOT / "testdata" / "sendbuf.exe.xz", UNPACKED / "named" / "sendbuf")
    for words in ([], ["--exe", exe]):
        rows = answer("list", "objects", dump, *words, "--columns", "size,reachable")
        equal([row["reachable"] for row in rows if row["size"] == 3072], [True] * 100, "arrays")
    names = {row["name"].split(" +")[0] for row in answer("list", "where", dump, "--exe", exe) if row["count"] == 100}
    equal(names, {"main.send", "goroutine main.send", "wait of main.send"}, "places, after the function that a wrapper calls")


def told(dump, *words):
    """(reachable bytes, {(address of a word, object, whether it is a guess)}) of frames."""
    rows = answer("list", "roots", dump, "frame", *words)
    return answer("info", dump, *words)["reachable_bytes"], {
        (int(row["address"], 16), int(row["object"], 16), "~" in row["name"]) for row in rows
    }


def seen(dump, exe=None):
    """The same by the second reader."""
    read = godump.read(godump.load(dump))
    by = graph.Graph(read, exe and Program(exe, read.params.version))
    return by.reachable_bytes(), {(root.address, read.address(root.target), root.guess) for root in by.roots if root.kind == "frame"}


def is_read_alike(dump, exe):
    """With and without the executable. Returns what is reachable."""
    exactly, alone = told(dump, "--exe", exe), told(dump)
    equal(exactly[0], seen(dump, exe)[0], "bytes with the executable")
    equal(exactly[1] ^ seen(dump, exe)[1], set(), "words of frames with the executable")
    equal(alone[0], seen(dump)[0], "bytes without")
    equal(alone[1] ^ seen(dump)[1], set(), "words of frames without")
    assert exactly[0] <= alone[0] <= 1.01 * exactly[0], (exactly[0], alone[0])
    return exactly


@test(each=QUIET)
def words_of_frames_are_those_that_the_executable_tells(name):
    dump, exe = file(name, "dump"), file(name, "exe")
    alone = UNPACKED / "alone" / pathlib.Path(dump).name  # away from its executable
    alone.parent.mkdir(exist_ok=True)
    shutil.copyfile(dump, alone)
    is_read_alike(str(alone), exe)


@test
def a_guess_is_found_by_its_name():
    dump = unpack(ROOT / "testdata" / "sendbuf.dump.xz", UNPACKED / "sendbuf.dump")
    guess = next(row for row in answer("list", "roots", dump, "frame") if "~" in row["name"])
    for name in (guess["name"], guess["name"].replace("~", "")):
        equal(answer("show", dump, name)["address"], guess["object"], name)


# ---- Programs of each release


def built(number, mode):
    go, minor = toolchain(number)
    path = UNPACKED / f"stackobjects-{number}-{mode}"
    flags, link = MODES[mode]
    subprocess.run([go, "build", "-trimpath", *flags, f"-ldflags={link}", "-o", path, "."], cwd=SOURCE, env=environment(mode), check=True)
    return str(path), minor


def reachable(path, *words):
    rows = answer("list", "objects", path, *words, "--columns", "address,size,reachable")
    return {row["address"]: (row["size"], row["reachable"]) for row in rows}


@test(each=CASES, builds=["gcc"])
def a_dump_and_a_core_of_one_instant_agree(case):
    """And both hold what the program says."""
    may_look()
    number, _, mode = case.partition("-")
    exe, _ = built(int(number), mode)
    dump, path = (str(UNPACKED / f"instant-{case}.{kind}") for kind in ("dump", "core"))
    with running(exe, dump, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        equal(process.stderr.readline(), b"ready\n", "the program")
        snapshot_into(path, process)
        process.kill()
        held = [line.split() for line in process.stdout.read().decode().splitlines()]
    equal(len(held), 160, "objects that the program holds")
    exactly, of_core, alone = reachable(dump, "--exe", exe), reachable(path, "--exe", exe), reachable(dump)
    for name, rows in (("the dump", exactly), ("the dump alone", alone), ("the core", of_core)):
        equal([line for line in held if not rows[line[1]][1]], [], f"lost in {name}")
    other = {address: row for address, row in exactly.items() if row != of_core.get(address, row)}
    assert len(other) <= LATER, other
    sizes = [sum(size for size, alive in rows.values() if alive) for rows in (exactly, alone)]
    assert sizes[0] <= sizes[1] <= 1.01 * sizes[0], sizes
    if mode == "exe":  # the second reader looks for no address that a program was loaded at
        is_read_alike(dump, exe)
