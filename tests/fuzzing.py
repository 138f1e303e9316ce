"""The fuzz targets as tests: a few thousand inputs each, always the same ones on every machine, and
what was ever found. libFuzzer, which finds new ones, takes what it finds into account, and so runs
otherwise each time: here it only runs its seeds; `make fuzz` lets it search."""

import functools
import os
import pathlib
import subprocess
import tempfile

from schedule import Task

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "libfuzzer"
REGRESS = ROOT / "tests" / "fuzz" / "regress"
REPLAYED = ["gcc", "sanitize"]  # builds
CHANGES = 3000  # of the seeds of a target
# Where most inputs are changes to a whole executable or core file, or each is shown in many ways.
SLOW = {"debug": 250, "exe": 250, "core": 250, "tables": 1000, "explorer": 1000}
DEADLINE = 600  # seconds: only a hang takes that long

OPTIONS = "allow_user_segv_handler=1:detect_leaks=1"


def targets():
    return sorted(path.name for path in (BUILD / "seeds").iterdir() if path.is_dir())


def outcome(name, command):
    """Runs it; (name, outcome, text) as tests/run.py wants it."""
    ran = subprocess.run(
        list(map(str, command)), cwd=ROOT, env={**os.environ, "ASAN_OPTIONS": OPTIONS},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=DEADLINE, check=False,
    )
    text = ran.stdout.decode("utf-8", "backslashreplace")
    return name, "failed" if ran.returncode else "passed", text


def fuzz_tests(selected):
    for target in targets():
        name = f"fuzz/{target}: seeds (clang)"
        if selected(name):
            yield Task(name, fuzz, (name, target))


def fuzz(name, target):
    with tempfile.TemporaryDirectory() as corpus:
        return [outcome(name, ["sh", "tests/fuzz/run.sh", BUILD, target, corpus, "-runs=0"])]


def change_tests(selected):
    """See tests/fuzz/changed.c."""
    for target in targets():
        changes = SLOW.get(target, CHANGES)
        name = f"fuzz/{target}: {changes} changes (sanitize)"
        if selected(name):
            seeds = files_of(target)
            fuzzer = f"build/sanitize/tests/fuzz/{target}"
            yield program(name, fuzzer, "--changes", changes // len(seeds), *seeds)


def claim_tests(selected):
    """Whatever a record of each layout can claim, it claims."""
    for seed in sorted((BUILD / "seeds" / "tables").glob("[0-9]-64-little-")):
        name = f"fuzz/claims: {seed.name} (gcc)"
        if selected(name):
            yield program(name, "build/gcc/tests/fuzz/tables", "--claims", seed)


def program(name, *command):
    """One that fails by its status."""
    return Task(name, outcome_of, (name, command))


def outcome_of(name, command):
    return [outcome(name, command)]


def replay_tests(folder, selected):
    for target in targets():
        name = f"fuzz/{target}: seeds and findings ({folder})"
        if selected(name):
            yield program(name, f"build/{folder}/tests/fuzz/{target}", *files_of(target))


def files_of(target):
    return sorted((BUILD / "seeds" / target).iterdir()) + sorted((REGRESS / target).glob("*"))


def sources(selected):
    """(builds, function): it lists tests that can be run when these builds are there."""
    yield {"fuzz"}, functools.partial(fuzz_tests, selected)
    yield {"fuzz", "sanitize"}, functools.partial(change_tests, selected)
    yield {"fuzz", "gcc"}, functools.partial(claim_tests, selected)
    for folder in REPLAYED:
        yield {"fuzz", folder}, functools.partial(replay_tests, folder, selected)
