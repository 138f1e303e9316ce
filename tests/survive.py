"""Running the program on files that nobody vouches for: it answers soon, without much memory."""

import contextlib
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile

import harness
import schedule
from harness import ENVIRONMENT, ROOT

SECONDS = 6  # of processor time: a hundred times what such an input takes, for machines with much else to do
MEMORY = 64 << 20  # bytes beside those of the file
HANGS = 60  # seconds
COUNT = int(os.environ.get("DAMAGE", "40"))  # cuts and changes that are tried
MEASURE = str(ROOT / "tests" / "measure.py")


def contents(name):
    """The bytes of a dump of testdata."""
    with open(harness.unpacked(name), "rb") as file:
        return file.read()


@contextlib.contextmanager
def file_of(content, suffix=".dump"):
    """A file that has this content for a while; open for changing it."""
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=suffix) as file:
        file.write(content)
        file.flush()
        yield file


class Measured(harness.Result):
    """What a run printed, and what it took."""

    def __init__(self, arguments, files, report):
        status, self.seconds, self.memory, self.faults = report
        out, err = (file.read() for file in files)
        super().__init__(arguments, subprocess.CompletedProcess(arguments, status, out, err))


@functools.lru_cache(maxsize=1)
def meter():
    """The process that runs and measures, see measure.py; it ends with this one."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", MEASURE], env=ENVIRONMENT, text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )


def end_meter(process):
    """With the program that hangs."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    meter.cache_clear()


def measured(*arguments):
    process = meter()
    with tempfile.NamedTemporaryFile("rb") as out, tempfile.NamedTemporaryFile("rb") as err:
        command = [out.name, err.name, harness.PROGRAM, *map(str, arguments)]
        process.stdin.write(json.dumps(command) + "\n")
        if not select.select([process.stdout], [], [], HANGS)[0]:
            end_meter(process)
            raise AssertionError(f"no end after {HANGS} seconds: {arguments}")
        result = Measured(arguments, (out, err), json.loads(process.stdout.readline()))
    schedule.elsewhere += result.seconds
    return result


def answered(path, *arguments, statuses=(0, 2), memory=MEMORY):
    """Runs the program, which must end within its limits. Sanitizers have their own: they take some
    times as long, and any amount of memory."""
    result = measured(*arguments, path)
    assert result.status in statuses, result
    assert "runtime error:" not in result.err, result
    seconds, extra = SECONDS, result.memory - os.stat(path).st_size
    if harness.SANITIZED:
        seconds, extra = SECONDS * 10, 0
    assert result.seconds < seconds, f"{result.seconds} seconds: {result}"
    assert extra < memory, f"{extra} bytes beside the file: {result}"
    return result


def survives(path, **limits):
    """What info says of a file; None where it refuses it, which takes a sentence."""
    result = answered(path, "info", "--json", **limits)
    if result.status == 2:
        assert result.err.startswith("goheapx: ") and result.err.endswith(".\n"), result
        return None
    info = json.loads(result.out)
    for warning in info["warnings"]:
        assert warning["offset"] is None or warning["offset"] <= os.stat(path).st_size, warning
        assert warning["text"].isprintable(), warning
    assert info["complete"] or info["warnings"], "incomplete, but no warning says so"
    return info


def survives_bytes(content, **limits):
    with file_of(content) as file:
        return survives(file.name, **limits)


# Every screen that needs no argument, then what leads on from some of them, as far as there is
# something.
TOUR = """overview; types; itabs; finalizers; defers; panics; threads; memstats; pauses; profiles;
samples; shapes; unreachable; sizes; warnings; records; keys G g; objects; keys G; keys Enter x;
segments; keys Enter; groups; keys z G Enter; roots; keys Enter p r; screen"""


def tours(path, **limits):
    """Goes through the explorer."""
    arguments = [word for step in TOUR.split(";") for word in ("-e", step.strip())]
    result = answered(path, *arguments, statuses=(0, 1, 2), **limits)
    assert "\x1b" not in result.out and "\x1b" not in result.err, result
    return result
