"""The fuzz targets as tests: a few thousand inputs each, always the same; and what was ever found,
with the other compiler, too."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"
REGRESS = ROOT / "tests" / "fuzz" / "regress"
REPLAYED = ["gcc", "sanitize"]  # builds
RUNS = 3000
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
        name = f"fuzz/{target}: {RUNS} inputs (clang)"
        if selected(name):
            yield fuzz, (name, target)


def fuzz(name, target):
    with tempfile.TemporaryDirectory() as corpus:
        command = ["sh", "tests/fuzz/run.sh", BUILD, target, corpus, f"-runs={RUNS}", "-seed=1"]
        return [outcome(name, command)]


def replay_tests(selected):
    for folder in REPLAYED:
        for target in targets():
            name = f"fuzz/{target}: seeds and findings ({folder})"
            if selected(name):
                yield replay, (name, folder, target)


def replay(name, folder, target):
    files = sorted((BUILD / "seeds" / target).iterdir()) + sorted((REGRESS / target).glob("*"))
    program = ROOT / "build" / folder / "tests" / "fuzz" / target
    return [outcome(name, [program, *files])]
