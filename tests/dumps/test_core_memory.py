"""What core files say of the memory of their process, against what it said itself at that instant."""

import functools
import pathlib

from core_files import CRASH, HERE, QUIET, core, file, mapped, truth
from harness import DUMPS, ONE, UNPACKED, answer, equal, graph_of, run, test, unpacked

# Between its own statistics and the core the process made an object of 6 KB, or two.
LATER = {"Alloc", "TotalAlloc", "Mallocs", "HeapAlloc", "HeapObjects"}
LATER_OBJECTS, LATER_BYTES = 2, 2 * 6144
BY_SPANS = {"Alloc", "Lookups", "HeapAlloc", "HeapInuse", "HeapObjects", "StackInuse"}
SEARCHED = BY_SPANS | {"BuckHashSys"}


@functools.lru_cache(maxsize=1)
def dumped(name):
    return graph_of(file(name, "dump")).dump


def statistics_are(name, right):
    info = answer("info", core(name))["memstats"]
    stripped = "stripped" in name
    for field, value in right.items():
        got = info.get(field)
        if stripped and field not in SEARCHED or field == "NextGC":
            # Collections were switched off: when the next begins is not known.
            assert got is None, (field, got)
        elif field in LATER:
            most = LATER_BYTES if "Alloc" in field and field != "Mallocs" else LATER_OBJECTS
            assert value <= got <= value + most, (field, got, value)
        else:
            equal(got, value, field)


@test(each=QUIET)
def statistics_are_those_of_the_dump(name):
    statistics_are(name, dumped(name).memstats)


@test(each=QUIET, builds=["gcc"])
def statistics_are_those_that_the_program_read(name):
    right = truth(name)
    statistics_are(name, {field: right[field] for field in dumped(name).memstats})


@test
def statistics_of_a_crash_fit_together():
    m = answer("info", core(CRASH))["memstats"]
    assert None not in m.values(), m
    equal(m["HeapSys"], m["HeapInuse"] + m["HeapIdle"], "HeapSys")
    equal(m["Mallocs"] - m["Frees"], m["HeapObjects"], "HeapObjects")
    assert m["HeapAlloc"] < m["HeapInuse"] and m["HeapAlloc"] < m["NextGC"] and m["HeapReleased"] <= m["HeapIdle"], m
    equal(len(answer("list", "pauses", core(CRASH))), min(m["NumGC"], 256), "pauses")


@test(each=HERE)
def the_table_shows_the_same(name):
    rows = {row["name"]: row["value"] for row in answer("list", "memstats", core(name))}
    info = answer("info", core(name))["memstats"]
    for field, value in info.items():
        if field != "PauseNs":
            equal(rows[field], value, field)


@test(each=QUIET)
def allocation_profiles_are_those_of_the_dump(name):
    """Only programs that refer to runtime.MemProfile have them: of these, those of Go 1.26 and 1.27."""
    dump = dumped(name)
    rows = answer("list", "profiles", core(name))
    equal({(row["id"], row["size"], row["allocs"], row["frees"], row["frames"]) for row in rows},
          {(f"{p.id:#x}", p.size, p.allocs, p.frees, len(p.stack)) for p in dump.profiles}, "profiles")
    for profile in dump.profiles:
        calls = answer("list", "profile", core(name), f"{profile.id:#x}")
        equal([call["line"] for call in calls],
              [f"{source}:{line}" for _, source, line in profile.stack], "lines")
        # The dump has the name of the function that an inlined one is in.
        names = [(call["function"], function) for call, (function, _, _) in zip(calls, profile.stack)]
        assert sum(own != outer for own, outer in names) <= len(names) // 2, names
    samples = answer("list", "samples", core(name))
    equal({(row["object"], row["profile"]) for row in samples},
          {(f"{obj:#x}", f"{profile:#x}") for obj, profile in dump.samples}, "samples")
    equal(bool(rows), "1.26" in name or "1.27" in name, "has it one")


def spans_of(name):
    rows = answer("list", "spans", core(name))
    return [dict(row, address=int(row["address"], 16)) for row in rows]


@test(each=QUIET + [CRASH])
def spans_are_the_heap_without_a_gap(name):
    rows = spans_of(name)
    for one, next_one in zip(rows, rows[1:]):
        equal(next_one["address"], one["address"] + one["bytes"], "the next span")
    sums = {state: sum(row["bytes"] for row in rows if row["state"] == state)
            for state in ("in use", "stack", "runtime", "free", "released")}
    right = answer("info", core(CRASH))["memstats"] if name == CRASH else dumped(name).memstats
    equal(sums["in use"], right["HeapInuse"], "in use")
    equal(sums["stack"], right["StackInuse"], "stacks")
    equal(sums["free"] + sums["released"], right["HeapIdle"], "free")
    equal(sums["released"], right["HeapReleased"], "released")


