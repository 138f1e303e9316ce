"""Core files that a crash left, of testdata/src/crash: why the program ended is on the first screen."""

from harness import TESTDATA, UNPACKED, answer, equal, run, test, unpack

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
