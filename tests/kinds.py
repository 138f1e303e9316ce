"""Processes that a reader could harm, by kind: with memory that is not there, with threads that wait in the kernel, at
limits, in control groups that are frozen or slow, and those that are never the same for long."""

import contextlib
import ctypes
import mmap
import os
import pathlib
import signal
import subprocess
import tempfile

from harness import Skip, equal
from live import LIBC, in_group, of_threads, restless, status, wait_for
from stopped_fuse import stopped_file

MB = 1 << 20
SPARSE = ("memory", "shm", "disk", "huge")
HELD = {"vfork": "for a child made by vfork", "read": "FUSE"}  # what their thread is told to wait for
TASKS = 24  # fewer than what is spared for the runtime


@contextlib.contextmanager
def held(how, path="", **options):
    with restless(how, variables={"RESTLESS_FILE": str(path)}, stderr=subprocess.DEVNULL, **options) as process:
        yield process


def cached(path):
    """Bytes of a file that are in the page cache."""
    size = path.stat().st_size
    with open(path, "rb") as file, mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as there:
        pages = ctypes.create_string_buffer((size + 4095) // 4096)
        start = ctypes.addressof(ctypes.c_char.from_buffer(there))
        equal(LIBC.mincore(ctypes.c_void_p(start), ctypes.c_size_t(size), pages), 0, "mincore")
    return sum(page & 1 for page in pages.raw) * 4096


def used(process):
    """Bytes: resident, of its open files on their disks, of its executable in the page cache."""
    files = [os.stat(f"/proc/{process.pid}/fd/{fd}").st_blocks * 512 for fd in os.listdir(f"/proc/{process.pid}/fd") if int(fd) > 2]
    counts = status(process.pid)  # RSS is without huge pages
    resident = sum(int(counts[name].split()[0]) * 1024 for name in ("VmRSS", "HugetlbPages"))
    return resident, sum(files), cached(pathlib.Path(f"/proc/{process.pid}/exe"))


def uses_the_same(process, before, told):
    for name, old, new in zip(("resident", "files", "cached executable"), before, used(process)):
        assert new - old <= MB, f"{name}: {old} bytes, {new} after {told}"


@contextlib.contextmanager
def sparse(kind):
    """A process with memory of a kind of which it has used one page."""
    if kind == "huge":
        with open("/proc/meminfo", encoding="utf-8") as file:
            free = next(int(line.split()[1]) for line in file if line.startswith("HugePages_Free"))
        if free < 16:
            raise Skip("no huge pages are reserved: sysctl vm.nr_hugepages=32")
    folder = "/dev/shm" if kind == "shm" else None
    with tempfile.NamedTemporaryFile(dir=folder) as file, held(kind if kind in ("memory", "huge") else "path", file.name) as process:
        yield process


@contextlib.contextmanager
def waiting(kind):
    """A process of which one thread waits in the kernel, its number, and what that waits for."""
    with contextlib.ExitStack() as last:
        path = last.enter_context(stopped_file()) if kind == "read" else ""
        with held(kind, path) as process:

            def threads():
                """In vfork, or reading something else than the standard input."""
                return [thread for thread, text in of_threads(process.pid, "syscall").items()
                        if text.split()[0] == {"vfork": "58", "read": "0"}[kind] and text.split()[1] != "0x0"]

            try:
                wait_for(threads, "no thread waits")
                yield process, threads()[0]
            finally:  # only then can it be killed
                last.close()
                for child in " ".join(of_threads(process.pid, "children").values()).split():
                    os.kill(int(child), signal.SIGKILL)


def frozen(version):
    """In a control group of one of the two versions, which has to be thawed."""
    file, value = ({"freezer.state": "FROZEN"}, None) if version == 1 else (None, {"cgroup.freeze": "1"})
    return "freezer", file, value


def limits_of(kind, process):
    """The controller of a group, and what is written to its files."""
    if kind in ("frozen1", "frozen2"):
        return frozen(int(kind[-1]))
    if kind == "throttled":  # a thousandth of a processor: threads may need more than a second to stop
        return "cpu", {"cpu.cfs_period_us": "1000000", "cpu.cfs_quota_us": "1000"}, {"cpu.max": "1000 1000000"}
    limit = {"pids.max": str(len(os.listdir(f"/proc/{process.pid}/task")) + TASKS)}
    return "pids", limit, limit


@contextlib.contextmanager
def process_of(kind):
    """One of KINDS."""
    with contextlib.ExitStack() as last:
        if kind in SPARSE:
            process = last.enter_context(sparse(kind))
        elif kind in HELD:
            process, _ = last.enter_context(waiting(kind))
        elif kind in GROUPS:
            process = last.enter_context(held("quiet"))
            last.enter_context(in_group(process.pid, *limits_of(kind, process)))
        else:
            process = last.enter_context(held(kind))
        yield process


GROUPS = ("frozen1", "frozen2", "throttled", "pids")
KINDS = (*SPARSE, *HELD, *GROUPS, "userfault", "wait", "ring", "vforks", "exec", "fork", "threads", "kill", "errno", "log")
