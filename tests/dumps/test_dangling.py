"""Pointers to where no object is, which no dump of testdata has: in one that is written here, so that
their number is known, and by the reader in tests/oracle."""

import re

import godump
import graph
import harness
import writer
from harness import answer, equal, run, test

COUNT = 3000


@test
def each_is_counted_once():
    path = harness.write_once(harness.UNPACKED / "dangling-3000.dump", lambda: writer.dangling(COUNT))
    info, seen = answer("info", path), graph.Graph(godump.read(godump.load(path)))
    equal(info["dangling_pointers"], 2 * (COUNT - 1), "dangling_pointers")
    equal(seen.dangling, 2 * (COUNT - 1), "those of the oracle")
    equal(info["pointers"], COUNT - 1, "pointers")
    equal(info["reachable_objects"], COUNT, "reachable_objects")
    count = f"{2 * (COUNT - 1):,}"
    report = run("info", path, expect=0).out
    for told in (report, run("-e", "accounts; keys G; screen", path, expect=0).out):
        assert re.search(f" {count} +pointers into the heap where no object is", told), told
