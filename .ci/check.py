#!/usr/bin/env python3
"""All tests, and the fewest of them skipped: what .ci/run does on a clean clone.

1. `make demo` and `make check` in a bare Debian (bare.sh); where none can be made, `make check` here.
2. What was skipped there is run here, after what its reasons name was installed, made or set: "package NAME has it",
   "make TARGET builds it", "sysctl NAME=NUMBER". So is what failed there.

A test that is skipped still, although the package that its reason names is installed, is a failure. What takes too
long is ended; where that is the bare Debian, all runs here. The last line is "N passed, N failed, N skipped" of both."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "goheapx-ci"
BARE = ROOT / "build" / "bare"
LISTED = ROOT / "build" / "skipped-before"
MINUTES = {"bare": 45, "check": 35, "make": 12, "install": 10}  # after which each of them is ended
LIMIT, LATE = 82, 20  # minutes for all of it, and what the second part needs at least
BUILDS = 15  # minutes more that it needs where it makes what tests run
NOT_HERE = 3  # status of bare.sh
# Programs of other people that tests ask, by the variable that names them: the packages which they need, and the words
# of the command that prints the path of one.
ASKED = {
    "HPROFCHECK": ({"visualvm", "default-jdk-headless"}, ("realpath", "-e", "../shared/tools/hprofcheck/run.sh")),
    "HEAPSNAPSHOTCHECK": ({"nodejs", "npm"}, ("sh", ".ci/memlab.sh", CACHE / "memlab")),
}
STARTED = time.monotonic()
GO = ["1.26", "1.25", "1.24", "1.23", "1.22"]  # the first that can be had
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # packages of Debian are seen


def left():
    """Seconds."""
    return STARTED + LIMIT * 60 - time.monotonic()


def call(what, *words, **environment):
    """The exit status of a program, None where it took too long. All that it has started ends with it."""
    started = time.monotonic()
    limit = max(1, min(MINUTES[what] * 60, left()))
    with subprocess.Popen(list(map(str, words)), cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True,
                          env={**os.environ, **environment}) as process:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            print("That took too long.")
            return None
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            print(f"{time.monotonic() - started:.0f} seconds: {' '.join(map(str, words))}", flush=True)


class Ran:
    """What a run of the tests has told: how many passed and failed, which failed, and why which were skipped."""

    def __init__(self, folder, status):
        self.passed, self.failed, self.skipped, self.names = 0, 1, {}, []
        self.ended = status is not None
        try:
            line = (folder / "summary").read_text()
            self.passed, self.failed = map(int, re.findall(r"(\d+) (?:passed|failed)", line))
            self.failed += status not in (0, None) and not self.failed
            for line in (folder / "skipped").read_text().splitlines():
                name, _, reason = line.partition("\t")
                self.skipped[name] = reason
            self.names = (folder / "failed").read_text().splitlines()
        except (OSError, ValueError):
            pass


    def failed_tests(self):
        """Their names, if nothing else has failed, such as a build."""
        return self.names if len(self.names) == self.failed and not any(n.startswith("build/") for n in self.names) else []


def bare():
    """None where it cannot be."""
    status = call("bare", "sh", ".ci/bare.sh", CACHE, BARE)
    return None if status in (NOT_HERE, None) else Ran(BARE, status)


def here(*names, **environment):
    folder = ROOT / "build"
    for name in ("summary", "skipped", "failed"):
        (folder / name).unlink(missing_ok=True)
    status = call("check", "make", "--no-print-directory", "check", f"PYTHON={PYTHON}",
                  *([f"TESTS={' '.join(names)}"] if names else []), **environment)
    return Ran(folder, status)


def packages_in(reason):
    return re.findall(r"\bpackage ([a-z0-9][a-z0-9.+-]+) has", reason)


def is_installed(package):
    status = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True,
                            check=False).stdout
    return status == "installed"


def install(packages):
    """All at once, or as many as there are."""
    wanted = sorted(package for package in packages if not is_installed(package))
    if wanted and call("install", "sh", ".ci/packages.sh", *wanted) != 0:
        for package in wanted:
            call("install", "sh", ".ci/packages.sh", package)
    lacking = [package for package in wanted if not is_installed(package)]
    if lacking:
        print(f"not to be had: {' '.join(lacking)}")
    return len(lacking) < len(wanted)


def made(variable, *words):
    """{variable: the path that a command prints}, empty where it has none."""
    path = ROOT / "build" / "path-of-what-is-asked"
    if call("install", "sh", "-c", f'exec "$@" >{path}', "sh", *words) != 0:
        print(f"{variable}: not to be had")
        return {}
    return {variable: path.read_text().strip()}


def asked(reasons):
    """What names the programs that reasons ask for: a Go newer than what the system's suite has, and ASKED."""
    environment = {}
    if any("golang-go" in packages_in(reason) for reason in reasons):
        environment |= made("GO", "sh", ".ci/go.sh", CACHE / "go", *GO)
    for name, (packages, words) in ASKED.items():
        if any(name in reason for reason in reasons):
            install({package for package in packages if not shutil.which(package)})
            environment |= made(name, *words)
    return environment


