"""What a run of the tests tells: failures at once, the rest at its end."""

import collections
import re
import sys
import time

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
SLOWEST = 10
FILES = 30
EVERY = 30  # seconds
NAMED = 3  # of the tests that lack the same


class Report:
    def __init__(self):
        self.counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}
        self.lacking = collections.defaultdict(list)  # what they lack -> names of tests
        self.failed = []
        self.took = []
        self.started = self.told = time.monotonic()

    def passing(self, left):
        """A line each half minute where nobody sees what goes on."""
        now = time.monotonic()
        if now - self.told >= EVERY and not sys.stdout.isatty():
            self.told = now
            print(f"{now - self.started:.0f} s: {self.line()}, {left}", flush=True)

    def add(self, name, outcome, text=""):
        self.counts[outcome] += 1
        if outcome == FAILED:
            self.failed.append(name)
            print(f"FAILED  {name}\n{indented(text)}", flush=True)
        elif outcome == SKIPPED:
            self.lacking[text].append(name)

    def print_skipped(self):
        """Once for everything that is not there."""
        for lacking, names in sorted(self.lacking.items(), key=lambda item: -len(item[1])):
            more = ", ..." if len(names) > NAMED else ""
            print(f"skipped {len(names)}: {lacking}: {', '.join(names[:NAMED])}{more}")

    def write_names(self, folder):
        """FOLDER/skipped: each test that was skipped, and why, in a line; FOLDER/failed: those that failed."""
        (folder / "skipped").write_text("".join(f"{name}\t{' '.join(lacking.split())}\n"
                                                for lacking, names in self.lacking.items() for name in names))
        (folder / "failed").write_text("".join(f"{name}\n" for name in self.failed))

    def print_slowest(self):
        print("the slowest:")
        for took in sorted(self.took, key=lambda took: -took.wall)[:SLOWEST]:
            print(f"{took.wall:6.1f} s, {took.processor:6.1f} s of processor  {took.name}")

    def write_times(self, path):
        """Of all tasks, the most processor seconds first."""
        took = sorted(self.took, key=lambda took: -took.processor)
        path.write_text("".join(f"{one.processor:.2f} {one.wall:.2f} {one.name}\n" for one in took))

    def print_sums(self):
        """Processor seconds of the builds, of the tests on each of them by their folders, and of the files
        with most."""
        sums, files = collections.Counter(), collections.Counter()
        for took in self.took:
            on = re.search(r"\((\w+)\)", took.name)
            build = f" on {on[1]}" if on else ""
            files[took.name.partition(":")[0].partition(" ")[0] + build] += took.processor
            sums[took.name.partition("/")[0] + build] += took.processor
        told = ", ".join(f"{what} {seconds:.0f}" for what, seconds in sums.most_common())
        print(f"{sum(sums.values()):.0f} s of processor: {told}")
        print("of them: " + ", ".join(f"{file} {seconds:.0f}" for file, seconds in files.most_common(FILES)))

    def line(self):
        counts = self.counts
        skipped = f", {counts[SKIPPED]} skipped" if counts[SKIPPED] else ""
        return f"{counts[PASSED]} passed, {counts[FAILED]} failed{skipped}"


def indented(text):
    return "\n".join("        " + line for line in text.rstrip().splitlines()[-60:])
