"""Processes that cannot be read: they are told what they are, and are never stopped for it."""

import contextlib
import json
import os
import shutil
import signal
import struct
import subprocess
import time

from harness import DEADLINE, ENVIRONMENT, PROGRAM, UNPACKED, Skip, equal, run, test
from live import DETACH, LIBC, PARK, SEIZE, executable, goes_on, may_look, of_threads, parked, ptrace, running, status, wait_for
from stopped_fuse import stopped_file

WAYS = [("info",), ("snapshot",), ("explore", "-e", "overview")]


def refused(pid, *parts):
    """Every way to read it says the same, in one line, and leaves no file."""
    told = set()
    for way, *more in WAYS:
        error = run(way, str(pid), *more, expect=2, cwd=UNPACKED).err
        for part in parts:
            assert part in error, error
        told.add(error)
    equal(len(told), 1, f"sentences: {told}")
    equal(told.pop().count("\n"), 1, "lines")
    equal([p.name for p in UNPACKED.glob(f"*-{pid}.core*")], [], "files that were left")


def with_a_name(function, other):
    """The executable of a process, in which a function has another name of the same length."""
    content = open(executable(PARK[0]), "rb").read()
    equal(len(function), len(other), "lengths")
    path = UNPACKED / f"park-{other}.run"
    path.write_bytes(content.replace(function.encode() + b"\0", other.encode() + b"\0"))
    path.chmod(0o700)
    return str(path)


@test
def what_c_code_has_is_not_read_and_that_is_told_once():
    """Package runtime/cgo brings the function crosscall2."""
    may_look()
    for path, cgo in ((executable(PARK[0]), False), (with_a_name("main.build", "crosscall2"), True)):
        with parked(PARK[0], "quiet", path) as process:
            told = run("info", str(process.pid), expect=0).out
            equal(told.count("pointers in C memory are not followed"), int(cgo), f"sentences of {path}")
            equal(json.loads(run("info", str(process.pid), "--json", expect=0).out)["cgo"], cgo, "cgo")


def never_stopped(pid):
    """A process that was stopped has had a switch that it did not ask for, or has been woken."""
    told = status(pid)
    return told["voluntary_ctxt_switches"], told["nonvoluntary_ctxt_switches"]


@test
def a_program_of_another_language():
    with running("sleep", "60") as process:
        wait_for(lambda: of_threads(process.pid, "syscall")[process.pid].split()[0] in ("35", "230", "115"), "it does not sleep")
        before = never_stopped(process.pid)
        refused(process.pid, f"Process {process.pid} (sleep) runs no Go program")
        equal(never_stopped(process.pid), before, "switches of a process that must not be stopped")


@test
def a_program_of_another_compiler():
    """It does run Go: a program of gccgo has these bytes in it."""
    path = UNPACKED / "sleep-gccgo.run"
    path.write_bytes(open(shutil.which("sleep"), "rb").read() + b"\0__go_init_main\0")
    path.chmod(0o700)
    with running(str(path), "1000") as process:
        refused(process.pid, f"Process {process.pid} (sleep-gccgo.run) runs no Go program that can be read: ", "is built by gccgo")


@test
def a_zombie_and_no_process():
    with running("true") as process:
        while status(process.pid)["State"][0] != "Z":
            time.sleep(0.01)
        refused(process.pid, "has ended", "zombie")
    assert "no process 4194999" in run("info", "4194999", expect=2).err
    assert "is not a process" in run("snapshot", "nothing-like-this", expect=2).err


@test
def a_process_that_is_ending():
    """It has given back its memory, and waits for a file to be closed: no zombie yet, and no thread of the kernel."""
    with contextlib.ExitStack() as last:
        path = last.enter_context(stopped_file())
        with running("sh", "-c", 'exec 3<"$0"; echo begun; exec sleep 600', str(path), says=b"begun\n") as process:
            try:
                wait_for(lambda: status(process.pid)["Name"] == "sleep", "it does not sleep")
                process.kill()
                wait_for(lambda: "VmSize" not in status(process.pid), "it does not end")
                equal(status(process.pid)["State"][0], "D", "its state")
                refused(process.pid, f"Process {process.pid} (sleep) is ending and has no memory any more")
            finally:
                last.close()


