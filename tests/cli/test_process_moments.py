"""Processes and core files of moments when little is there yet, or not any more, and of much that is nothing."""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import stat
import struct
import subprocess
import tempfile

from harness import DEADLINE, ENVIRONMENT, PROGRAM, UNPACKED, Skip, answer, equal, run, test
from live import (
    CORE, DETACH, LIBC, PARK, executable, goes_on, may_look, parked, ptrace, restless, running, snapshot_into, status, wait_for,
)
from survive import measured

TRACE_ME, TO_NEXT_CALL = 0, 24
NO_HEAP = "of a moment before the program began"


@contextlib.contextmanager
def begun(path, calls):
    """A process that stands still after its first thread has made so many system calls."""
    process = subprocess.Popen([path, "1500", str(UNPACKED / f"begun{calls}.{os.getpid()}"), "quiet"], cwd="/", env={},
                               stdout=subprocess.DEVNULL, preexec_fn=lambda: ptrace(TRACE_ME, 0))
    try:
        os.waitpid(process.pid, 0)
        for _ in range(2 * calls):  # each stops it when it begins and when it ends
            ptrace(TO_NEXT_CALL, process.pid)
            assert os.WIFSTOPPED(os.waitpid(process.pid, 0)[1]), "it has ended"
        LIBC.ptrace(DETACH, process.pid, None, signal.SIGSTOP)
        wait_for(lambda: status(process.pid)["State"][0] == "T", "it does not stop")
        yield process
    finally:
        process.kill()
        process.wait()
        for path in UNPACKED.glob(f"begun{calls}.{os.getpid()}*"):
            path.unlink()


@test(each=PARK)
def a_process_that_has_just_begun(name):
    """Before the runtime has a heap there is nothing to read; from then on what is there is right."""
    may_look()
    objects = []
    for calls in (0, 1, 12, 24, 30, 34, 40, 60, 100):
        with begun(executable(name), calls) as process:
            told = run("info", str(process.pid), "-y", "--json")
            if told.status == 2:
                assert NO_HEAP in told.err and told.err.count("\n") == 1, told.err
                assert not objects, "the heap was found before"
                continue
            info = json.loads(told.out)
            equal((told.status, info["whole"], info["dangling_pointers"]), (0, True, 0), f"after {calls} calls")
            objects.append(info["objects"])
    assert objects and objects[0] < 100 and objects == sorted(objects), objects


@test
def a_core_file_of_the_first_and_of_the_last_moment():
    debugger = shutil.which("gdb")
    if not debugger:
        raise Skip("there is no gdb, package gdb has it")
    path = UNPACKED / "moment.core"
    for until, heap in ((["starti"], False), (["set startup-with-shell off", "catch syscall exit_group", "run"], True)):
        path.unlink(missing_ok=True)
        steps = [word for step in [*until, f"generate-core-file {path}", "kill"] for word in ("-ex", step)]
        told = subprocess.run([debugger, "-nx", "-batch", *steps, executable(PARK[0])], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, env={"HOME": "/nonexistent"}, timeout=300)
        if not path.exists():
            raise Skip(f"gdb writes no core file here: {told.stderr[-200:]}")
        if heap:  # without arguments it ends by a panic
            info = answer("info", path, "--exe", executable(PARK[0]))
            equal((info["whole"], info["dangling_pointers"], info["goroutines"] > 0), (True, 0, True), "info")
        else:
            assert NO_HEAP in run("info", path, "--exe", executable(PARK[0]), expect=2).err
    path.unlink(missing_ok=True)


def with_zeros(path, size):
    """A snapshot in which all that is only reserved is written as zeros, as gdb does, and as much again."""
    content = bytearray(path.read_bytes())
    start, count = struct.unpack_from("<Q", content, 32)[0], struct.unpack_from("<H", content, 56)[0]
    end, reserved = len(content), []
    for header in range(start, start + 56 * count, 56):
        kind, flags, _, address, _, filled, mapped, _ = struct.unpack_from("<IIQQQQQQ", content, header)
        if kind == 1 and not filled and not flags:
            reserved.append(header)
    for header in reserved:
        address, mapped = struct.unpack_from("<Q", content, header + 16)[0], struct.unpack_from("<Q", content, header + 40)[0]
        if header == reserved[-1]:
            address, mapped = 0x100000000000, size
        struct.pack_into("<IIQQQQQ", content, header, 1, 6, end, address, 0, mapped, mapped)
        end += mapped
    assert reserved, "nothing is reserved"
    other = path.with_suffix(".zeros.core")
    other.write_bytes(content)
    os.truncate(other, end)
    return other