@test(each=QUIET + [CRASH], builds=["gcc"])
def the_timeline_has_the_free_pages(name):
    """A stripped program lacks the statistics that tell them, too."""
    row, = answer("list", "timeline", core(name))
    equal(row["idle_bytes"], sum(span["bytes"] for span in spans_of(name) if span["state"] == "free"), "free")


@test(each=QUIET)
def spans_hold_the_objects(name):
    rows = [row for row in spans_of(name) if row["state"] == "in use"]
    held = sorted(int(row["address"], 16) for row in answer("list", "objects", core(name)))
    equal(sum(row["objects"] for row in rows), len(held), "objects")
    at = 0
    for row in rows:
        start = at
        while at < len(held) and held[at] < row["address"] + row["bytes"]:
            at += 1
        equal((at - start, row["slots"] - row["free_slots"]), (row["objects"],) * 2, "objects in a span")
        equal(row["kept_by"] and int(row["kept_by"], 16), held[start] if at > start else None, "kept by")
        assert row["slots"] * row["slot_size"] <= row["bytes"], row
    sparse = min((row for row in rows if row["objects"] > 1), key=lambda row: row["objects"] / row["slots"])
    inside = answer("list", "objects", core(name), f"span={sparse['address']:#x}")
    equal(len(inside), sparse["objects"], "objects of the sparsest span")
    for state in ("in use", "stack", "runtime", "free", "released"):
        some = answer("list", "spans", core(name), *state.split())
        equal(len(some), sum(row["state"] == state for row in spans_of(name)), state)


@test(each=QUIET)
def spans_of_a_dump_are_those_of_the_core(name):
    """A dump lists no spans; they follow from the addresses of objects."""
    right = {row["address"]: row for row in spans_of(name) if row["state"] == "in use" and row["objects"]}
    rows = answer("list", "spans", file(name, "dump"), "--exe", file(name, "exe"))
    equal([int(row["address"], 16) for row in rows], list(right), "spans")
    later = 0
    for row in rows:
        of_core = right[int(row["address"], 16)]
        for column in ("bytes", "state", "class", "slot_size", "slots", "no_pointers"):
            equal(row[column], of_core[column], f"{column} of {row['address']}")
        later += of_core["objects"] - row["objects"]
        equal(row["free_slots"], row["slots"] - row["objects"], "free slots")
    assert 0 <= later <= LATER_OBJECTS, later
    sizes = answer("list", "sizes", core(name))
    for row in sizes:
        of_size = [span for span in right.values() if span["slot_size"] == row["size"]]
        equal((row["spans"], row["slots"], row["free_slots"]),
              (len(of_size), sum(s["slots"] for s in of_size), sum(s["free_slots"] for s in of_size)), str(row))


# Before Go 1.4 the statistics count memory of stacks among the objects.
@test(each=[name for name in DUMPS if not name.startswith("go1.3")])
def spans_of_a_dump_are_the_bytes_in_use(name):
    """runtime.MemStats counts the bytes of spans with objects; up to Go 1.7 with those of stacks."""
    rows = answer("list", "spans", unpacked(name))
    old = int(name.split(".")[1].split("-")[0]) <= 7
    stats = answer("info", unpacked(name))["memstats"]
    equal(sum(row["bytes"] for row in rows), stats["HeapInuse"] - old * stats["StackInuse"], "in use")
    equal(sum(row["objects"] for row in rows), answer("info", unpacked(name))["objects"], "objects")
    assert all(0 < row["objects"] <= row["slots"] and row["slots"] * row["slot_size"] <= row["bytes"] for row in rows)
    for one, next_one in zip(rows, rows[1:]):
        assert int(one["address"], 16) + one["bytes"] <= int(next_one["address"], 16), next_one
    sparse = min(rows, key=lambda row: row["objects"] / row["slots"])
    at = sparse["address"]
    inside = {row["address"] for row in answer("list", "objects", unpacked(name), f"span={at}")}
    equal(len(inside), sparse["objects"], "objects in the span")
    assert sparse["kept_by"] in inside, inside
    kept = [row["address"] for row in answer("list", "objects", unpacked(name), f"span={at}") if row["reachable"]]
    if kept:
        paths = answer("list", "merged-paths", unpacked(name), f"span={at}")
        equal(sum(row["objects"] for row in paths), len(kept), "paths to them")