@test
def a_thread_of_the_kernel():
    if not os.path.exists("/proc/2/status"):
        raise Skip("threads of the kernel are not to be seen here")
    with open("/proc/2/status", encoding="utf-8") as file:
        if "kthreadd" not in file.readline():
            raise Skip("threads of the kernel are not to be seen here")
    refused(2, "2 (kthreadd) is a thread of the kernel")


@test
def a_thread_of_a_process():
    with parked(PARK[0], "quiet") as process:
        thread = max(set(of_threads(process.pid, "comm")) - {process.pid})
        refused(thread, f"{thread} is a thread of process {process.pid}", f"goheapx {process.pid}")


def with_version(version):
    """The executable of a process, that says another version of Go built it."""
    content = bytearray(open(executable(PARK[0]), "rb").read())
    at = content.index(b"\xff Go buildinf:") + 32
    length = content[at]
    content[at + 1 : at + 1 + length] = version.encode().ljust(length, b" ")
    path = UNPACKED / f"park-{version}.run"
    path.write_bytes(content)
    path.chmod(0o700)
    return str(path)


@test
def programs_of_go_versions_that_are_not_read():
    with parked(PARK[0], "quiet", with_version("go1.16")) as process:
        refused(process.pid, "is of go1.16", "Go 1.17 and later", "debug.WriteHeapDump")
        goes_on(process)


def program_of_32_bits():
    """One that waits for a signal: pause()."""
    code = bytes.fromhex("b81d000000cd80ebf7")
    start, size = 0x8048000, 52 + 32 + len(code)
    header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 3, 1, start + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    segment = struct.pack("<8I", 1, 0, start, start, size, size, 5, 0x1000)
    path = UNPACKED / "program32.run"
    path.write_bytes(header + segment + code)
    path.chmod(0o700)
    return str(path)


@test
def a_program_of_32_bits():
    try:
        with running(program_of_32_bits()) as process:
            refused(process.pid, "is a 32-bit program")
    except OSError as error:
        raise Skip("this machine runs no 32-bit programs") from error


@test
def an_executable_that_is_not_there_any_more():
    may_look()
    for replaced in (False, True):
        path = UNPACKED / f"gone{os.getpid()}.run"
        shutil.copy(executable(PARK[0]), path)
        with parked(PARK[0], "quiet", str(path)) as process:
            path.unlink()
            if replaced:
                shutil.copy(shutil.which("true"), path)
            told = run("info", str(process.pid), expect=0).out
            assert "0 pointers" not in told and f"Process {process.pid}" in told, told
            goes_on(process)
        path.unlink(missing_ok=True)


@test
def a_process_that_is_traced_already():
    may_look()
    with parked(PARK[0], "quiet") as process:
        assert ptrace(SEIZE, process.pid)
        refused(process.pid, "is being traced already", f"by process {os.getpid()}")
        LIBC.ptrace(DETACH, process.pid, None, None)  # refused, as it runs: the end of the tracer counts
        assert os.path.exists(f"/proc/{process.pid}")


@test
def a_process_of_another_user():
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root can be another user, by setpriv")
    with parked(PARK[0], "quiet") as process:
        program = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", "--", PROGRAM, "info", str(process.pid)],
                                 env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if "setpriv" in program.stderr:
            raise Skip("another user cannot run goheapx here")
        equal(program.returncode, 2, "status")
        assert "is another user's" in program.stderr and program.stderr.count("\n") == 1, program.stderr
        goes_on(process)


@test
def a_process_that_ends_while_it_is_copied():
    may_look()
    for wait in (0.0, 0.005, 0.01, 0.02, 0.04):
        with parked(PARK[0], "quiet") as process:
            reader = subprocess.Popen([PROGRAM, "info", str(process.pid)], env=ENVIRONMENT, text=True,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            error = reader.communicate(timeout=DEADLINE)[1]
            lines = [line for line in error.splitlines() if "It is stopped while" not in line]
            assert reader.returncode in (0, 2) and len(lines) <= 1, error
            assert reader.returncode == 0 or lines, "it does not say why"
