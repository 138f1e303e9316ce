"""Running processes: what is copied of them is right, and they go on as if nothing had been."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

from harness import ENVIRONMENT, PROGRAM, SANITIZED, UNPACKED, Skip, answer, equal, run, test
from live import PARK, executable, goes_on, may_look, of_threads, parked, status, wait_for, worked

TIMES = int(os.environ.get("SNAPSHOTS", "3" if os.environ.get("ALL") and not SANITIZED else "1"))
WAYS = [(name, how) for how in ("", "--fork") for name in PARK]


def has_children(pid):
    return "".join(of_threads(pid, "children").values())


@test(each=[f"{name}{how}" for name, how in WAYS], most=2)
def a_process_is_read_while_it_allocates_and_collects(way):
    name, fork = next(way_of for way_of in WAYS if "".join(way_of) == way)
    may_look()
    with parked(name, "busy") as process:
        for _ in range(TIMES):
            told = run("info", str(process.pid), "--json", *fork.split(), expect=0)
            right = rf"goheapx: Process {process.pid} \(.*\) has [0-9.]+ MB in memory\. It is stopped (while|until) .*\.\n" \
                r"(goheapx: .* unusual in the file; nothing is lost; .*\n)?"  # a stack in the middle of a call
            assert re.fullmatch(right, told.err), told.err
            info = json.loads(told.out)
            equal((info["format"], info["dangling_pointers"], info["whole"]), ("go-core", 0, True), "info")
            equal(info["pid"], process.pid, "pid")
            assert info["pause_ns"] > 0 and info["copied_bytes"] > 1 << 20, info
            equal((info["forked"], has_children(process.pid)), (bool(fork), ""), "forks")
            assert info["goroutines"] > 60 and info["reachable_objects"] > 15000, info
            goes_on(process)
        works(process)


@test(each=PARK)
def a_process_that_has_one_processor_is_forked(name):
    """Then hardly ever a thread of it waits for work; the one that watches the others does, for moments."""
    may_look()
    with parked(name, "busy", processors=1) as process:
        for _ in range(TIMES):
            info = json.loads(run("info", str(process.pid), "--json", "--fork", "-y", expect=0).out)
            equal((info["forked"], info["dangling_pointers"], has_children(process.pid)), (True, 0, ""), "forks")
        works(process)


def works(process):
    before = worked(process)
    wait_for(lambda: worked(process) != before, "it does nothing any more")


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
            equal(f" {len(rows)} threads, stopped for" in told, True, f"{told}{shown}")


def addresses_of(path):
    return [(o["address"], o["size"], o["type"]) for o in answer("list", "objects", path, "--exe", executable(PARK[0]))]


@test(builds=["gcc"])
def a_copy_is_the_same_with_little_memory():
    """It is written while the process is stopped, then; else after that, from memory."""
    may_look()
    with parked(PARK[0], "quiet") as process:
        copies = []
        for room in ((), ("prlimit", f"--as={100 << 20}")):
            path = UNPACKED / f"little{len(copies)}.core"
            path.unlink(missing_ok=True)
            subprocess.run([*room, PROGRAM, "snapshot", str(process.pid), "--yes", "-o", path], check=True)
            copies.append(path)
            goes_on(process)
        whole, little = map(addresses_of, copies)
        equal(len(whole) > 1000 and whole == little, True, "objects")


@test
def the_first_screen_says_what_it_has_cost():
    may_look()
    with parked(PARK[0], "quiet") as process:
        lines, accounts = (run("-e", view, str(process.pid), expect=0).out.splitlines() for view in ("overview", "accounts"))
        right = rf" Process {process.pid}, go1\.26\.10 amd64, stopped for [0-9.]+ m?s, [0-9.]+ MB copied"
        assert re.fullmatch(right, lines[3]), lines[3]
        assert "types fit" not in accounts[4] and re.search(r"frames fit\.?$", accounts[4]), accounts[4]


@test(each=["", "--fork"])
def a_process_goes_on_when_goheapx_is_killed(fork):
    may_look()
    chance = random.Random(3)
    with parked(PARK[0], "busy") as process:
        for _ in range(TIMES * 3):
            reader = subprocess.Popen([PROGRAM, "info", str(process.pid), *fork.split()], env=ENVIRONMENT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * 0.1)
            reader.send_signal(signal.SIGKILL)
            reader.wait()
            goes_on(process)
        wait_for(lambda: not has_children(process.pid), "a fork is left")
        works(process)


@test(each=["1", ""])
def a_process_goes_on_when_the_keeper_of_its_fork_is_killed(processors):
    """The process of goheapx that makes the fork: another one takes the exit status of that. What is asked of
    the copy takes little, as all the while the process works, too."""
    may_look()
    chance = random.Random(5)
    with parked(PARK[0], "busy", processors=processors) as process:
        for _ in range(TIMES * 2):
            reader = subprocess.Popen([PROGRAM, "list", "memstats", "--fork", str(process.pid)], env=ENVIRONMENT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * 0.04)
            for keeper in has_children(reader.pid).split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(keeper), signal.SIGKILL)
            assert reader.wait() in (0, 2), reader.returncode
            goes_on(process)
            wait_for(lambda: not has_children(process.pid), "a fork is left")
        works(process)


DIES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
enum { PTRACE_SYSCALL = 24 };
long ptrace(int request, pid_t pid, void *address, void *data)
{
	static int calls;
	long (*next)(int, pid_t, void *, void *) = dlsym(RTLD_NEXT, "ptrace");
	int at = request == PTRACE_SYSCALL ? ++calls : -1, dies = atoi(getenv("DIES_AT"));
	if (at == 1 && dies == 0)
		kill(getpid(), SIGKILL);
	long result = next(request, pid, address, data);
	if (at == dies)
		kill(getpid(), SIGKILL);
	return result;
}
"""


