"""Several dumps of one process: what is in each since when, and how much more there is."""

import bisect
import contextlib
import json
import pathlib
import re
import subprocess
import tempfile
from collections import Counter

import core_files
from executables import dump_of, exe_of, truth_of
from harness import ONE, UNPACKED, Skip, answer, equal, graph_of, run, test, unpacked

VERSIONS = ["go1.19", "go1.27"]


def since_unnamed(version, dumps, table, *options):
    """The rows of the newest of some dumps, with the others behind it, without an executable."""
    older = [word for dump in dumps[:-1] for word in ("--since", dump_of(f"{version}-drift-{dump}"))]
    return answer("list", table, dump_of(f"{version}-drift-{dumps[-1]}"), *older, *options)


def since(version, dumps, table, *options):
    return since_unnamed(version, dumps, table, "--exe", exe_of(f"{version}-drift-1"), *options)


def phases(version, dumps):
    return [truth_of(f"{version}-drift")["dumps"][int(dump) - 1] for dump in dumps]


def born(kinds, address):
    """The first dump since which the same kind of thing is there."""
    first = len(kinds)
    while first > 1 and kinds[first - 2].get(address) == kinds[-1][address]:
        first -= 1
    return first


@test(each=[f"{version}-drift-{dumps}" for version in VERSIONS for dumps in ("12", "23", "13", "123")],
      builds=["gcc"])
def objects_are_there_since_when_they_are(name):
    version, dumps = name.split("-drift-")
    kinds = [{address: kind for kind, addresses in phase["objects"].items() for address in addresses}
             for phase in phases(version, dumps)]
    for asked in (since, since_unnamed):
        check_born(kinds, sorted(asked(version, dumps, "objects", "--columns", "address,size,born"),
                                 key=lambda row: int(row["address"], 16)))


def check_born(kinds, rows):
    starts = [int(row["address"], 16) for row in rows]
    checked = set()
    for address, kind in kinds[-1].items():
        if kind == "job":  # replaced in every phase, which nothing shows where the place is the same
            continue
        row = rows[bisect.bisect_right(starts, int(address, 16)) - 1]
        assert int(address, 16) - int(row["address"], 16) < row["size"], (address, row)
        equal(row["born"], born(kinds, address), f"born of {kind} at {address}")
        checked.add(kind.split()[0])
    equal(checked, {"session", "steady", "early", "late", "window", "node"} & {
        kind.split()[0] for kind in kinds[-1].values()}, "kinds")


@test(each=VERSIONS, builds=["gcc"])
def a_check_counts_what_is_there_since(version):
    dumps = [dump_of(f"{version}-drift-{dump}") for dump in (1, 2, 3)]
    known = Counter(row["born"] for row in since(version, "123", "objects", "--columns", "born"))
    for born_in in (1, 2, 3):
        told = answer("check", *dumps, exe_of(f"{version}-drift-1"), "--assert", f"objects(born = {born_in}) >= 0")
        equal(told[0]["value"], known[born_in], f"objects since {born_in}")


@test(each=VERSIONS, builds=["gcc"])
def no_late_tenant_is_an_early_one(version):
    late = set(phases(version, "2")[0]["objects"]["late tenant"])
    equal(len(late), 2000, "late tenants")
    for asked in (since, since_unnamed):
        rows = asked(version, "12", "objects", "--columns", "address,born")
        equal({row["born"] for row in rows if row["address"] in late}, {2}, "born of late tenants")


@test(each=VERSIONS, builds=["gcc"])
def goroutines_are_there_since_their_phase(version):
    truth = {g["id"]: g["phase"] for g in phases(version, "3")[0]["goroutines"]}
    rows = [row for row in since(version, "123", "goroutines") if row["id"] in truth]
    equal({row["id"]: row["born"] for row in rows}, truth, "born")
    equal(sum(row["count_delta"] for row in rows), sum(phase > 1 for phase in truth.values()), "new")


