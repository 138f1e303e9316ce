"""Every cell of breakdowns: of random traces of Chromium and of Go's allocation profiles, as the
model in tests/oracle/heaps.py has them; and the same when they are written and read again."""

import collections
import re

import heaps
from executables import exe_of
from harness import DUMPS, ONE, TESTDATA, answer, equal, oracle, run, test, unpacked
from survive import file_of

SEEDS = range(40)


def broken_down(file, *words):
    """(process, dump, allocator) -> cells."""
    found = {}
    for row in answer("list", "breakdown", file, *words):
        cells = found.setdefault((row["process"], row["dump"], row["allocator"]), {})
        key = tuple(row["backtrace"]), row["type"]
        assert key not in cells, f"{key} twice"
        cells[key] = [row["size"], row["count"]]
    return found


def counted(cells, counts):
    return {key: [cell[0], cell[1] if counts else None] for key, cell in cells.items()}


@test(each=SEEDS)
def random_traces_are_broken_down(seed):
    text, known = heaps.random_trace(seed)
    with file_of(text.encode()) as file:
        equal(answer("info", file.name)["warnings"], [], "warnings")
        for bottom_up in (False, True):
            for least in ("0", "100", "5%"):
                got = broken_down(file.name, f"min={least}", *["bottom-up"][: int(bottom_up)])
                equal(sorted(got), sorted(known), "heaps")
                for heap, told in known.items():
                    cells = told[bottom_up]
                    total = cells[(), None][0]
                    size = total * 5 // 100 if least == "5%" else int(least)
                    right = counted(heaps.shown(cells, size), told[2])
                    equal(got[heap], right, f"{heap} from {least} on, bottom-up {bottom_up}")


@test(each=SEEDS)
def random_traces_are_written_and_read_again(seed):
    text, _ = heaps.random_trace(seed)
    with file_of(text.encode()) as file:
        for least in ("0", "100"):
            right = broken_down(file.name, f"min={least}")
            export = ["export", "--format", "chromium-heap", file.name, "--cutoff", least]
            with file_of(run(*export, expect=0).raw_out) as written:
                equal(answer("info", written.name)["warnings"], [], "warnings")
                got = broken_down(written.name)
            equal(sorted(got), sorted(right), "heaps")
            for heap, cells in right.items():
                equal(heaps.without_leaves(got[heap]), heaps.without_leaves(cells), heap)


# ---- Go


def rows_of(dump, number):
    return [
        (stack_of(profile), None, *number(profile))
        for profile in dump.profiles
    ]


def stack_of(profile):
    return tuple(frame[0] for frame in reversed(heaps.outside_runtime(profile.stack)))


@test(each=DUMPS)
def profiles_are_broken_down(name):
    """Stack by stack, what the records of the profile say."""
    dump = oracle(name).dump
    got = broken_down(unpacked(name)) if dump.profiles else {}
    rate = heaps.rate_of(name)
    for allocator, number in (
        ("inuse", lambda site: heaps.scaled(site, max(site.allocs - site.frees, 0), rate)),
        ("alloc", lambda site: heaps.scaled(site, site.allocs, rate)),
    ):
        if dump.profiles:
            rows = [row for row in rows_of(dump, number) if row[3]]
            cells = got[None, None, allocator]
            untyped = {key: cell for key, cell in cells.items() if key[1] is None}
            equal(untyped, heaps.shown(heaps.cumulated(rows, True)), allocator)
            for (stack, _), keys in heaps.parts(cells, 1).items():
                sums = [sum(cells[key][i] for key in keys) for i in (0, 1)]
                equal(sums, cells[stack, None], f"types of {stack}")


@test
def sites_have_the_types_of_their_objects():
    """Of each stack, as many of a type as the profiler's samples are of it. It counts an object two
    collections late: stacks of which there are more objects than that are left out."""
    dump = oracle(ONE).dump
    rows = answer("list", "objects", unpacked(ONE), "--exe", exe_of(ONE), "--parts")
    types = {int(row["address"], 16): row["type"] for row in rows}
    sites = {p.id: (stack_of(p), p) for p in dump.profiles}
    samples = collections.Counter(profile for _, profile in dump.samples)
    late = {stack for stack, p in sites.values() if p.allocs - p.frees < samples[p.id]}
    right = {}
    for address, profile in dump.samples:
        stack, site = sites[profile]
        if stack not in late and address in types:
            heaps.add(right, (stack + (heaps.SELF,), types[address]), site.size, 1)
    got = broken_down(unpacked(ONE), "allocator=inuse", "--exe", exe_of(ONE), "--parts")[None, None, "inuse"]
    assert len(right) > 100, right
    equal({key: got.get(key) for key in right}, right, "types of sites")


@test
def live_objects_are_broken_down():
    """Every object that the profiler has recorded, by its stack and type."""
    dump = oracle(ONE).dump
    objects = answer("list", "objects", unpacked(ONE), "--exe", exe_of(ONE), "--parts")
    objects = {int(row["address"], 16): row for row in objects}
    stacks = {p.id: stack_of(p) for p in dump.profiles}
    rows = [
        (stacks[profile], objects[address]["type"], objects[address]["size"], 1)
        for address, profile in dump.samples if address in objects
    ]
    assert len(rows) > 10000, len(rows)
    got = broken_down(unpacked(ONE), "allocator=live", "--exe", exe_of(ONE), "--parts")[None, None, "live"]
    untyped = [(stack, None, size, count) for stack, _, size, count in rows]
    for right in (heaps.cumulated(rows, True), heaps.cumulated(untyped, True)):
        equal({key: got.get(key) for key in right}, right, "live objects")


@test
def sorting_keeps_the_parts_that_a_row_was_turned_to():
    trace = TESTDATA / "chromium" / "v2_table.json"
    screens = run("-e", "breakdown; sort-next; keys t; screen; sort size; screen", trace, expect=0).out
    rows = re.findall(r"^ +▸ type \w .*$", screens, re.M)
    equal(len(rows), 8, "rows by type on both screens")
    equal(rows[:4], rows[4:], "rows after sorting")


@test
def a_sort_of_fewer_rows_than_before_is_replayed():
    """Without parts there are fewer types: the cursor was on a row that is gone."""
    steps = "set parts on; types; keys G; sort count; set parts off; screen"
    assert "▼" in run("-e", steps, unpacked(ONE), expect=0).out
