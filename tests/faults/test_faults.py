"""Every call of the system that the program makes may fail: memory, files, the output. Then it says
so and ends with status 2, or does as well without; it never leaves a row out, crashes or hangs.

A call fails in tests/faults/fault.c. FAULTS=all tries every one of them, FAULTS=sites the first
from each place in the program and its libraries; otherwise it is a sample, always the same.
"""

import os
import re
import subprocess
import tempfile

import harness
from executables import dump_of, exe_of
from harness import DEADLINE, ENVIRONMENT, ONE, TESTDATA, test, truth

CLASSES = ("malloc", "mmap", "read", "write", "open")
SAMPLE = 3  # of the places that calls of each class come from
TRIES = os.environ.get("FAULTS", "")

LOG = TESTDATA / "netcf" / "two_domains.gclog"
TRACE = TESTDATA / "chromium" / "seed_table.json"
PACKED = TESTDATA / f"{ONE}.dump.xz"


def session():
    return truth(ONE)["CacheSessions"][0]


def commands():
    """Name -> arguments. The dump has its executable where it matters."""
    dump, exe = dump_of(ONE), ("--exe", exe_of(ONE))
    steps = ("-e", "overview; objects; types; goroutines; owners; screen")
    return {
        "info": ("info", dump, *exe),
        "info-json": ("info", "--json", dump),
        "info-packed": ("info", PACKED),
        "list-objects": ("list", "objects", dump, *exe, "--csv"),
        "list-roots": ("list", "roots", dump, *exe, "--json"),
        "list-types": ("list", "types", dump, *exe),
        "list-owners": ("list", "owners", dump, "--depth", "2"),
        "list-samples": ("list", "samples", dump),
        "show": ("show", dump, session(), *exe),
        "path": ("path", dump, session()),
        "why": ("why", dump, session(), *exe),
        "top": ("top", dump, exe[1]),
        "find": ("find", dump, "main"),
        "check": ("check", dump, "--assert", "bytes() < 1GB"),
        "explorer": (dump, *steps),
        "log": ("info", LOG),
        "log-explorer": (LOG, "-e", "overview; objects; screen"),
        "trace": ("info", TRACE),
        "trace-export": ("export", TRACE, "--format", "chromium-heap"),
        "log-export": ("export", LOG, "--format", "hprof"),
        "trace-breakdown": ("list", "breakdown", TRACE),
    }


def run_with(arguments, fault, **more):
    shim = harness.BUILD / "tests" / "faults" / "fault.so"
    environment = {**ENVIRONMENT, "LD_PRELOAD": str(shim), "FAULT": fault, **more}
    return harness.Result(arguments, subprocess.run(
        [harness.PROGRAM, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=DEADLINE, check=False,
    ))


def calls(arguments, kind):
    """How it answers, and which calls to try."""
    with tempfile.NamedTemporaryFile("r", encoding="ascii") as file:
        right = run_with(arguments, f"{kind}:0", FAULT_CALLS=file.name)
        *sites, count = map(int, file.read().split())
    if TRIES == "sites":
        return right, sorted(sites)
    if TRIES == "all":
        return right, range(1, count + 1)
    sites, last = sorted(sites), len(sites) - 1
    return right, sorted({sites[i * last // (SAMPLE - 1)] for i in range(SAMPLE)} if sites else ())


def told(result, right):
    """A library may say something first. An executable that cannot be opened is said, and the dump
    is shown without names; the file of the user's views, of which these questions need none, too."""
    without_views = re.fullmatch(r"goheapx: \S+/views cannot be used: .*\n", result.err) and result.out == right.out
    return "goheapx: " in result.err and (
        result.status == 2 or without_views or "; going on without names.\n" in result.err)


def same(result, right):
    return (result.status, result.raw_out, result.raw_err) == (
        right.status, right.raw_out, right.raw_err)


@test(each=list(CLASSES), builds=["gcc"])
def a_call_that_fails_is_told(kind):
    wrong = []
    for name, arguments in commands().items():
        right, numbers = calls(arguments, kind)
        assert right.status == 0, right
        for number in numbers:
            result = run_with(arguments, f"{kind}:{number}")
            if not told(result, right) and not same(result, right):
                wrong.append(f"{name}, {kind} {number}: status {result.status}, {result.err[-200:]}")
    assert not wrong, f"{len(wrong)} failures are not told:\n" + "\n".join(wrong[:200])
