#!/usr/bin/env python3
"""Builds the program in every way it must build, and runs all tests.

    tests/run.py [--rewrite] [WORD...]

With words, only tests whose name has one of them: "golden", "cli/", "unit/base/test_text". --rewrite
writes the golden screens anew instead of comparing them. The last line is "N passed, N failed", with
", N skipped" where there are any.
"""

import concurrent.futures
import importlib.util
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import time
import traceback

import fuzzing

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
SUMMARY = ROOT / "build" / "summary"  # the last line, for .ci/run
JOBS = len(os.sched_getaffinity(0))

# The builds, and those of them whose program is tested. A test says on which it wants to run.
BUILDS = {
    "gcc": ["CC=gcc", "WERROR=1", "BUILD=build/gcc", "layers", "tests"],
    "clang": ["CC=clang", "WERROR=1", "BUILD=build/clang", "tests"],
    "fuzz": ["CC=clang", "FUZZING=1", "WERROR=1", "BUILD=build/fuzz", "fuzzers"],
    "sanitize": ["CC=gcc", "SANITIZE=1", "WERROR=1", "BUILD=build/sanitize", "tests"],
    "thread": ["CC=gcc", "SANITIZE=thread", "BUILD=build/thread", "all"],
}
PROGRAMS = ["gcc", "sanitize", "thread"]

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Report:
    """Counts, and says what did not pass as soon as it is known."""

    def __init__(self):
        self.counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}

    def add(self, name, outcome, text=""):
        self.counts[outcome] += 1
        if outcome == FAILED:
            print(f"FAILED  {name}\n{indented(text)}", flush=True)
        elif outcome == SKIPPED:
            print(f"skipped {name}: {text}", flush=True)

    def line(self):
        counts = self.counts
        skipped = f", {counts[SKIPPED]} skipped" if counts[SKIPPED] else ""
        return f"{counts[PASSED]} passed, {counts[FAILED]} failed{skipped}"


def indented(text):
    return "\n".join("        " + line for line in text.rstrip().splitlines()[-60:])


# ---- Builds


def build(name, report):
    """One make; its success is a test."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    arguments = ["make", "--no-print-directory", f"-j{JOBS}", *BUILDS[name]]
    made = subprocess.run(
        arguments, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    report.add(f"build/{name}", FAILED if made.returncode else PASSED, made.stdout)
    return made.returncode == 0


# ---- Unit tests: programs that speak TAP


def unit_tests(folder, selected):
    programs = sorted((ROOT / "build" / folder / "tests" / "unit").glob("*/test_*"))
    for program in programs:
        name = f"unit/{program.parent.name}/{program.name} ({folder})"
        if not program.suffix and selected(name):
            yield run_unit, (str(program), name)


def run_unit(program, name):
    environment = {**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP", "TZ": "UTC"}
    ran = subprocess.run(
        [program], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False,
    )
    text = ran.stdout.decode("utf-8", "backslashreplace")
    results = []
    for bad, test in re.findall(r"^(not )?ok \d+ - (.*)$", text, re.M):
        results.append((f"{name}: {test}", FAILED if bad else PASSED, text if bad else ""))
    for test in re.findall(r"^not ok \d+ # SKIP (.*)$", text, re.M):
        results.append((f"{name}: {test}", SKIPPED, "what it reads is not in the repository"))
    if not results or (ran.returncode and not any(r[1] == FAILED for r in results)):
        results.append((name, FAILED, f"exit status {ran.returncode}\n{text}"))
    return results


# ---- Tests in Python: functions under @test in tests/*/test_*.py


def load(path):
    """Imports a file of tests; gives its (name, function, arguments, builds)."""
    import harness

    harness.REGISTERED.clear()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(harness.REGISTERED)


def python_tests(folder, selected):
    """A task for each argument of a file's tests: they share what they have read."""
    for path in sorted(TESTS.glob("*/test_*.py")):
        tasks = {}
        for number, (case, _, arguments, builds) in enumerate(load(path)):
            name = f"{path.parent.name}/{path.stem}: {case} ({folder})"
            if folder in builds and selected(name):
                tasks.setdefault(arguments or number, []).append((number, name))
        for cases in tasks.values():
            yield run_python, (str(path), folder, cases)


def run_python(path, folder, cases):
    os.environ["GOHEAPX"] = str(ROOT / "build" / folder / "goheapx")
    import harness

    harness.PROGRAM = os.environ["GOHEAPX"]
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


def run_all(report, builds, selected):
    tasks = []
    for folder in PROGRAMS:
        tasks += unit_tests(folder, selected)
        tasks += python_tests(folder, selected)
    if "fuzz" in builds:
        tasks += fuzzing.fuzz_tests(selected)
        tasks += fuzzing.replay_tests(selected)
        tasks += fuzzing.change_tests(selected)
        tasks += fuzzing.claim_tests(selected)
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(JOBS, mp_context=context) as pool:
        running = [pool.submit(function, *arguments) for function, arguments in tasks]
        for task in concurrent.futures.as_completed(running):
            outcome = task.result()
            for result in outcome:
                report.add(*result)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--rewrite" in sys.argv:
        os.environ["REWRITE"] = "1"
        PROGRAMS[:] = ["gcc"]
    sys.path.insert(0, str(TESTS))
    started = time.monotonic()
    report = Report()
    needed = [name for name in BUILDS
              if not words or name in PROGRAMS or any(name in word for word in words)]
    if all([build(name, report) for name in needed]):
        run_all(report, needed, lambda name: not words or any(word in name for word in words))
    print(f"{time.monotonic() - started:.0f} seconds")
    SUMMARY.parent.mkdir(exist_ok=True)
    SUMMARY.write_text(report.line() + "\n")
    print(report.line())
    return 1 if report.counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())