@test(builds=["gcc"])
def gigabytes_of_zeros_in_a_core_file_cost_nothing():
    may_look()
    path, exe = UNPACKED / "nothing.core", executable(PARK[1])
    with parked(PARK[1], "quiet") as process:
        run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
    zeros = with_zeros(path, 6 << 30)
    assert zeros.stat().st_size > 6 << 30
    for words in (("info",), ("list", "memory"), ("list", "objects")):
        plain, padded = (measured(*words, core, "--exe", exe) for core in (path, zeros))
        equal((plain.status, padded.status), (0, 0), "status")
        # Neither grows with the zeros. Those of the runtime's tables come along, where nothing was: 10 to 18 MB, for 1 GB
        # and for 24, as it is only looked where the runtime has something.
        assert padded.memory < plain.memory + (24 << 20), f"{words}: {plain.memory} bytes, {padded.memory} with zeros"
        # A page fault brings 64 KB of a mapped file: all of it would be 100,000 of them.
        assert padded.faults < plain.faults * 2, f"{words}: {plain.faults} page faults, {padded.faults} with zeros"
    one, other = (answer("info", core, "--exe", exe) for core in (path, zeros))
    for key in ("objects", "object_bytes", "pointers", "goroutines", "roots"):
        equal(other[key], one[key], key)
    zeros.unlink()


@test(each=["", "--fork", "--zstd"])
def room_that_ends_in_the_middle_of_a_copy(way):
    may_look()
    folder = pathlib.Path(UNPACKED / f"middle{way}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with parked(PARK[0], "quiet") as process:
        for words in (["snapshot", "-o", str(folder / "x.core")], ["info"]):
            if words == ["info"] and way == "--zstd":
                continue
            told = subprocess.run([PROGRAM, *words, str(process.pid), "-y", *way.split()], capture_output=True, text=True,
                                  env={**ENVIRONMENT, "TMPDIR": str(folder)}, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
            equal((told.returncode, list(folder.iterdir())), (2, []), told.stderr)
            assert "cannot be written: File too large" in told.stderr and told.stderr.count("\n") == 1, told.stderr
            goes_on(process)


PLACES = {"a core file": ["snapshot", "PID", "-y"], "compressed": ["snapshot", "PID", "-y", "--zstd", "--fork"],
          "the executable": ["snapshot", "PID", "--only-exe"], "redacted": ["redact", "CORE"]}


@test(each=PLACES)
def what_is_no_file_stays_what_it_is(what):
    """A named pipe gets all, as the standard output does; so a device is not lost by it. A link leads to the file."""
    may_look()
    with restless("quiet") as process, tempfile.TemporaryDirectory() as folder:
        pipe, file, link, copy = (pathlib.Path(folder) / name for name in ("pipe", "file", "link", "copy"))
        snapshot_into(CORE, process)
        words = [str({"PID": process.pid, "CORE": CORE}.get(word, word)) for word in PLACES[what]]
        os.mkfifo(pipe)
        link.symlink_to("file")
        file.write_text("old")
        with open(copy, "wb") as output, running("cat", str(pipe), stdout=output) as reader:
            printed = run(*words, "-o", pipe, expect=0)
            reader.wait(timeout=DEADLINE)
        equal((stat.S_ISFIFO(pipe.stat().st_mode), printed.out), (True, ""), "a pipe, and what is printed")
        run(*words, "-o", link, expect=0)
        equal((link.is_symlink(), sorted(os.listdir(folder))), (True, ["copy", "file", "link", "pipe"]), "the link, and files")
        equal(copy.read_bytes()[:4], file.read_bytes()[:4], "how it begins")
        if what in ("the executable", "redacted"):
            assert copy.read_bytes() == file.read_bytes(), "it is another one through the pipe"