@contextlib.contextmanager
def settings(reasons):
    """Of the kernel, as reasons ask for them; what was set before is set again at the end."""
    before = {}
    for name, value in {found for reason in reasons for found in re.findall(r"\bsysctl ([\w.]+)=(\d+)", reason)}:
        path = pathlib.Path("/proc/sys", name.replace(".", "/"))
        try:
            before[path] = path.read_text()
            path.write_text(value)
        except OSError as error:
            print(f"{name}: {error.strerror}")
    try:
        yield
    finally:
        for path, value in before.items():
            with contextlib.suppress(OSError):
                path.write_text(value)


def again(first, failed):
    """Runs what was skipped, when what it needs is there, and what failed."""
    reasons = set(first.skipped.values())
    install({package for reason in reasons for package in packages_in(reason)})
    for target in sorted({target for reason in reasons for target in re.findall(r"\bmake (\w+) builds", reason)}):
        if left() > (LATE + BUILDS) * 60:
            call("make", "make", "--no-print-directory", target)
    LISTED.parent.mkdir(exist_ok=True)
    LISTED.write_text("".join(f"{name}\n" for name in [*first.skipped, *failed]))
    with settings(reasons):
        return here(f"--names={LISTED.relative_to(ROOT)}", **asked(reasons))


def main():
    shutil.rmtree(BARE / "root", ignore_errors=True)
    words = os.environ.get("TESTS", "").split()
    first = bare()
    twice = first.failed_tests() if first else []
    if first is None:
        first = here(*words)
    passed, failed, skipped = first.passed, first.failed, first.skipped
    late = left() < LATE * 60
    if (skipped or twice) and not late:
        second = again(first, twice)
        late = not second.ended
    if (skipped or twice) and not late:
        alone = set(twice) - set(second.names) - set(second.skipped)
        passed, skipped = passed + second.passed, second.skipped
        new = {name for name in second.names if name not in twice and not name.startswith("build/")}
        failed += second.failed - len(set(twice) & set(second.names))
        for name in sorted(alone | new):
            print(f"FAILED {'in the bare Debian alone' if name in alone else 'here, and was skipped there'}: {name}")
    avoidable = 0
    for name, reason in skipped.items():
        could = not late and bool(packages_in(reason)) and all(map(is_installed, packages_in(reason)))
        avoidable += could
        print(f"{'skipped, though it need not be' if could else 'skipped'}: {name}: {reason}")
    if late:
        print("There was no time to run here what was skipped or failed.")
    line = f"{passed} passed, {failed + avoidable} failed, {len(skipped) - avoidable} skipped"
    (ROOT / "build" / "summary").write_text(line + "\n")
    print(line)
    return 1 if failed + avoidable else 0


if __name__ == "__main__":
    sys.exit(main())
