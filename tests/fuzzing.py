"""The fuzz targets as tests: a few thousand inputs each, always the same ones on every machine, and
what was ever found. libFuzzer, which finds new ones, takes what it finds into account, and so runs
otherwise each time: that is `make fuzz`, and here the same entries run with a `main` that finds nothing."""

import functools
import os
import pathlib
import subprocess

from schedule import Task

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGRESS = ROOT / "tests" / "fuzz" / "regress"
CHANGES = 3000  # of the seeds of a target
# Where most inputs are changes to a whole executable or core file, or each is shown in many ways.
SLOW = {"debug": 250, "exe": 250, "core": 250, "tables": 1000, "explorer": 1000}
DEADLINE = 600  # seconds: only a hang takes that long

OPTIONS = "allow_user_segv_handler=1:detect_leaks=1:handle_sigill=1"


def seeds(folder):
    return ROOT / "build" / folder / "seeds"


def targets(folder):
    return sorted(path.name for path in seeds(folder).iterdir() if path.is_dir())


def outcome(name, command):
    """Runs it; (name, outcome, text) as tests/run.py wants it."""
    ran = subprocess.run(
        list(map(str, command)), cwd=ROOT, env={**os.environ, "ASAN_OPTIONS": OPTIONS},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=DEADLINE, check=False,
    )
    text = ran.stdout.decode("utf-8", "backslashreplace")
    return name, "failed" if ran.returncode else "passed", text


def change_tests(selected):
    """See tests/fuzz/changed.c."""
    for target in targets("sanitize"):
        changes = SLOW.get(target, CHANGES)
        name = f"fuzz/{target}: {changes} changes (sanitize)"
        if selected(name):
            files = files_of("sanitize", target)
            fuzzer = f"build/sanitize/tests/fuzz/{target}"
            yield program(name, fuzzer, "--changes", changes // len(files), *files)


def claim_tests(selected):
    """Whatever a record of each layout can claim, it claims."""
    for seed in sorted((seeds("gcc") / "tables").glob("[0-9]-64-little-")):
        name = f"fuzz/claims: {seed.name} (gcc)"
        if selected(name):
            yield program(name, "build/gcc/tests/fuzz/tables", "--claims", seed)


def program(name, *command):
    """One that fails by its status."""
    return Task(name, outcome_of, (name, command))


def outcome_of(name, command):
    return [outcome(name, command)]


def replay_tests(folder, selected):
    for target in targets(folder):
        name = f"fuzz/{target}: seeds and findings ({folder})"
        if selected(name):
            yield program(name, f"build/{folder}/tests/fuzz/{target}", *files_of(folder, target))


def files_of(folder, target):
    return sorted((seeds(folder) / target).iterdir()) + sorted((REGRESS / target).glob("*"))


def sources(replayed, selected):
    """(builds, function): it lists tests that can be run when these builds are there; seeds are run on those that
    are `replayed`."""
    yield {"sanitize"}, functools.partial(change_tests, selected)
    yield {"gcc"}, functools.partial(claim_tests, selected)
    for folder in replayed:
        yield {folder}, functools.partial(replay_tests, folder, selected)