@test(each=VERSIONS, builds=["gcc"])
def types_and_groups_have_more(version):
    for table, key, bytes_ in (("types", ["type"], "bytes"),
                               ("groups", ["function", "wait_reason", "frames"], "stack_bytes")):
        old = answer("list", table, dump_of(f"{version}-drift-1"), "--exe", exe_of(f"{version}-drift-1"))
        name = lambda row: tuple(row[k] for k in key)
        before = {name(row): row for row in old}
        told = 0
        for row in since(version, "13", table):
            was = before.get(name(row), {"count": 0, bytes_: 0})
            if sum(name(row) == name(other) for other in old) > 1:
                continue
            equal(row["count_delta"], row["count"] - was["count"], f"count_delta of {name(row)}")
            equal(row["bytes_delta"], row[bytes_] - was[bytes_], f"bytes_delta of {name(row)}")
            told += 1
        assert told > 10, told
    grown = {row["type"]: row["count_delta"] for row in since(version, "13", "types")}
    equal(grown["main.Session"], 800, "main.Session")
    equal(grown["main.LateTenant"], 2000, "main.LateTenant")


@test(each=[f"{version}-drift-{dumps}" for version in VERSIONS for dumps in ("12", "13")], builds=["gcc"])
def what_is_new_in_a_set(name):
    """Against the sets of both dumps, object by object, and what the program counted."""
    version, dumps = name[:6], name[-2:]
    before, now = (truth["counts"]["sessions"] for truth in phases(version, dumps))
    for table, selector in (("retained-set", "retained"), ("owned-set", "owned")):
        rows = {row["name"]: row for row in since(version, dumps, table, "main.sessions")}
        session = rows["main.Session"]
        equal((session["count"], session["count_delta"], session["new_count"]), (now, now - before, now - before), table)
        sums = []
        for dump in dumps:
            files = dump_of(f"{version}-drift-{dump}"), "--exe", exe_of(f"{version}-drift-1")
            sums.append(Counter())
            for row in answer("list", "objects", *files, f"{selector}=main.sessions", "--columns", "type,size"):
                sums[-1][row["type"]] += row["size"]
        equal({kind: row["bytes_delta"] for kind, row in rows.items()},
              {kind: sums[1][kind] - sums[0][kind] for kind in sums[0] | sums[1]}, f"bytes_delta of {table}")
        fresh = Counter(row["type"] for row in since(version, dumps, "objects", f"{selector}=main.sessions",
                                                     "--columns", "type,born") if row["born"] == 2)
        equal({kind: row["new_count"] for kind, row in rows.items() if row["new_count"]}, dict(fresh), "new_count")


@test(builds=["gcc"])
def a_set_that_an_earlier_dump_has_not_is_new():
    """And what is gone is told by its rows: of 20,000 records all but 10 are deleted."""
    rows = since("go1.27", "12", "objects", "type=main.LateTenant", "--columns", "address")
    # Late tenants are where early ones were: at the same addresses are other objects.
    for what in (rows[0]["address"], f"object={rows[0]['address']} or object={rows[1]['address']}", "main.windows[7]"):
        told = run("list", "retained-set", dump_of("go1.27-drift-2"), what, "--since", dump_of("go1.27-drift-1"),
                   "--exe", exe_of("go1.27-drift-1"))
        assert "All of it counts as new" in told.err, (what, told)
        for row in since("go1.27", "12", "retained-set", what):
            equal((row["count_delta"], row["bytes_delta"]), (row["count"], row["bytes"]), what)
    rows = {row["name"]: row for row in since("go1.27", "12", "retained-set", "main.shrunk")}
    record = rows["main.Record"]
    equal((record["count"], record["count_delta"], record["new_count"]), (10, 10 - 20000, 0), "records")
    assert record["bytes_delta"] < -10 * 20000, record


