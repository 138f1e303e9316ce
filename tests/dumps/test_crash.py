"""Core files that a crash left, of testdata/src/crash: why the program ended is on the first screen."""

import pathlib
import resource
import subprocess

from executables import exe_from
from harness import TESTDATA, UNPACKED, Skip, answer, equal, input_of, run, test, unpack

HERE = pathlib.Path(__file__)
ASLEEP = {"built": (12, "main.sends main.locks main.never main.main"), "stages": (13, "main.wait main.(*stage).run")}
# By the traceback that each wrote.
CRASHES = {
    "fatal": {"goroutine": 2, "function": "main.writer", "fatal_error": "concurrent map writes"},
    "panic": {"goroutine": 4, "function": "main.worker", "panic": '"job 17 has no owner"'},
}


def files(kind):
    return [unpack(TESTDATA / "core" / f"go1.24-crash{name}.{suffix}.xz", UNPACKED / f"go1.24-crash{name}.{suffix}")
            for name, suffix in ((f"-{kind}", "core"), ("", "exe"))]


@test(each=CRASHES)
def the_overview_says_why(kind):
    core, exe = files(kind)
    crash = answer("info", core, "--exe", exe)["crash"]
    equal(crash["signal_name"], "SIGABRT", "signal")
    for key, value in CRASHES[kind].items():
        equal(crash[key], value, key)
    screen = run("-e", "overview", "--size", "80x24", core, exe).out
    for word in (CRASHES[kind]["function"], f"goroutine {CRASHES[kind]['goroutine']}", "SIGABRT"):
        assert word in screen, screen


@test(each=CRASHES)
def only_who_waits_has_a_wait_reason(kind):
    core, exe = files(kind)
    rows = answer("list", "goroutines", core, "--exe", exe)
    for row in rows:
        equal(bool(row["wait_reason"]), row["status"] == "waiting", f"reason of {row}")
    (reader,) = [row for row in rows if row["function"] == "main.reader"]
    equal((reader["status"], reader["wait_reason"]), ("syscall", None), "the one in a system call")


@test
def the_panic_s_value_is_in_the_table():
    core, exe = files("panic")
    (row,) = answer("list", "panics", core, "--exe", exe)
    equal(row["text"], '"job 17 has no owner"', "value")
    equal(row["value_type"], "string", "its type")


def asleep_files(case):
    """Of a program that is built here, where the kernel leaves cores beside programs, or of testdata."""
    if case == "built":
        exe = exe_from(HERE.with_name("asleep.go"))
        folder = pathlib.Path(exe).parent
        if pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip() not in ("core", "core.%p"):
            raise Skip("core files are not written into the folder of a program")
        subprocess.run([exe], cwd=folder, env={"GOTRACEBACK": "crash"}, stderr=subprocess.DEVNULL, check=False,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30)))
        cores = list(folder.glob("core*"))
        if not cores:
            raise Skip("no core file is written here")
        return cores[0], exe
    return [input_of(f"cases4/asleep-1.24/{name}") for name in ("app.core", "app")]


@test(each=ASLEEP)
def where_all_are_asleep_all_are_lost(name):
    """The runtime says so on the stack of its scheduler, which is no goroutine's."""
    count, functions = ASLEEP[name]
    core, exe = asleep_files(name)
    message = "all goroutines are asleep - deadlock!"
    crash = answer("info", core, "--exe", exe)["crash"]
    equal((crash["fatal_error"], crash["signal_name"]), (message, "SIGABRT"), "why")
    assert message in run("-e", "overview", "--size", "80x24", core, exe).out
    rows = answer("list", "lost", core, "--exe", exe)
    equal(len(rows), count, "lost")
    equal({row["function"] for row in rows}, set(functions.split()), "functions")
    told = run("list", "lost", core, "--exe", exe)
    assert message in told.err and "still reach" not in told.out + told.err, told
