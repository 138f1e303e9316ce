#!/usr/bin/env python3
"""Builds the program in every way it must build, and runs all tests.

    tests/run.py [--rewrite] [--builds=NAME,...] [--first] [--names=FILE] [WORD...]

With words, only tests whose name has one of them: "golden", "cli/", "unit/base/test_text". --rewrite
writes the golden screens anew instead of comparing them; --builds runs the tests of these builds only;
--first ends at the first failure; --names runs the tests that a file names, such as build/skipped, where each run
writes "NAME<tab>REASON" of what it has skipped. What is slow is told at the end. The last line is
"N passed, N failed", with ", N skipped" where there are any.
"""

import functools
import importlib.util
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import traceback

import fuzzing
import schedule
from report import FAILED, PASSED, SKIPPED, Report
from schedule import Task

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
SUMMARY = ROOT / "build" / "summary"  # the last line, for .ci/run
PROCESSORS = len(os.sched_getaffinity(0))
JOBS = PROCESSORS + 1  # as each waits now and then for files, or for a program that it starts

# The builds, and those of them whose program is tested. A test says on which it wants to run. Unit tests and
# seeds of the fuzzers are built and run with sanitizers; `make check-all` does it without them, too. clang only
# looks at all files, with its warnings as errors; `make fuzz` builds with it. Sanitizers are compiled in half
# the time without more than lines for the debugger, and run as fast; threads are watched without optimization.
# What UBSan finds is a signal, which ASan tells with its place: texts for 50,000 places would be registered at
# each start, as gcc has them as variables.
BUILDS = {
    "gcc": ["CC=gcc", "WERROR=1", "BUILD=build/gcc", "layers", "tested"],
    "clang": ["WERROR=1", "warnings"],
    "sanitize": ["CC=gcc", "CFLAGS=-O1 -g1 -fsanitize-undefined-trap-on-error", "SANITIZE=1", "WERROR=1",
                 "BUILD=build/sanitize", "tests"],
    "thread": ["CC=gcc", "CFLAGS=-O0 -g1", "SANITIZE=thread", "BUILD=build/thread", "all"],
}
PROGRAMS = ["gcc", "sanitize", "thread"]
UNIT = ["sanitize"]  # builds that have unit tests
LEFT = {}  # (file, number of a test): is it left to `make check-all`?

# ---- Builds