def held(truth):
    """By holder, what the program knows to be in it."""
    return {"main.sessions": truth["counts"]["sessions"], "main.windows": truth["counts"]["windows"],
            "main.tokens": truth["counts"]["tokens"], "main.timers": truth["counts"]["timers"],
            "main.history": truth["counts"]["history_len"], "main.pending": truth["counts"]["pending"],
            "finalizers of main.Cycle": truth["counts"]["finalizer_cycles"],
            "main.queueHead": sum(len(there) for kind, there in truth["objects"].items()
                                  if kind.startswith("node born")),
            "main.goroutines": len(truth["goroutines"])}


@test(each=[f"{version}-drift-{dumps}" for version in VERSIONS for dumps in ("12", "23", "13", "123")],
      builds=["gcc"])
def what_grew_is_what_did(name):
    version, dumps = name.split("-drift-")
    known = [held(phase) for phase in phases(version, dumps)]
    rows = {row["name"]: row for row in since(version, dumps, "growth")}
    for holder in known[-1]:
        row, counts = rows[holder], [count[holder] for count in known]
        equal((row["count"], row["count_delta"]), (counts[-1], counts[-1] - counts[0]), holder)
        equal(row["counts"], " > ".join(f"{count:,}" for count in counts), holder)
        equal(row["steady"], True, holder)
    contexts = rows["main.rootCtx.children"]
    assert contexts["count"] >= phases(version, dumps)[-1]["counts"]["contexts_children_at_least"], contexts
    assert contexts["count_delta"] >= 50 * (int(dumps[-1]) - int(dumps[0])), contexts
    for unchanged in ("main.ring", "main.steady", "main.tenants", "main.shrunk"):
        assert not any(row.startswith(unchanged) for row in rows), unchanged
    names = list(rows)
    equal(names[:2], ["main.windows", "main.sessions"], "what grew most")
    if dumps == "123":  # one jump, between the first two, is no steady growth
        equal((rows["main.successors"]["counts"], rows["main.successors"]["steady"]),
              ("0 > 2,000 > 2,000", False), "successors")
        assert all(row["steady"] for row in list(rows.values())[:10]), names


@test(each=VERSIONS, builds=["gcc"])
def what_grew_retains_more(version):
    path = lambda dump: dump_of(f"{version}-drift-{dump}")
    for row in since(version, "13", "growth", "--limit", "3"):
        now, before = (answer("list", "where", path(dump), "--exe", exe_of(f"{version}-drift-1"), "--where",
                              f'expression = "{row["name"]}"')[0]["retained_bytes"] for dump in (3, 1))
        equal((row["retained_bytes"], row["retained_delta"]), (now, now - before), row["name"])


@test(builds=["gcc"])
def differences_are_compared_with_their_sign():
    rows = since("go1.19", "13", "owners")
    for text, holds in (("retained_delta < 0", lambda n: n < 0), ("retained_delta > 100k", lambda n: n > 102400),
                        ("retained_delta < -100k", lambda n: n < -102400), ("count_delta >= -5", lambda n: n >= -5)):
        column = text.split()[0]
        equal([row["name"] for row in since("go1.19", "13", "owners", "--where", text)],
              [row["name"] for row in rows if row[column] is not None and holds(row[column])], text)


@test(each=VERSIONS, builds=["gcc"])
def what_grew_without_an_executable(version):
    rows = answer("list", "growth", dump_of(f"{version}-drift-3"), "--since", dump_of(f"{version}-drift-1"))
    counts = [(row["count"], row["count_delta"]) for row in rows]
    for wanted in ((1200, 800), (12, 8), (120, 80), (60, 40)):
        assert wanted in counts, wanted
    assert (500, 0) not in counts and len(rows) < 60, len(rows)


