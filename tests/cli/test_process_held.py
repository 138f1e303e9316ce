"""A snapshot makes no memory, holds nothing that cannot be stopped, and takes nothing that a process needs: of memory that
is not there, of threads that wait in the kernel, at limits, in control groups that are frozen or slow. HARM as in
test_process_harm.py"""

import contextlib
import os
import signal
import struct
import subprocess
import tempfile

from executables import exe_from
from harness import DEADLINE, ENVIRONMENT, PROGRAM, TESTDATA, Skip, equal, test
from kinds import HELD, MB, held, limits_of, sparse, used, uses_the_same, waiting
from live import (
    CORE, TIMES, copies, goes_on, in_group, may_look, of_threads, restless_program, running, snapshot, snapshot_in_time, wait_for,
)
from stopped_fuse import stopped_file

FORK = ["", "--fork"]
# What is told where there is no fork of it.
USERFAULT, ANY_CHILD = "as it has a userfaultfd", "as it waits for any child (__WALL)"


def ways(*kinds):
    return [kind + fork for kind in kinds for fork in FORK]


def parts(way):
    return way.removesuffix("--fork"), ["--fork"] * way.endswith("--fork")


@test(each=ways("memory", "shm", "disk", "huge"))
def memory_that_is_not_there_is_not_made(way):
    may_look()
    kind, fork = parts(way)
    with sparse(kind) as process:
        before = used(process)
        for _ in range(TIMES):
            code, told = snapshot_in_time(process.pid, *fork)
            equal((code, "copied from a fork" in told), (0, bool(fork)), told)
            uses_the_same(process, before, told)
        assert CORE.stat().st_blocks * 512 < 16 * MB, "what the core file takes"
        goes_on(process)


@test(each=["memory", "shm"])
def what_is_not_there_is_not_counted(kind):
    """256 MB are mapped; few are there."""
    may_look()
    with sparse(kind) as process:
        code, told = snapshot(process.pid, "--max-size", "32M")
        equal(code, 0, told)
        with tempfile.TemporaryDirectory() as folder:
            before = used(process)
            done = subprocess.run([PROGRAM, "watch", str(process.pid), "--at", "1MB", "-o", folder], env=ENVIRONMENT,
                                  capture_output=True, text=True, timeout=DEADLINE, check=False)
            equal(done.returncode, 0, done.stdout + done.stderr)
            uses_the_same(process, before, done.stdout)
            assert len(os.listdir(folder)) >= 1, done.stdout


def unchanged_pages(pid, start, end):
    """Pages that are not anonymous: the file's."""
    with open(f"/proc/{pid}/pagemap", "rb") as file:
        file.seek(start // 4096 * 8)
        entries = file.read((end - start) // 4096 * 8)
    return [i * 4096 for i, (page,) in enumerate(struct.iter_unpack("<Q", entries)) if not page >> 62 or page >> 61 & 1]


@test(each=FORK)
def what_the_process_has_not_changed_of_its_executable_is_in_the_copy(fork):
    """The kernel's own view of the process says what is right."""
    may_look()
    looked = 0
    with held("quiet") as process:
        code, told = snapshot(process.pid, *fork.split())
        equal(code, 0, told)
        with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps, open(f"/proc/{process.pid}/mem", "rb") as memory:
            for line in maps:
                fields = line.split()
                if fields[1] != "rw-p" or not line.rstrip().endswith(str(restless_program())):
                    continue
                start, end = (int(number, 16) for number in fields[0].split("-"))
                memory.seek(start)
                right, copied = memory.read(end - start), memory_of(CORE, start, end - start)
                for at in unchanged_pages(process.pid, start, end):
                    equal(copied[at:at + 4096].hex(), right[at:at + 4096].hex(), f"page at {start + at:#x}")
                    looked += any(right[at:at + 4096])
    assert looked, "all data is changed"


def memory_of(core, address, size):
    content = core.read_bytes()
    for at in range(int.from_bytes(content[56:58], "little")):
        header = content[64 + 56 * at:120 + 56 * at]
        offset, start, _, stored = (int.from_bytes(header[i:i + 8], "little") for i in (8, 16, 24, 32))
        if int.from_bytes(header[:4], "little") == 1 and start == address:
            equal(stored, size, "bytes that are stored")
            return content[offset:offset + size]
    raise AssertionError("the core file lacks a segment")


@test(each=ways("vfork", "read"))
def a_thread_that_cannot_be_stopped_is_named(way):
    may_look()
    kind, fork = parts(way)
    with waiting(kind) as (process, thread):
        code, told = snapshot(process.pid, *fork)
        equal(code, 2, told)
        for part in (f"Process {process.pid} cannot be stopped", f"thread {thread} does not stop", HELD[kind]):
            assert part in told, told
        equal(CORE.exists(), False, "a core file is left")
        wait_for(lambda: tracers(process) == {"0"}, "it is held")
        assert "t" not in {text.partition("State:\t")[2][0] for text in of_threads(process.pid, "status").values()}


def tracers(process):
    return {text.partition("TracerPid:\t")[2].split()[0] for text in of_threads(process.pid, "status").values()}


@test
def a_process_is_not_even_stopped_where_a_thread_cannot_be():
    """Looked at again and again, it is never traced."""
    may_look()
    with waiting("vfork") as (process, _):
        reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE)], env=ENVIRONMENT,
                                  stderr=subprocess.DEVNULL)
        seen = set()
        while reader.poll() is None:
            seen |= tracers(process)
        equal((reader.returncode, seen), (2, {"0"}), "status, and who traced it")