@test(each=["0", "1", "2", "3"], builds=["gcc"])
def no_fork_is_left_by_a_keeper_that_dies_at_the_call(moment):
    """Before the thread goes on to the call, on its way there, within it, and behind it. The next keeper stops
    the thread: the kernel makes a call anew that a stop has interrupted, and has a tracer trace the copy."""
    may_look()
    if not shutil.which("gcc"):
        raise Skip("there is no gcc, package gcc has it")
    with tempfile.TemporaryDirectory() as folder, parked(PARK[0], "busy") as process:
        library = f"{folder}/dies.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", library, "-ldl"], input=DIES, text=True,
                       check=True)
        environment = {**ENVIRONMENT, "LD_PRELOAD": library, "DIES_AT": moment}
        for _ in range(TIMES * 4):
            result = subprocess.run([PROGRAM, "info", "--fork", str(process.pid)], env=environment, check=False,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            assert result.returncode == 2 and b"The process goes on" in result.stderr, result
            goes_on(process)
            wait_for(lambda: not has_children(process.pid), "a fork is left")
        works(process)


@test
def what_both_being_killed_leaves_is_taken_away_by_the_next():
    """The fork ends with them, and is a zombie, as its parent waits for none of its kind. The next one reaps it
    if a thread of the process sleeps at that moment, else one after it."""
    may_look()
    with parked(PARK[0], "busy") as process:

        def left():
            children = of_threads(process.pid, "children")
            return [child for word in children.values() for child in word.split() if status(child)["State"][0] == "Z"]

        for _ in range(200):
            reader = subprocess.Popen([PROGRAM, "info", "--fork", "-y", str(process.pid)], env=ENVIRONMENT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not has_children(process.pid) and reader.poll() is None:
                pass
            if reader.poll() is not None:  # it was faster
                continue
            keepers = has_children(reader.pid).split()
            reader.send_signal(signal.SIGSTOP)
            for keeper in keepers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(keeper), signal.SIGKILL)
            reader.kill()
            reader.wait()
            if left():
                break
        else:
            raise AssertionError("nothing is ever left")
        goes_on(process)

        def taken_away():
            info = json.loads(run("info", str(process.pid), "--json", "--fork", "-y", expect=0).out)
            equal(info["forked"], True, "forked")
            return not has_children(process.pid)

        wait_for(taken_away, "a fork is left")
        works(process)


@test
def a_process_that_is_stopped_stays_so_and_is_not_forked():
    may_look()
    with parked(PARK[0], "quiet") as process:
        os.kill(process.pid, signal.SIGSTOP)
        wait_for(lambda: status(process.pid)["State"][0] == "T", "it does not stop")
        for fork in ([], ["--fork"]):
            told = run("info", str(process.pid), *fork, expect=0).out
            equal("Not forked:" in told, bool(fork), told)
            wait_for(lambda: status(process.pid)["TracerPid"] == "0", "it is traced")
            equal(status(process.pid)["State"][0], "T", "state")
        os.kill(process.pid, signal.SIGCONT)
        goes_on(process)


@test
def system_calls_that_the_fork_interrupts_are_made_again():
    """A signal to a process that sleeps ends its call otherwise than a fork does, which nobody notices."""
    may_look()
    with parked(PARK[0], "quiet") as process:
        wait_for(lambda: waiting_in(process.pid), "its threads do not go to sleep")
        calls = waiting_in(process.pid)
        for _ in range(TIMES):
            run("snapshot", "--fork", str(process.pid), "-o", str(UNPACKED / "fork.core"), expect=0)
        goes_on(process)
        wait_for(lambda: calls.items() <= waiting_in(process.pid).items(), lambda: f"{calls}, then {waiting_in(process.pid)}")


def waiting_in(pid):
    """For what its threads wait, but for those that watch the time: the address and the value of it."""
    calls = {thread: text.split() for thread, text in of_threads(pid, "syscall").items()}
    return {thread: (words[1], words[3]) for thread, words in calls.items() if words[0] == "202" and words[4] == "0x0"}


@test(builds=["gcc"])
def delve_shows_the_goroutines_of_a_snapshot():
    may_look()
    debugger = shutil.which("dlv")
    if not debugger:
        raise Skip("there is no dlv, package delve has it")
    name = next(name for name in PARK if "stripped" not in name)
    path, steps = UNPACKED / "delve.core", UNPACKED / "delve.steps"
    steps.write_text("goroutines\nexit\n")
    with parked(name, "quiet") as process:
        run("snapshot", str(process.pid), "-o", str(path), "--fork", expect=0)
    shown = subprocess.run([debugger, "core", executable(name), str(path), "--init", str(steps),
                            "--allow-non-terminal-interactive=true"], stdin=subprocess.DEVNULL,
                           env={**ENVIRONMENT, "HOME": str(UNPACKED)}, capture_output=True, text=True, check=False).stdout
    goroutines = answer("list", "goroutines", path, "--exe", executable(name))
    equal(f"[{len(goroutines)} goroutines]" in shown, True, shown[-300:])