@test(each=VERSIONS, builds=["gcc"])
def places_and_owners_have_more(version):
    """What the newest dump's rows have more is the difference to the same rows of the older one."""
    for table, columns in (("where", [("count", "count_delta"), ("bytes", "bytes_delta"),
                                      ("retained_bytes", "retained_delta")]),
                           ("owners", [("retained_objects", "count_delta"), ("owned_bytes", "retained_delta")])):
        old = {row["name"]: row for row in answer("list", table, dump_of(f"{version}-drift-1"), "--exe",
                                                  exe_of(f"{version}-drift-1"))}
        rows = {row["name"]: row for row in since(version, "13", table)}
        for name in ("main.sessions", "main.windows", "main.history", "main.shrunk", "main.steady"):
            for now, delta in columns:
                equal(rows[name][delta], rows[name][now] - old[name][now], f"{delta} of {name} in {table}")
        for now, delta in columns:
            equal(rows["main.successors"][delta], rows["main.successors"][now], "what is new")
    waiting = {row["name"].split(" × ")[-1]: row for row in since(version, "13", "owners")}
    assert waiting["goroutine main.leakSend"]["retained_delta"] > 0, waiting["goroutine main.leakSend"]


@test
def nothing_has_changed_since_itself():
    path = unpacked(ONE)
    objects = answer("list", "objects", path, "--since", path, "--columns", "born")
    equal({row["born"] for row in objects}, {1}, "born")
    for table in ("types", "groups", "goroutines"):
        for row in answer("list", table, path, "--since", path):
            equal((row["count_delta"], row["bytes_delta"]), (0, 0), f"{table} {row}")
    for table in ("where", "owners"):
        for row in answer("list", table, path, "--since", path):
            equal((row["count_delta"], row["retained_delta"]), (0, 0), f"{table} {row}")
    equal(answer("list", "growth", path, "--since", path), [], "growth")
    result = run("list", "growth", path, expect=0)
    assert "give one with --since" in result.err, result
    for row in answer("list", "types", path):
        equal((row["count_delta"], row["bytes_delta"]), (None, None), f"{row} without --since")


@test
def dumps_of_other_processes_are_refused():
    other = run("list", "types", unpacked(ONE), "--since", unpacked("go1.24.4-small-pie"), expect=2)
    assert "is of another program" in other.err, other
    missing = run("list", "types", unpacked(ONE), "--since", "/nonexistent", expect=2)
    assert "/nonexistent" in missing.err, missing
    run("info", unpacked(ONE), "--since", unpacked("go1.24.4-small-pie"), expect=2)
    run("check", unpacked(ONE), "--since", unpacked(ONE), "--assert",
        "objects(born > 1) == 0", expect=0)


@test(builds=["gcc"])
def a_later_dump_is_not_an_earlier_one():
    result = run("list", "types", dump_of("go1.27-drift-1"), "--since", dump_of("go1.27-drift-2"), expect=2)
    assert "is not from before: it has counted" in result.err, result


def diff(version, older, newer):
    path = lambda dump: dump_of(f"{version}-drift-{dump}")
    return answer("diff", path(older), path(newer), exe_of(f"{version}-drift-1"))


@test(builds=["gcc"])
def dumps_are_told_apart_and_put_in_order():
    """Whatever the order and wherever the executable stands."""
    dumps, exe = [dump_of(f"go1.19-drift-{dump}") for dump in (1, 2, 3)], exe_of("go1.19-drift-1")
    right = run(*dumps, exe, "-e", "wait all; screen; growth", expect=0).out
    assert re.search(r"400 > 800 > 1,200 +main\.sessions", right), right
    for order in ((exe, dumps[2], dumps[0], dumps[1]), (dumps[1], exe, dumps[0], dumps[2])):
        equal(run(*order, "-e", "wait all; screen; growth", expect=0).out, right, "screens")
    told = run("diff", dumps[2], dumps[0], expect=0)
    assert "although it was not named last" in told.err, told
    equal(told.out, run("diff", dumps[0], dumps[2], expect=0).out, "diff")
    assert "at the same time as" in run("diff", dumps[0], dumps[0], expect=0).err
    for asked, says in ((dumps[:2][::-1], "It is the newest"), (dumps[:1] * 2, "at the same time as")):
        equal(says in run("check", *asked, "--assert", "growth() < 1 GB", expect=0).err, True, says)
    refused = run("check", dumps[2], dump_of("go1.27-drift-1"), "--assert", "growth() < 1 GB", expect=2).err
    assert "is of another program" in refused and "It is the newest" not in refused, refused
    other = run(dumps[2], dumps[0], unpacked(ONE), "-e", "wait all; screen", expect=0)
    assert "main.sessions" not in other.out and "is of another program" in other.err + other.out, other