@test(each=FORK)
def a_keeper_that_is_ended_while_it_stops_threads_is_followed_by_another(fork):
    """As its deadline ends it where the machine has too much to do. The thread that it waits for can be stopped then."""
    may_look()
    with contextlib.ExitStack() as last, held("read", last.enter_context(stopped_file())) as process:
        wait_for(lambda: reading(process.pid), "no thread waits")
        reader = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(CORE), *fork.split()], env=ENVIRONMENT,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_for(lambda: tracers(process) != {"0"}, "it is not stopped")
        for keeper in "".join(of_threads(reader.pid, "children").values()).split():
            os.kill(int(keeper), signal.SIGKILL)
        last.close()
        told = reader.communicate(timeout=DEADLINE)[0].decode()
        equal((reader.returncode, process.poll()), (0, None), told)
        goes_on(process)


def reading(pid):
    """Does a thread read something else than the standard input?"""
    return any(text.split()[:1] == ["0"] and text.split()[1] != "0x0" for text in of_threads(pid, "syscall").values())


@test(each=FORK)
def threads_that_wait_for_moments_are_waited_for(fork):
    may_look()
    with held("vforks") as process:
        done = 0
        for _ in range(TIMES):
            code, told = snapshot(process.pid, *fork.split())
            assert code == 0 or "does not stop" in told or "could not be stopped in time" in told, told
            equal(process.poll(), None, told)
            done += code == 0
            wait_for(lambda: copies(process.pid) == [], "a copy is left")
        assert done, "no snapshot at all"


@test(each=FORK)
def a_frozen_group_of_version_1_is_told_of_at_once(fork):
    may_look()
    with held("quiet") as process, in_group(process.pid, *limits_of("frozen1", process)) as group:
        wait_for(lambda: (group / "freezer.state").read_text() == "FROZEN\n", "it does not freeze")
        code, told = snapshot(process.pid, *fork.split())
        equal(code, 2, told)
        assert "its control group is frozen" in told, told
        (group / "freezer.state").write_text("THAWED")
        goes_on(process)
        equal(snapshot(process.pid)[0], 0, "a snapshot afterwards")


@test(each=FORK)
def a_frozen_group_of_version_2_is_copied_and_stays_frozen(fork):
    may_look()
    with held("quiet") as process, in_group(process.pid, *limits_of("frozen2", process)) as group:
        wait_for(lambda: "frozen 1" in (group / "cgroup.events").read_text(), "it does not freeze")
        for _ in range(TIMES):
            code, told = snapshot_in_time(process.pid, *fork.split())
            equal((code, "not forked, as its control group is frozen" in told), (0, bool(fork)), told)
            wait_for(lambda: "frozen 1" in (group / "cgroup.events").read_text(), "it does not stay frozen")