def build_tasks(names):
    """At the same time, each with its share of the processors."""
    jobs = max(1, PROCESSORS // max(1, len(names)))
    return [Task(f"build/{name}", build, (name, jobs)) for name in names]


def build(name, jobs):
    """One make; its success is a test."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    arguments = ["make", "--no-print-directory", f"-j{jobs}", *BUILDS[name]]
    made = subprocess.run(
        arguments, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    return [(f"build/{name}", FAILED if made.returncode else PASSED, made.stdout)]


# ---- Unit tests: programs that speak TAP


def unit_tests(folder, selected):
    """A task for each file; those of a layer are one program."""
    for source in sorted((TESTS / "unit").glob("*/test_*.c")):
        layer = source.parent.name
        name = f"unit/{layer}/{source.stem} ({folder})"
        if selected(name):
            program = ROOT / "build" / folder / "tests" / "unit" / layer / "tests"
            yield Task(name, run_unit, (str(program), source.stem, name))


def run_unit(program, file, name):
    environment = {**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP", "TZ": "UTC"}
    ran = subprocess.run(
        [program, file], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False,
    )
    text = ran.stdout.decode("utf-8", "backslashreplace")
    results = []
    for bad, test in re.findall(r"^(not )?ok \d+ - (.*)$", text, re.M):
        results.append((f"{name}: {test}", FAILED if bad else PASSED, text if bad else ""))
    for test in re.findall(r"^not ok \d+ # SKIP (.*)$", text, re.M):
        results.append((f"{name}: {test}", SKIPPED, "../shared/corpus is not there"))
    if not results or (ran.returncode and not any(r[1] == FAILED for r in results)):
        results.append((name, FAILED, f"exit status {ran.returncode}\n{text}"))
    return results


# ---- Tests in Python: functions under @test in tests/*/test_*.py


def load(path):
    """Imports a file of tests; gives its (name, function, arguments, builds)."""
    import harness

    harness.REGISTERED.clear()
    harness.folder, harness.module, harness.tested = path.parent.name, path.stem, PROGRAMS
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(harness.REGISTERED)


def python_tests(folder, selected):
    """A task for each argument of a file's tests: they share what they have read."""
    for path in sorted(TESTS.glob("*/test_*.py")):
        tasks = {}
        for number, (case, _, arguments, builds) in enumerate(load(path)):
            LEFT[path, number] = not builds
            name = f"{path.parent.name}/{path.stem}: {case} ({folder})"
            if folder in builds and selected(name):
                tasks.setdefault(arguments or number, []).append((number, name))
        for about, cases in tasks.items():
            yield Task(task_name(cases), run_python, (str(path), folder, cases), f"{folder} {about}")


def task_name(cases):
    """What the slowest are called by."""
    return cases[0][1] + (f" and {len(cases) - 1} more" if len(cases) > 1 else "")


def run_python(path, folder, cases):
    import harness

    harness.BUILD = ROOT / "build" / folder
    harness.PROGRAM = os.environ["GOHEAPX"] = str(
        harness.BUILD / ("goheapx" if folder == "thread" else "tests/goheapx"))
    harness.SANITIZED = folder == "sanitize"
    registered = load(pathlib.Path(path))
    return [run_case(name, *registered[number][1:3]) for number, name in cases]


def run_case(name, function, arguments):
    import harness

    try:
        function(*(arguments or ()))
        return name, PASSED, ""
    except harness.Skip as skip:
        return name, SKIPPED, str(skip)
    except Exception:  # whatever it is, the test failed
        return name, FAILED, traceback.format_exc()


# ---- All of them


def sources(selected):
    """(builds, function): it lists tests that can be run when these builds are there."""
    for folder in PROGRAMS:
        if folder in UNIT:
            yield {folder}, functools.partial(unit_tests, folder, selected)
        yield {folder}, functools.partial(python_tests, folder, selected)
    yield from fuzzing.sources(UNIT, selected)


def run_all(report, builds, selected, first):
    """Builds and tests; those of a build that fails are not run. `first`: until something fails."""
    left, built = list(sources(selected)), set()

    def finished(task, results, took):
        report.took.append(took)
        for result in results:
            report.add(*result)
        if first and report.counts[FAILED]:
            return None
        if task.function is not build or results[0][1] == FAILED:
            return []
        built.add(task.arguments[0])
        ready = [source for source in left if source[0] <= built]
        left[:] = [source for source in left if source not in ready]
        return [test for source in ready for test in source[1]()]

    def passing(left):
        ended = sum(took.name.startswith("build/") for took in report.took)
        report.passing("building" if ended < len(builds) else f"{left} groups of tests left")

    schedule.run_all(build_tasks(builds), JOBS, finished, passing, hurry=not first)


def choose_builds(names):
    """Only these, and their programs."""
    for name in set(BUILDS) - set(names):
        del BUILDS[name]
    PROGRAMS[:] = [name for name in PROGRAMS if name in names]


def named_in(path):
    """Whether a file names a test, or tests of a unit test's program."""
    names = {line.partition("\t")[0] for line in pathlib.Path(path).read_text().splitlines()}
    names |= {name.partition("): ")[0] + ")" for name in names if name.startswith("unit/")}
    return names.__contains__, {name.rpartition("(")[2].rstrip(")") for name in names}


def main():
    # a shell ignores it for what it runs in the background, and so would the programs that tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    selected, named = (lambda name: not words or any(word in name for word in words)), None
    for option in set(sys.argv[1:]) - set(words):
        if option not in ("--rewrite", "--first") and not option.startswith(("--builds=", "--names=")):
            sys.exit(__doc__)
        if option.startswith("--names="):
            selected, named = named_in(option.partition("=")[2])
    if "--rewrite" in sys.argv:
        os.environ["REWRITE"] = "1"
        PROGRAMS[:] = ["gcc"]
    for option in sys.argv[1:]:
        if option.startswith("--builds="):
            choose_builds(option.partition("=")[2].split(","))
    if words:
        os.environ["ALL"] = "1"
    if os.environ.get("ALL"):
        UNIT.append("gcc")
        BUILDS.get("gcc", []).append("tests")
    sys.path.insert(0, str(TESTS))
    import packs

    packs.unpacked()  # before unit tests look there
    (ROOT / "build" / "tests" / "dumps").mkdir(parents=True, exist_ok=True)  # where tests unpack their inputs
    started = time.monotonic()
    report = Report()
    needed = [name for name in BUILDS
              if (not words or name in PROGRAMS or any(name in word for word in words)) if named is None or name in named]
    run_all(report, needed, selected, "--first" in sys.argv)
    report.print_skipped()
    report.print_slowest()
    report.print_sums()
    report.write_times(ROOT / "build" / "times")
    left = f"; {sum(LEFT.values())} tests are left to make check-all" if any(LEFT.values()) else ""
    print(f"{time.monotonic() - started:.0f} seconds{left}")
    SUMMARY.parent.mkdir(exist_ok=True)
    SUMMARY.write_text(report.line() + "\n")
    report.write_names(SUMMARY.parent)
    print(report.line())
    return 1 if report.counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())