@test(builds=["gcc"])
def an_earlier_dump_that_is_cut_is_told():
    whole, cut = dump_of("go1.19-drift-1"), UNPACKED / "drift-cut.dump"
    cut.write_bytes(pathlib.Path(whole).read_bytes()[:-100000])
    result = run(cut, dump_of("go1.19-drift-3"), exe_of("go1.19-drift-1"), "-e", "wait all; screen", expect=0)
    assert "drift-cut.dump" in result.err and "The file is truncated" in result.err, result.err
    assert "The file is truncated" in " ".join(result.out.split()), result.out  # where lines break is the path's affair


@test(builds=["gcc"])
def a_cut_dump_says_nothing_of_growth():
    """Neither dump can be told to be the newer one by what is left: they stay as they are named."""
    first, third, cut = dump_of("go1.19-drift-1"), dump_of("go1.19-drift-3"), UNPACKED / "drift-half.dump"
    for whole, halved, order in ((third, first, lambda cut, whole: (cut, whole)),
                                 (first, third, lambda cut, whole: (whole, cut))):
        cut.write_bytes(pathlib.Path(halved).read_bytes()[:3000000])
        dumps = order(cut, whole)
        for assertion in ("growth() < 1 GB", "growth(main.sessions) < 1 GB"):
            for lenient in ([], ["--lenient"]):
                told = run("check", *dumps, exe_of("go1.19-drift-1"), "--assert", assertion, *lenient, expect=2)
                assert "no roots" in told.err and "It is the newest" not in told.err, told
        told = run("diff", *dumps, expect=1)
        assert "drift-half.dump: There are no roots" in told.err and "It is the newe" not in told.err, told
    cut.write_bytes(pathlib.Path(first).read_bytes()[:-50])
    told = run("check", cut, third, "--assert", "growth() < 1 GB", expect=2)
    assert "--lenient accepts these" in told.err, told
    run("check", cut, third, "--assert", "growth() < 1 GB", "--lenient", expect=0)


@test(each=VERSIONS, builds=["gcc"])
def checks_compare(version):
    older, newer, exe = dump_of(f"{version}-drift-1"), dump_of(f"{version}-drift-3"), exe_of(f"{version}-drift-1")
    def value(what, expect, *options):
        return json.loads(run("check", older, newer, exe, "--assert", what, "--json", expect=expect).out)[0]["value"]
    before, now = (answer("list", "owners", dump, "--exe", exe) for dump in (older, newer))
    for name in ("main.sessions", "main.windows", "main.steady"):
        bytes_ = [next(row["owned_bytes"] for row in rows if row["name"] == name) for rows in (before, now)]
        equal(value(f"growth({name}) < 1MB", int(bytes_[1] - bytes_[0] >= 1 << 20)), bytes_[1] - bytes_[0], name)
    assert value("growth(main.shrunk) < 1", 0) < -300000, "what shrank"
    equal(value("growth() < 1 GB", 0), diff(version, "1", "3")["reachable_delta"], "all that is reachable")
    equal(value("lost() == 0", 1), 255, "lost")
    assert "there is main.sessions" in run("check", older, newer, exe, "--assert", "growth(main.sesions) < 1",
                                           expect=2).err
    assert "compares with an earlier dump" in run("check", newer, "--assert", "growth() < 1", expect=2).err