@test(each=FORK)
def a_group_that_is_hardly_run_lives_on(fork):
    may_look()
    with held("quiet") as process:
        with in_group(process.pid, *limits_of("throttled", process)):
            for _ in range(min(TIMES, 20)):
                code, told = snapshot(process.pid, *fork.split())
                assert code == 0 or "cannot be stopped" in told, told
                assert code == 2 or not fork or "its control group is given too little processor time" in told, told
                equal(process.poll(), None, told)
        goes_on(process)


@test(each=["quiet", "threads"])
def a_process_that_may_make_few_threads_is_not_forked(how):
    may_look()
    with held(how) as process:
        controller, limit, _ = limits_of("pids", process)
        with in_group(process.pid, controller, limit, limit) as group:
            for _ in range(TIMES):
                code, told = snapshot(process.pid, "--fork")
                assert process.poll() is None and (code == 0 or how == "threads"), told
                assert code != 0 or "not forked, as it may have only" in told, told
            equal((group / "pids.max").read_text(), f"{limit['pids.max']}\n", "the limit")
        goes_on(process)


def waits_for_a_child(pid):
    """Is a thread in wait4(2)? Between two of them nothing tells that it will be."""
    number = {"x86_64": "61", "aarch64": "260"}.get(os.uname().machine)
    return number is None or any(text.split()[0] == number for text in of_threads(pid, "syscall").values() if text.split())


@test(each=ways("userfault", "wait"))
def a_process_that_a_fork_would_meet_is_not_forked(way):
    may_look()
    kind, fork = parts(way)
    with held(kind) as process:
        for _ in range(TIMES):
            wait_for(lambda: kind != "wait" or waits_for_a_child(process.pid), "no thread waits for a child")
            code, told = snapshot(process.pid, *fork)
            equal(code, 0, told)
            equal({"userfault": USERFAULT, "wait": ANY_CHILD}[kind] in told, bool(fork), told)
            equal(copies(process.pid), [], "copies")
            goes_on(process)


@test(each=FORK)
def a_worker_of_the_kernel_in_a_process_is_left_alone(fork):
    """io_uring has one, and nobody can stop it."""
    may_look()
    with held("ring") as process:
        wait_for(lambda: any(name.startswith("iou-") for name in of_threads(process.pid, "comm").values()), "there is no worker")
        code, told = snapshot(process.pid, *fork.split())
        equal((code, "copied from a fork" in told), (0, bool(fork)), told)
        goes_on(process)


@contextlib.contextmanager
def crowded(word):
    program = exe_from(TESTDATA / "src" / "crowded" / "crowded.go")
    with running(program, word, says=b"begun\n") as process:
        yield process
    CORE.unlink(missing_ok=True)


@test(each=FORK, builds=["gcc"])
def ten_thousand_threads_are_stopped_within_a_second(fork):
    may_look()
    with open("/proc/sys/kernel/threads-max", encoding="utf-8") as most, open("/proc/sys/kernel/pid_max", encoding="utf-8") as ids:
        if min(int(most.read()), int(ids.read())) < 20000:
            raise Skip("this machine may not have so many threads")
    with crowded("10000") as process:
        code, told = snapshot_in_time(process.pid, *fork.split())
        equal((code, "10,00" in told, "copied from a fork" in told), (0, True, bool(fork)), told)
        goes_on(process)


@test(each=FORK, builds=["gcc"])
def what_forks_do_not_get_is_copied(fork):
    may_look()
    with crowded("kept") as process:
        code, told = snapshot(process.pid, *fork.split())
        equal((code, "not forked, as it keeps memory from forks" in told), (0, bool(fork)), told)
        equal(CORE.read_bytes().count(bytes([0x5a]) * MB), 2, "MB that are kept from forks")


@test
def a_group_with_no_room_for_what_is_not_there_lives_on():
    """A limit of memory far below what is mapped, of a file in memory."""
    may_look()
    limit = {"memory.limit_in_bytes": str(64 * MB)}, {"memory.max": str(64 * MB)}
    with sparse("memory") as process, in_group(process.pid, "memory", *limit):
        for fork in FORK * min(TIMES, 10):
            code, told = snapshot(process.pid, *fork.split())
            equal((code, process.poll()), (0, None), told)
        goes_on(process)
