"""Nothing that is asked of a process may end, freeze or change it: processes that become other programs, make
processes and threads, end, have filters of system calls, or are in a namespace. HARM is how many snapshots of each:
`make harm` takes 300."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from harness import DEADLINE, ENVIRONMENT, PROGRAM, Skip, equal, run, test
from live import (
    CORE, DETACH, PARK, SEIZE, TIMES, copies, goes_on, may_look, of_threads, parked, ptrace, restless, restless_program, snapshot,
    snapshot_in_time, status, wait_for, worked,
)

WALL, INTERRUPT = 0x40000000, 0x4207
FILTERED = "a seccomp filter may end it for that"
# What it does, and whether it can be forked.
KINDS = {"quiet": True, "exec": True, "fork": True, "threads": True, "kill": False, "errno": False, "log": False}
WAYS = [f"{how}{fork}" for how in KINDS for fork in ("", "--fork")]


def mapped(pid):
    """Files and code; the runtime itself maps more memory from time to time."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        return [line for line in file if "/" in line or "x" in line.split()[1]]


def moves(process):
    before = worked(process)
    wait_for(lambda: worked(process) != before, "it does nothing any more")


@test(each=WAYS)
def a_process_that_is_never_the_same_goes_on(way):
    how, fork = way.removesuffix("--fork"), way.endswith("--fork")
    may_look()
    with restless(how) as process:
        before, done = mapped(process.pid), 0
        for _ in range(TIMES):
            take = snapshot if how == "exec" else snapshot_in_time
            code, told = take(process.pid, *["--fork"] * fork)
            assert process.poll() is None, f"it has ended: {process.poll()}, {told}"
            assert code == 0 or how == "exec", told
            done += code == 0
            if fork and code == 0 and how != "exec":
                equal(("copied from a fork" in told, FILTERED in told), (KINDS[how], not KINDS[how]), told)
            goes_on(process)
            wait_for(lambda: copies(process.pid) == [], "a copy is left")
            equal(how == "exec" or mapped(process.pid) == before, True, "the same is mapped")
        assert done > TIMES // 2, f"{done} of {TIMES} snapshots"
        if how in ("exec", "fork", "threads"):
            moves(process)


@test(each=["", "--fork"])
def a_process_that_ends_does_so(fork):
    """As its input ends, each time a little later: after goheapx has begun, or after it has stopped a thread. It ends as
    it would have, and in time."""
    may_look()
    for i in range(TIMES):
        with restless("quiet") as process:
            reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE), *fork.split()],
                                      env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            while i % 2 and reader.poll() is None and status(process.pid)["TracerPid"] == "0":
                pass
            time.sleep(i // 2 % 40 * 0.001)
            process.stdin.close()
            equal(process.wait(timeout=DEADLINE), 0, "its exit status")
            told = reader.communicate(timeout=DEADLINE)[0].decode()
            assert reader.returncode == 0 or re.search("ended|ending|no process", told), told


def held_in_exec(process):
    """The number of a thread that has ended and holds its process in exec, or None."""
    thread = max(of_threads(process.pid, "comm"))
    if thread == process.pid or not ptrace(SEIZE, thread):
        return None

    def states():
        return {of: text.partition("State:\t")[2][:1] for of, text in of_threads(process.pid, "status").items()}

    wait_for(lambda: thread not in states() or {states().get(of) for of in (thread, process.pid)} == {"Z"}, "it does not exec")
    if thread in states():
        return thread
    if ptrace(INTERRUPT, process.pid):  # it was the one that became the other program
        os.waitpid(process.pid, WALL)
        ptrace(DETACH, process.pid)
    return None


@contextlib.contextmanager
def between_programs(process):
    """While the block runs, the process is in exec: that waits for a thread whose end nobody has taken notice of, and
    its first thread has ended."""
    thread = None
    deadline = time.monotonic() + DEADLINE
    while not thread and time.monotonic() < deadline:
        thread = held_in_exec(process)
    assert thread, "no thread of it is held"
    try:
        yield
    finally:
        os.waitpid(thread, WALL)


@test
def a_process_in_exec_has_not_ended():
    """A watch that looks at that moment goes on, and a snapshot waits for the other program."""
    may_look()
    with restless("exec") as process, tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([PROGRAM, "watch", str(process.pid), "--at", "1T", "-o", folder], env=ENVIRONMENT, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as watch:
            assert "is followed" in watch.stdout.readline(), "it does not begin"
            with between_programs(process):
                time.sleep(0.6)  # it looks four times a second, unless the machine is too busy
            watch.send_signal(signal.SIGTERM)
            equal((watch.wait(timeout=DEADLINE), watch.stdout.read()), (3, ""), "status, and what it says")
        with between_programs(process):
            reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE)], env=ENVIRONMENT,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            time.sleep(0.3)
        told = reader.communicate(timeout=DEADLINE)[0].decode()
        equal((reader.returncode, "has ended" in told), (0, False), told)