@test(each=VERSIONS, builds=["gcc"])
def the_parts_of_a_difference_add_up(version):
    for older, newer in ("12", "23", "13"):
        told = diff(version, older, newer)
        parts = [row for kind in ("grew", "shrank", "new", "gone") for row in told[kind]]
        before, now = (answer("info", dump_of(f"{version}-drift-{dump}"), "--exe", exe_of(f"{version}-drift-1"))
                       ["reachable_bytes"] for dump in (older, newer))
        equal(told["reachable_delta"], now - before, "reachable_delta")
        equal(sum(row["bytes_delta"] for row in parts), now - before, "the parts")
        equal(len({row["type"] for row in parts}), len(parts), "types")
        for kind in ("grew", "shrank", "new", "gone"):
            most_growth_first = sorted(told[kind], key=lambda row: (-row["bytes_delta"], row["type"]))
            equal(told[kind], most_growth_first, f"order of {kind}")
        grown = {row["type"]: row["count_delta"] for row in told["grew"]}
        equal(grown["main.Session"], 400 * (int(newer) - int(older)), "sessions")
        assert "main.Job" not in {row["type"] for row in parts}, "a ring of jobs does not grow"


@test(each=VERSIONS, builds=["gcc"])
def goroutines_that_wait_as_before_are_told(version):
    told = diff(version, "1", "3")
    first, last = phases(version, "13")
    equal(sorted(told["lost"]), sorted(g["id"] for g in last["goroutines"] if g["leaked"]), "lost")
    known = {g["id"] for g in last["goroutines"]}
    equal(set(told["stuck"]) & known, {g["id"] for g in first["goroutines"]}, "stuck")


@test(each=VERSIONS, builds=["gcc"])
def goroutines_wait_since_their_phase(version):
    truth = {g["id"]: g for g in phases(version, "3")[0]["goroutines"]}
    since_when = {id: g["phase"] if g["phase"] < 3 else None for id, g in truth.items()}
    rows = {row["id"]: row["stuck_since"] for row in since(version, "123", "goroutines")}
    equal({id: rows[id] for id in truth}, since_when, "goroutines")
    equal({id for id, when in rows.items() if when} - set(truth), set(), "others")
    lost = since(version, "123", "lost", "--where", "stuck_since <= 2")
    equal({row["id"]: row["stuck_since"] for row in lost},
          {id: when for id, when in since_when.items() if when and truth[id]["leaked"]}, "lost ones")
    equal(sum(row["stuck"] for row in since(version, "123", "groups")), sum(when == 1 for when in since_when.values()),
          "in groups")


def uvarint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


@test(builds=["gcc"])
def who_has_run_meanwhile_is_not_stuck():
    """It waits at the same place as before, but a collection has found that at another time."""
    import godump

    older, newer = dump_of("go1.19-drift-1"), dump_of("go1.19-drift-2")
    data = pathlib.Path(older).read_bytes()
    moved = UNPACKED / "drift-moved.dump"
    for when in {g.wait_since for g in godump.read(godump.load(older)).goroutines if g.wait_since}:
        data = data.replace(uvarint(when), uvarint(when ^ 1))
    moved.write_bytes(data)
    ask = lambda before: answer("list", "goroutines", newer, "--since", before, "--where", "stuck_since = 1")
    equal(len(ask(older)), len(phases("go1.19", "1")[0]["goroutines"]), "those of the first phase")
    equal(ask(moved), [], "those that have run")


@test
def a_dump_does_not_differ_from_itself():
    path = unpacked(ONE)
    told = json.loads(run("diff", path, path, "--json", expect=0).out)
    lists = ("grew", "shrank", "new", "gone", "owners", "fields", "groups", "sites")
    equal({key: told[key] for key in ("reachable_delta", *lists)}, {"reachable_delta": 0} | {key: [] for key in lists}, "diff")
    text = run("diff", path, path, expect=0).out
    assert text.splitlines()[0] == "reachable  +0 B", text


def named(rows, name):
    return next(row for row in rows if row["name"] == name)


