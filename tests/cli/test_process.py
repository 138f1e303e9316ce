"""Running processes: what is copied of them is right, and they go on as if nothing had been."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from harness import ENVIRONMENT, PROGRAM, TESTDATA, UNPACKED, Skip, answer, equal, run, test, unpack

PARK = ["go1.26-park-stripped-quiet", "go1.19-park-plain-quiet"]
TIMES = int(os.environ.get("SNAPSHOTS", "4"))


def executable(name):
    path = unpack(TESTDATA / "core" / f"{name}.exe.xz", UNPACKED / f"{name}.run")
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o700)  # only once: it is a change that goheapx would tell of
    return path


def may_look():
    """Are we allowed to stop a child of ours?"""
    child = subprocess.Popen(["sleep", "60"])
    try:
        told = run("snapshot", str(child.pid), "-o", str(UNPACKED / "none.core")).err
    finally:
        child.kill()
        child.wait()
    if "may not be looked into" in told:
        raise Skip("ptrace is not allowed here")


@contextlib.contextmanager
def parked(name, how):
    """A process that has made its heap: quiet ones wait, busy ones go on allocating."""
    out = UNPACKED / f"live.{os.getpid()}"
    process = subprocess.Popen([executable(name), "1500", str(out), how], env={}, cwd="/",
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


def goes_on(process):
    """It runs, untraced, all threads of it; it is given a moment to be let go."""
    deadline = time.monotonic() + 20
    while True:
        stopped = [t for t in os.listdir(f"/proc/{process.pid}/task")
                   if status(f"{process.pid}/task/{t}")["State"][0] in "tT"]
        told = status(process.pid)
        if not stopped and told["TracerPid"] == "0" and told["State"][0] in "RSD":
            return
        assert time.monotonic() < deadline, (told["State"], told["TracerPid"], stopped)
        time.sleep(0.01)


@test(each=PARK)
def a_process_is_read_while_it_allocates_and_collects(name):
    may_look()
    with parked(name, "busy") as process:
        for _ in range(TIMES):
            told = run("info", str(process.pid), "--json", expect=0)
            equal(told.err, "", "what is said of the copy")
            info = json.loads(told.out)
            equal((info["format"], info["dangling_pointers"], info["whole"]), ("go-core", 0, True), "info")
            equal(info["pid"], process.pid, "pid")
            assert info["goroutines"] > 60 and info["reachable_objects"] > 15000, info
            goes_on(process)
        before = worked(process)
        deadline = time.monotonic() + 60
        while worked(process) == before:
            assert time.monotonic() < deadline, "it does nothing any more"
            time.sleep(0.05)


@test
def a_snapshot_is_a_core_file():
    may_look()
    with parked(PARK[0], "quiet") as process:
        path = UNPACKED / "snapshot.core"
        path.unlink(missing_ok=True)
        told = run("snapshot", str(process.pid), "-o", str(path), expect=0).out
        assert "stopped for" in told and str(process.pid) in told, told
        equal(path.stat().st_mode & 0o777, 0o600, "rights")
        info = answer("info", path, "--exe", executable(PARK[0]))
        equal((info["format"], info["complete"], info["dangling_pointers"]), ("go-core", True, 0), "info")
        goes_on(process)
        debugger = shutil.which("gdb")
        if debugger:
            shown = subprocess.run([debugger, "-batch", "-ex", "info threads", executable(PARK[0]), str(path)],
                                   capture_output=True, text=True, check=False).stdout
            rows = re.findall(r"^\*? +\d+ +(?:Thread.*)?\(?LWP \d+", shown, re.M)
            equal(len(rows), int(status(process.pid)["Threads"]), shown)


@test
def a_process_goes_on_when_goheapx_is_killed():
    may_look()
    chance = random.Random(3)
    with parked(PARK[0], "busy") as process:
        for _ in range(TIMES * 3):
            reader = subprocess.Popen([PROGRAM, "info", str(process.pid)], env=ENVIRONMENT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * 0.1)
            reader.send_signal(signal.SIGKILL)
            reader.wait()
            goes_on(process)


@test
def what_cannot_be_read_is_told():
    may_look()
    sleeping = subprocess.Popen(["sleep", "60"])
    try:
        told = run("info", str(sleeping.pid), expect=2).err
        assert "no Go program" in told, told
        goes_on(sleeping)
    finally:
        sleeping.kill()
    told = run("info", str(sleeping.pid), expect=2).err  # a zombie now
    assert told.count("\n") == 1, told
    sleeping.wait()
    assert "no process 4194999" in run("info", "4194999", expect=2).err
    assert "is no process" in run("snapshot", "nothing-like-this", expect=2).err
    equal([p for p in UNPACKED.glob("*.core.*") if not p.name.endswith(".xz")], [], "files that were left")
