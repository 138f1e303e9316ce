"""Processes that tests look into, and what must hold of them afterwards."""

import contextlib
import ctypes
import os
import re
import subprocess
import time

from harness import TESTDATA, UNPACKED, Skip, unpack

LIBC = ctypes.CDLL(None, use_errno=True)
SEIZE, DETACH = 0x4206, 17


def ptrace(request, pid, data=0):
    """As the system call; False: it is refused."""
    return LIBC.ptrace(request, pid, ctypes.c_void_p(0), ctypes.c_void_p(data)) == 0


def may_look():
    """Are we allowed to trace a child of ours?"""
    child = subprocess.Popen(["sleep", "60"])
    try:
        if not ptrace(SEIZE, child.pid):
            raise Skip("ptrace is not allowed here")
        LIBC.ptrace(DETACH, child.pid, None, None)
    finally:
        child.kill()
        child.wait()


PARK = ["go1.26-park-stripped-quiet", "go1.19-park-plain-quiet"]


def executable(name):
    path = unpack(TESTDATA / "core" / f"{name}.exe.xz", UNPACKED / f"{name}.run")
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o700)  # only once: it is a change that goheapx would tell of
    return path


@contextlib.contextmanager
def parked(name, how, path=None, processors=None):
    """A process that has made its heap: quiet ones wait, busy ones go on allocating."""
    out = UNPACKED / f"live.{os.getpid()}"
    process = subprocess.Popen([path or executable(name), "1500", str(out), how], cwd="/",
                               env={"GOMAXPROCS": str(processors)} if processors else {},
                               stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        assert process.stdout.readline(), "the process has ended"
        if process.poll() is not None:
            raise Skip("this machine does not run amd64 programs")
        yield process
    finally:
        process.kill()
        process.wait()
        for path in out.parent.glob(out.name + "*"):
            path.unlink()


def status(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def worked(process):
    """Ticks of processor time that all its threads have had."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        return sum(map(int, file.read().rpartition(") ")[2].split()[11:13]))


def of_threads(pid, file):
    """What a file of each of its threads holds, by the thread's id; those that end meanwhile are left out."""
    contents = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/task/{thread}/{file}", encoding="utf-8") as opened:
                contents[int(thread)] = opened.read()
    return contents


def wait_for(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.02)


def goes_on(process):
    """It runs, untraced, all threads of it; it is given a moment to be let go."""

    def state():
        threads = [text.partition("State:\t")[2][:1] for text in of_threads(process.pid, "status").values()]
        return status(process.pid)["TracerPid"], "".join(sorted(threads))

    wait_for(lambda: re.fullmatch("0[RSD]+", "".join(state())), lambda: f"tracer and states of threads: {state()}")
