"""Pointers in variables on stacks whose address is taken, which no record of a dump lists: the program against the
reader in tests/oracle, and against core files of the same instant."""

import fcntl
import pathlib
import shutil
import subprocess

from core_files import QUIET, file
from harness import ROOT, UNPACKED, Skip, answer, equal, test, unpack
from live import may_look, running, snapshot_into
from program import Program
from toolchains import CASES, MODES, TOOLCHAINS, environment, toolchain

import godump
import graph

LATER = 5  # objects of the goroutine that writes the dump, which goes on
SOURCES = ROOT / "testdata" / "src"
PROGRAMS = """arguments arrays callbacks channels closures contexts dead defers finalizers generics globals interfaces iterators
    locks maps panics pools reads recursion reflection selects sleeps timers unstarted weak""".split()


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


def built(source, number, mode):
    """By the first of the tests that need it."""
    go, minor = toolchain(number)
    path = UNPACKED / f"{source}-go1.{minor}-{mode}"
    flags, link = MODES[mode]
    newest = max(file.stat().st_mtime for file in (SOURCES / source).iterdir())
    with open(f"{path}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists() or path.stat().st_mtime < newest:
            subprocess.run([go, "build", "-trimpath", *flags, f"-ldflags={link}", "-o", path, "."], cwd=SOURCES / source,
                           env=environment(mode), check=True)
    return str(path)


def reachable(path, *words):
    rows = answer("list", "objects", path, *words, "--columns", "address,size,reachable")
    return {row["address"]: (row["size"], row["reachable"]) for row in rows}


@test(each=CASES, builds=["gcc"])
def a_dump_and_a_core_of_one_instant_agree(case):
    """And both hold what the program says."""
    may_look()
    number, _, mode = case.partition("-")
    exe = built("stackobjects", int(number), mode)
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


def held_by_cleanups(core, exe, addresses):
    """Those of the objects that nothing else leads to: dumps have no record of cleanups."""
    told = answer("path", core, *addresses, "--exe", exe) if addresses else []
    paths = told if len(addresses) == 1 else [path for one in told for path in one]
    others = {path[-1]["address"] for path in paths if "cleanup" not in path[0]["name"] or any(path[0]["also"].values())}
    return {path[-1]["address"] for path in paths} - others


def agree(number, mode, *cases):
    """The heap dump with and without the executable, the core with and without it, and what the program says."""
    may_look()
    exe = built("instants", number, mode)
    name = f"instants-{number}-{mode}-{'-'.join(cases)}"
    dump, core = (str(UNPACKED / f"{name}.{kind}") for kind in ("dump", "core"))
    with running(exe, *cases, dump, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        said = process.stderr.readline()
        if said == b"there is none\n":
            raise Skip("this release has no such thing")
        equal(said, b"ready\n", "the program")
        snapshot_into(core, process)
        process.kill()
        truth = [line.split() for line in process.stdout.read().decode().splitlines()]
    assert len(truth) > 4 or cases, truth
    answers = {"the dump": reachable(dump, "--exe", exe), "the dump alone": reachable(dump),
               "the core": reachable(core, "--exe", exe), "the core alone": reachable(core)}
    equal(answers["the core"], answers["the core alone"], "the core, with the executable and without")
    other = [address for address, row in answers["the dump"].items() if row != answers["the core"].get(address, row)]
    cleaned = held_by_cleanups(core, exe, [address for address in other if answers["the core"][address][1]])
    assert len(set(other) - cleaned) <= LATER, (name, set(other) - cleaned)
    for what, rows in answers.items():
        lost = [line for line in truth if line[0] == "alive" and not rows[line[2]][1] and line[2] not in cleaned]
        equal(lost, [], f"{name}: lost in {what}")
        if cases and what != "the dump alone":
            equal([line for line in truth if line[0] == "dead" and rows.get(line[2], (0, False))[1]], [], f"{name}: alive in {what}")
    sizes = [sum(size for size, alive in answers[what].values() if alive) for what in ("the dump", "the dump alone")]
    assert sizes[0] <= sizes[1] <= 1.01 * sizes[0], (name, sizes)
    return dump, exe


@test(each=[f"{number}-{program}" for number in range(len(TOOLCHAINS)) for program in PROGRAMS], builds=["gcc"], most=0)
def a_dump_and_a_core_of_each_program_agree(case):
    number, _, program = case.partition("-")
    is_read_alike(*agree(int(number), "exe", program))


@test(each=CASES, builds=["gcc"])
def a_dump_and_a_core_of_all_in_one_agree(case):
    number, _, mode = case.partition("-")
    agree(int(number), mode)