@test(each=["outside", "outside--fork", "inside", "inside--fork"])
def a_process_in_a_namespace_goes_on(way):
    """As in a container: its numbers are others there. `inside`: goheapx is, too."""
    may_look()
    fork = ["--fork"] * way.endswith("--fork")
    with restless("fork", "unshare", "--pid", "--fork", "--mount-proc", "--kill-child") as outer:
        inner = int("".join(of_threads(outer.pid, "children").values()))
        by = ("nsenter", "-t", str(inner), "--pid", "--mount") if way.startswith("inside") else ()
        for _ in range(TIMES):
            code, told = snapshot(1 if by else inner, *fork, by=by)
            equal((code, "copied from a fork" in told), (0, bool(fork)), told)
            wait_for(lambda: status(inner)["TracerPid"] == "0" and status(inner)["State"][0] in "RSD", "it is held")
            wait_for(lambda: copies(inner) == [], "a copy is left")


@test
def a_process_whose_user_may_have_no_more_is_not_forked():
    """Its user has more processes than it may; it is copied while it is stopped."""
    may_look()
    if os.getuid() != 0:
        raise Skip("only root can be another user")
    folder = pathlib.Path(tempfile.mkdtemp())  # that user does not get to the one of the tests
    try:
        path = shutil.copy(restless_program(), folder)
        folder.chmod(0o755)
        with restless("quiet", path=path, user=65534) as process:
            subprocess.run(["prlimit", "--nproc=1:1", "--pid", str(process.pid)], user=65534, check=True)
            code, told = snapshot(process.pid, "--fork")
            equal(code, 0, told)
            assert "not forked, as it may have only 0 more threads and processes" in told, told
            goes_on(process)
    finally:
        shutil.rmtree(folder)


@test(each=["quiet", "quiet--fork", "exec", "exec--fork", "threads--fork", "fork--fork", "vforks", "vforks--fork"])
def killing_goheapx_or_its_keeper_leaves_nothing(way):
    """At many moments, one of the two in turn: nothing of it is left, and the process goes on."""
    may_look()
    how, fork = way.removesuffix("--fork"), ["--fork"] * way.endswith("--fork")
    with restless(how) as process:
        for i in range(TIMES * 2):
            reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE), *fork],
                                      env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(i // 2 % 40 * 0.001)
            for keeper in "".join(of_threads(reader.pid, "children").values()).split() if i % 2 else []:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(keeper), signal.SIGKILL)
            if not i % 2:
                reader.kill()
            assert reader.wait(timeout=DEADLINE) in (0, 2, -signal.SIGKILL), reader.returncode
            equal(process.poll(), None, "status of the process")
            goes_on(process)
            wait_for(lambda: is_reaped(process.pid, fork), "a copy is left")


def is_reaped(pid, fork):
    """By the one that was ended or, if no thread slept within its three seconds, by the next one."""
    return copies(pid) == [] or bool(fork and snapshot(pid, *fork) and copies(pid) == [])


def second_thread(reader):
    """Waits until two threads of the keeper copy. Returns its number; None: the copy was done before that was seen."""
    while reader.poll() is None:
        for keeper in " ".join(of_threads(reader.pid, "children").values()).split():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if len(os.listdir(f"/proc/{keeper}/task")) > 1:
                    return int(keeper)
    return None


def objects_of(pid):
    """Where the objects of a quiet process are, and how large."""
    equal(snapshot(pid)[0], 0, "a snapshot")
    return run("list", "objects", str(CORE), "reachable", "--csv", "--columns", "address,size", expect=0).out


@test
def killing_it_while_two_threads_copy_leaves_nothing():
    """As above, of a process that is large enough for a second thread; a fork is copied by one."""
    may_look()
    with parked(PARK[0], "quiet", items=40000) as process:
        before, objects, hits = mapped(process.pid), objects_of(process.pid), {True: 0, False: 0}
        assert objects.count("\n") > 40000, objects[:200]
        for i in range(TIMES * 2):
            reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE)],
                                      env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            keeper = second_thread(reader)
            if keeper:
                hits[i % 2 == 1] += 1
                with contextlib.suppress(ProcessLookupError):
                    os.kill(keeper if i % 2 else reader.pid, signal.SIGKILL)
            assert reader.wait(timeout=DEADLINE) in (0, 2, -signal.SIGKILL), reader.returncode
            equal(process.poll(), None, "status of the process")
            goes_on(process)
            wait_for(lambda: copies(process.pid) == [], "a copy is left")
        assert min(hits.values()) > TIMES // 4, f"moments with two threads: {hits}"
        equal(mapped(process.pid), before, "what is mapped")
        assert objects_of(process.pid) == objects, "its objects"


@test
def a_program_that_makes_no_process_is_told_of_in_the_explorer():
    may_look()
    with restless("errno") as process:
        told = run("-e", "overview", str(process.pid), "--fork", "-y", expect=0).out
        assert f"Not forked: {FILTERED}." in told, told