def check_named(told, older, newer, exe, phases_between):
    """By owner, field and group as the tables of each have it, and as the program grew."""
    for key, table, count, bytes_, delta in (
            ("owners", "owners", "retained_objects", "owned_bytes", "retained_delta"),
            ("fields", "where", "count", "bytes", "bytes_delta")):
        before, now = (answer("list", table, dump, "--exe", exe) for dump in (older, newer))
        for name in ("main.sessions", "main.windows", "main.shrunk"):
            row, was, is_now = named(told[key], name), named(before, name), named(now, name)
            equal((row[count], row[bytes_]), (is_now[count], is_now[bytes_]), f"{key} {name}")
            equal((row["count_delta"], row[delta]), (is_now[count] - was[count], is_now[bytes_] - was[bytes_]), name)
        assert "main.steady" not in [row["name"] for row in told[key]], "what has not grown"
    equal(named(told["fields"], "main.sessions[*].Body")["count_delta"], 400 * phases_between, "bodies of sessions")
    groups = {(row["function"], row["wait_reason"]): row["count_delta"] for row in told["groups"]}
    equal((groups["main.leakSend", "chan send"], groups["main.waitPending", "chan receive"]),
          (40 * phases_between, 10 * phases_between), "groups")
    sites = [Counter(), Counter()]
    for dump, live in zip((older, newer), sites):
        for row in answer("list", "profiles", dump):
            live[row["function"], row["line"]] += row["live"]
    equal({(row["function"], row["line"]): row["count_delta"] for row in told["sites"] if row["count_delta"]},
          {site: sites[1][site] - sites[0][site] for site in sites[0] | sites[1] if sites[1][site] != sites[0][site]}, "sites")


@test(each=VERSIONS, builds=["gcc"])
def what_has_a_name_is_compared(version):
    told, paths = diff(version, "1", "3"), [dump_of(f"{version}-drift-{dump}") for dump in (1, 3)]
    check_named(told, *paths, exe_of(f"{version}-drift-1"), 2)
    text = run("diff", *paths, exe_of(f"{version}-drift-1"), expect=0).out
    assert "owner      +2.0 MB  +8  main.windows\n" in text, text


def check_other(older, newer, by, exe):
    """Dumps of two processes: the parts add up, and no goroutine waits as before."""
    result = run("diff", older, newer, *exe, "--json", expect=0)
    told = json.loads(result.out)
    equal(told["compared_by"], by, "compared_by")
    parts = [row for kind in ("grew", "shrank", "new", "gone") for row in told[kind]]
    before, now = (answer("info", dump, *exe)["reachable_bytes"] for dump in (older, newer))
    equal(told["reachable_delta"], now - before, "reachable_delta")
    equal(sum(row["bytes_delta"] for row in parts), now - before, "the parts")
    equal(told["stuck"], [], "stuck")
    assert "is of another" in result.err, result
    return told


@test
def dumps_of_two_programs_are_compared_by_shape():
    told = check_other(unpacked(ONE), unpacked("go1.24.4-small-pie"), "shape", ())
    assert all(row["type"].startswith("obj[") for kind in ("grew", "new") for row in told[kind]), told
    equal({told[key] for key in ("owners", "fields", "groups", "sites")}, {None}, "what has a name")


def written_again():
    """The dumps that another process of the series' program writes."""
    folder, program = UNPACKED / "again", pathlib.Path(exe_of("go1.19-drift-1"))
    folder.mkdir(exist_ok=True)
    running = folder / "drift"
    running.write_bytes(program.read_bytes())
    running.chmod(0o700)
    with contextlib.suppress(OSError):
        subprocess.run([running, folder, "again"], env={}, cwd="/", check=False, timeout=120)
    if not (folder / "again-3.dump").exists():
        raise Skip("this machine does not run amd64 programs")
    return [folder / f"again-{phase}.dump" for phase in (1, 2, 3)]


@test(builds=["gcc"])
def dumps_of_two_processes_are_compared_by_type():
    again, exe = written_again(), exe_of("go1.19-drift-1")
    told = check_other(dump_of("go1.19-drift-1"), again[2], "type", ("--exe", exe))
    grown = {row["type"]: row["count_delta"] for row in told["grew"]}
    equal((grown["main.Session"], grown["main.User"]), (800, 800), "sessions")
    assert "main.Job" not in grown, "a ring of jobs does not grow"
    check_named(told, dump_of("go1.19-drift-1"), again[2], exe, 2)
    mains = [row["count_delta"] > 0 for row in told["owners"] if "main.main" in row["name"]]
    equal(mains, [True], "what main.main owns, whatever its number")
    refused = run("list", "objects", again[2], "--since", dump_of("go1.19-drift-1"), expect=2)
    assert "of another process" in refused.err or "is not from before" in refused.err, refused
    own = run("diff", again[0], again[2], exe, "--json", expect=0)
    equal(json.loads(own.out)["compared_by"], "place", "two dumps of the new process")