@test
def spans_are_told_of_as_far_as_they_are_known():
    answered = run("list", "spans", unpacked(ONE), expect=0)
    assert "derived from the addresses of objects" in answered.err, answered.err
    assert "There is no span at 0x1;" in run("list", "objects", core(HERE[0]), "span=0x1", expect=1).err
    assert "There is no span at 0x1;" in run("list", "merged-paths", unpacked(ONE), "span=0x1", expect=1).err
    assert "by their state" in run("list", "spans", core(HERE[0]), "busy", expect=2).err
    equal(answer("list", "spans", unpacked(ONE), "stack"), [], "stacks")
    content = pathlib.Path(unpacked(ONE)).read_bytes()
    cut = UNPACKED / "cut-in-the-objects.dump"
    cut.write_bytes(content[: len(content) // 2])
    for table in ("spans", "sizes"):
        assert "has lost seem to be free" in run("list", table, cut, expect=0).err, table
        assert "has lost" not in run("list", table, unpacked(ONE), expect=0).err, table


@test(each=QUIET)
def stacks_are_those_of_the_dump(name):
    """In the dump, a goroutine's record is an object that begins with the bounds of its stack."""
    import struct

    dump, right = dumped(name), {}
    contents = {dump.address(i): obj.data for i, obj in enumerate(dump.objects)}
    for g in dump.goroutines:
        low, high = struct.unpack_from("<QQ", contents[g.address])
        right[g.id] = high - low
    rows = {row["id"]: row for row in answer("list", "goroutines", core(name))}
    equal({number: row["stack_bytes"] for number, row in rows.items()}, right, "stacks")
    equal({row["stack_known"] for row in rows.values()}, {"exact"}, "known")
    groups = answer("list", "groups", core(name))
    equal(sum(row["stack_bytes"] for row in groups), sum(right.values()), "stacks of the groups")
    info = answer("info", core(name))
    equal((info["stack_bytes"], info["stack_bytes_exact"]), (sum(right.values()), True), "stacks in all")
    assert sum(right.values()) <= dump.memstats["StackInuse"]


@test(each=QUIET + [CRASH])
def the_memory_of_the_process_adds_up(name):
    table = answer("list", "memory", core(name))
    equal({row["resident_bytes"] for row in table}, {None}, "what was in memory: kernels do not tell")
    rows = {row["use"]: row["bytes"] for row in table}
    equal(sum(rows.values()), mapped(core(name)), "all")
    equal(rows["objects"], sum(row["size"] for row in answer("list", "objects", core(name))), "objects")
    stacks = sum(row["stack_bytes"] for row in answer("list", "goroutines", core(name)))
    equal(rows["goroutine stacks"], stacks, "stacks of goroutines")
    right = answer("info", core(CRASH))["memstats"] if name == CRASH else dumped(name).memstats
    equal(rows["goroutine stacks"] + rows["other stacks"], right["StackInuse"], "stacks")
    equal(rows["objects"] + rows["free slots"] + rows["rest of spans"], right["HeapInuse"], "spans in use")
    equal((rows["free spans"] + rows["released"], rows["released"]), (right["HeapIdle"], right["HeapReleased"]), "free")
    if "stripped" not in name:
        parts = {"span records": "MSpanSys", "thread caches": "MCacheSys", "profile": "BuckHashSys",
                 "other records": "OtherSys"}
        for use, field in parts.items():
            equal(rows[use], right[field], use)
        equal(rows["marks and maps"] + rows.get("work of the collector", 0), right["GCSys"], "collector")
    assert "heap" not in rows, rows


@test
def the_memory_of_a_process_is_only_in_cores():
    assert "no memory beside its objects" in run("list", "memory", unpacked(ONE), expect=1).err


@test(each=QUIET + [CRASH])
def threads_have_the_registers_of_the_notes(name):
    """elf_prstatus: the thread's id at 32, its registers at 112."""
    import struct

    with open(core(name), "rb") as file:
        header = file.read(64)
        file.seek(struct.unpack_from("<Q", header, 32)[0])
        _, _, offset, _, _, size, _, _ = struct.unpack("<IIQQQQQQ", file.read(56))
        file.seek(offset)
        notes = file.read(size)
    right, at = {}, 0
    pc, sp = (32, 31) if "arm64" in name else (16, 19)
    while at + 12 <= len(notes):
        owner, length, kind = struct.unpack_from("<III", notes, at)
        body = at + 12 + (owner + 3) // 4 * 4
        if kind == 1:
            number = struct.unpack_from("<I", notes, body + 32)[0]
            right[number] = tuple(struct.unpack_from("<Q", notes, body + 112 + 8 * r)[0] for r in (pc, sp))
        at = body + (length + 3) // 4 * 4
    rows = answer("list", "threads", core(name))
    got = {row["os_id"]: (int(row["pc"], 16), int(row["sp"], 16)) for row in rows if row["pc"]}
    equal(got, right, "registers")
    assert all(row["pc_function"] for row in rows if row["pc"]) or name == CRASH, rows