@test(each=core_files.QUIET, builds=["gcc"])
def a_core_file_follows_a_dump(name):
    """The program wrote its dump and parked: everything is where it was, and all but main wait as they did."""
    dump, core = core_files.file(name, "dump"), core_files.core(name)
    exe = core_files.file(name, "exe")
    rows = lambda *what: json.loads(run("list", *what, "--exe", exe, "--since", dump, "--json", expect=0).out)
    objects = rows("objects", core, "--columns", "born,reachable")
    equal({row["born"] for row in objects if row["reachable"]}, {1}, "born")
    waits = rows("goroutines", core, "--where", "status = waiting and not system")
    equal({row["id"]: row["stuck_since"] for row in waits}, {row["id"]: None if row["id"] == 1 else 1 for row in waits},
          "stuck_since")
    result = run("diff", dump, core, exe, "--json", expect=0)
    equal(json.loads(result.out)["compared_by"], "place", "compared_by")
    assert "It is the newe" not in result.err, result.err
    equal("cleanups and weak handles" in result.err, not name.startswith("go1.19"), "what only one tells")


@test
def an_earlier_dump_without_roots_takes_nothing_from_the_newer():
    """What is alive in the newer one is told as without the other one, and what cannot be compared is said."""
    dumps = [dump_of(f"go1.19-drift-{number}") for number in "12"]
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder, "cut.dump")
        cut.write_bytes(pathlib.Path(dumps[0]).read_bytes()[:200_000])
        lacks = f"There are no roots in {cut}: what was alive then cannot be told."
        for table in ("where", "owners"):
            alone = run("list", table, dumps[1], "--json", expect=0)
            beside = run("list", table, dumps[1], "--since", cut, "--json", expect=0)
            equal(beside.out, alone.out, table)
            assert lacks in beside.err, beside
        growth = run("list", "growth", dumps[1], "--since", cut, expect=1)
        equal(growth.err.count("There are no roots"), 1, f"sentences of {growth}")
        assert growth.err.endswith(f"only between dumps with roots, and {cut} has none.\n"), growth
        alone, beside = (run("info", dumps[1], *since, expect=0).out.split("\n")
                         for since in ((), ("--since", cut)))
        assert any(line.startswith(" OWNERS ") for line in alone), alone
        equal([line for line in alone if line not in beside], [], "what the overview lacks")
        assert lacks in " ".join(" ".join(beside).split()), beside


@test(each=VERSIONS, builds=["gcc"])
def the_timeline_has_the_memory_of_each_dump(version):
    rows = since(version, "123", "timeline")
    equal([row["dump"] for row in rows], [pathlib.Path(dump_of(f"{version}-drift-{number}")).name for number in "123"], "order")
    for number, row in zip("123", rows):
        graph = graph_of(dump_of(f"{version}-drift-{number}"))
        stats, phase = graph.dump.memstats, phases(version, number)[0]
        equal((row["heap_bytes"], row["objects"]), (sum(one.size for one in graph.dump.objects), len(graph.dump.objects)), "heap")
        equal(row["reachable_bytes"], graph.reachable_bytes(), "reachable")
        equal(row["unreachable_bytes"], row["heap_bytes"] - row["reachable_bytes"], "garbage")
        equal(row["idle_bytes"], stats["HeapIdle"] - stats["HeapReleased"], "free")
        assert row["goroutines"] >= len(phase["goroutines"]), row
        equal((row["resident_bytes"], row["outside_bytes"], row["time"]), (None, None, None), "what a dump does not tell")
