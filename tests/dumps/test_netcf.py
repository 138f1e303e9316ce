"""GC logs of the .NET Compact Framework: the samples against the numbers of an independent program,
the forms that a text may have, what is wrong with a log, and large ones."""

import json
import random
import re
import tempfile

import gclog
import harness
from harness import TESTDATA, answer, equal, run, test
from survive import file_of, measured, survives_bytes, tours

FOLDER = TESTDATA / "netcf"
LOGS = sorted(path.name[: -len(".gclog")] for path in FOLDER.glob("*.gclog"))


def log_of(name):
    return FOLDER / f"{name}.gclog"


def sections_of(name):
    return json.loads(log_of(name).with_suffix(".gclog.truth.json").read_text())["sections"]


def total(sections, *keys):
    """The sum over the sections of a number, or of a dictionary of numbers."""
    values = [section[keys[0]][keys[1]] if keys[1:] else section[keys[0]] for section in sections]
    if not isinstance(values[0], dict):
        return sum(values)
    names = {name for value in values for name in value}
    return {name: sum(value.get(name, 0) for value in values) for name in names}


@test(each=LOGS)
def counts_are_right(name):
    info, sections = answer("info", log_of(name)), sections_of(name)
    equal(info["format"], "netcf", "format")
    equal(info["complete"], all(section["closed"] for section in sections), "complete")
    equal(info["sections"], len(sections), "sections")
    for ours, key in (
        ("types", "types"), ("objects", "objects"), ("object_bytes", "bytes"),
        ("references", "edges"), ("dangling_references", "dangling_refs"),
        ("dangling_roots", "dangling_roots"), ("roots", "roots_by_kind"),
        ("root_flags", "roots_by_flag"),
    ):
        equal(info[ours], total(sections, key), ours)
    equal(info["reachable_objects"], total(sections, "strong", "reachable_objects"), "reachable")
    equal(info["reachable_bytes"], total(sections, "strong", "reachable_bytes"), "their bytes")
    for part in ("objects", "bytes"):
        both = info[f"reachable_{part}"] + info[f"weakly_reachable_{part}"]
        equal(both, total(sections, "all", f"reachable_{part}"), f"{part} with those of weak roots")
    equal(sum(info["owned_bytes"].values()), info["object_bytes"], "owned by all")
    equal(info["owned_bytes"]["weak"], info["weakly_reachable_bytes"], "owned by weak roots")
    for part, key in (("second object", "duplicate_objects"), ("second type", "duplicate_types"),
                      ("is no record", "bad_lines")):
        warnings = [w for w in info["warnings"] if part in w["text"]]
        equal(len(warnings), total(sections, key), part)
        assert all(warning["offset"] is not None for warning in warnings), warnings


@test(each=LOGS)
def types_are_right(name):
    right = {}
    for section in sections_of(name):
        for number, kind in section["by_type_id"].items():
            row = right.setdefault(kind["name"] or f"#{number}", [0, 0])
            row[0] += kind["count"]
            row[1] += kind["bytes"]
    rows = answer("list", "types", log_of(name))
    got = {row["type"]: [row["count"], row["bytes"]] for row in rows}
    equal(got, {key: value for key, value in right.items() if value[0]}, "types")


@test(each=LOGS)
def domains_are_right(name):
    rows = answer("list", "domains", log_of(name))
    for row, section in zip(rows, sections_of(name), strict=True):
        time = section["timestamp"]
        right = [section["name"], section["objects"], section["bytes"], section["types"],
                 section["roots"], section["closed"], None if time is None else time * 10**6]
        keys = ["name", "objects", "bytes", "types", "roots", "complete", "time"]
        equal([row[key] for key in keys], right, "domain")


@test(each=LOGS)
def statics_show_their_types(name):
    right = {}
    for section in sections_of(name):
        for container, count in section["static_roots_by_container"].items():
            right[container] = right.get(container, 0) + count
    got = {}
    for row in answer("list", "roots", log_of(name), "static"):
        if " of " in row["name"]:
            container = row["name"].split(" of ")[1]
            got[container] = got.get(container, 0) + 1
    equal(got, right, "containers")


def name_of(section, number):
    return hex(section + 1 << 32 | int(number, 16) if section else int(number, 16))


@test(each=LOGS)
def paths_are_shortest_and_true(name):
    references = {}
    for line in log_of(name).read_text("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["o"] and len(words) > 3:
            references.setdefault(words[1].lower(), {word.lower() for word in words[4:]})
    for number, section in enumerate(sections_of(name)):
        for target, depth in list(section["strong"]["depth"].items())[:20]:
            address = name_of(number, target)
            for path in answer("path", log_of(name), address):
                steps = [step["address"] for step in path[1:]]
                equal(steps[-1], address, "end of the path")
                numbers = [f"{int(step, 16) & 0xffffffff:x}" for step in steps]
                for before, after in zip(numbers, numbers[1:]):
                    assert after in references[before], f"{before} does not refer to {after}"
            equal(answer("show", log_of(name), address)["distance"], depth, f"steps to {target}")


@test
def weak_roots_keep_nothing():
    log = log_of("small")
    result = run("path", log, "0x7000", expect=1)
    assert "Only weak roots lead to 0x7000: they keep nothing alive" in result.err, result
    assert "GC handle, weak" in result.out, result
    why = run("why", log, "0x7000", expect=1).out
    assert "Nothing keeps it alive; only weak roots reach it: GC handle, weak." in why, why
    equal(answer("show", log, "0x7000")["reachable"], False, "is it reachable")
    equal(answer("list", "cuts", log, "0x7000")[0]["freed_bytes"], 0, "freed without it")
    holders = answer("list", "holders", log_of("small"), "0x7000")
    equal([row["name"] for row in holders], ["GC handle, weak"], "holders")
    equal(holders[0]["reachable"], False, "is it kept alive by that")


@test
def weak_roots_are_no_co_holders():
    """Two roots hold it together; a weak one is not among them, and goes without being missed."""
    with file_of(b"a 2 x\no 1 1 10\nr 1 4 0 1\nr 1 1 0\nr 1 3 2\nc x\n") as file:
        shared = answer("why", file.name, "1")["held_jointly"][0]
        equal(len(shared["holders"]), 2, "holders")
        equal(shared["freed_bytes"], 16, "freed when both go")


@test
def numbers_are_no_addresses():
    for inside in ("0x1001", "0x101f", "0xfff"):
        result = run("show", log_of("small"), inside, expect=1)
        assert "No object" in result.err, result


@test
def says_what_a_log_lacks():
    for command, lack in (
        (["list", "groups", log_of("small")], "goroutines"),
        (["list", "fields", log_of("small"), "0x1000"], "contents of objects"),
        (["list", "shapes", log_of("small")], "contents of objects"),
        (["-e", "hex 0x1000", log_of("small")], "contents of objects"),
    ):
        result = run(*command)
        assert result.status in (1, 2), result
        assert f"A .NET CF GC log has no {lack}" in result.err, result
    result = run("list", "domains", harness.unpacked(harness.ONE), expect=1)
    assert "A Go heap dump has no app domains" in result.err, result


# ---- The forms of a text


def info_of(content):
    with file_of(content) as file:
        return answer("info", file.name), answer("list", "types", file.name)


@test
def any_encoding_reads_the_same():
    text = log_of("weird").read_text("utf-8").rstrip("\n") + "\nc Weird App v1.exe FFFFFFFF\n"
    plain, types = info_of(text.encode())
    numbers = {key: value for key, value in plain.items() if key != "warnings"}
    messages = [warning["text"] for warning in plain["warnings"]]
    forms = {
        "mark": b"\xef\xbb\xbf" + text.encode(),
        "CR LF": text.replace("\n", "\r\n").encode(),
        "CR": text.replace("\n", "\r").encode(),
        "no last line end": text.rstrip("\n").encode(),
    }
    for code in ("utf-16-le", "utf-16-be"):
        forms[code] = text.encode(code)
        forms[code + " with CR"] = text.replace("\n", "\r").encode(code)
        forms[code + " with mark"] = ("\ufeff" + text).encode(code)
    for form, content in forms.items():
        info, form_types = info_of(content)
        equal({key: info[key] for key in numbers}, numbers, form)
        equal([warning["text"] for warning in info["warnings"]], messages, f"{form}: warnings")
        equal(form_types, types, f"{form}: types")
        for warning in info["warnings"]:
            assert warning["offset"] is None or warning["offset"] < len(content), warning


@test
def halves_of_characters_are_told():
    text = "a 2 x.exe\nt 1 A\ud800B\no 1 1 8\nc x.exe\n".encode("utf-16-le", "surrogatepass")
    _, types = info_of(text + b"\n")
    right = "A\\xef\\xbf\\xbdB"  # U+FFFD, which is shown as bytes
    equal([row["type"] for row in types], [right], "types")


# ---- What is wrong with a log


def warnings_of(text):
    info, _ = info_of(text.encode())
    return info, " | ".join(warning["text"] for warning in info["warnings"])


@test
def what_is_wrong_loses_nothing_else():
    info, told = warnings_of(
        "o 9 1 4\n"              # before any section
        "a 2 one.exe\n"
        "o 10 1 ffffffffffffffff 11\n"
        "o 11 1 8 12 zz 10\n"
        "o 12 1 8\n"
        "r 10 4 0 xyz\n"
        "r 12 3 12\n"
        "o 13 1 10000000000000000\n"
        "a 3 two.exe\n"          # without the end of the first
        "o 10 1 8\n"
        "c other.exe\n"
        "c other.exe\n"
        "o 14 1 8"
    )
    equal(info["sections"], 4, "sections")
    equal(info["objects"], 6, "objects")
    equal(info["object_bytes"], 4 + 8 + 8 + 8 + 8, "bytes")
    equal(info["references"], 3, "references")
    equal(info["root_flags"], {"pinned": 0, "weak": 1, "interior": 0}, "flags")
    equal(info["complete"], False, "complete")
    for text in (
        "Line 1: no section has begun here",
        "Line 2: a section begins before the one before has ended",
        "Line 3: no object of a 32-bit program has this size; it is counted as 0: ffffffffffffffff",
        "Line 4: this reference is no number: zz",
        "Line 6: the type that declares this root is no number: xyz",
        "Line 7: a root with flags that are not known",
        "Line 8: this is no record",
        "Line 9: not version 2",
        "Line 11: the section that ends here has begun under another name: other.exe",
        "Line 12: this is no record: c other.exe",
        "Line 13: the log ends within a section",
        "Line 13: the last line has no end",
    ):
        assert text in told, f"{text}: {told}"


@test
def wide_numbers_of_two_sections_stay_apart():
    text = "a 2 a\no 123456789a 1 4\nc a\na 2 b\no 123456789a 1 8\no fffffffffffffff 1 1\nc b\n"
    info, told = warnings_of(text)
    equal(info["objects"], 2, "objects")
    assert "too large to be distinct from those of other sections" in told, told
    with file_of(text.encode()) as file:
        rows = answer("list", "objects", file.name)
        equal([row["address"] for row in rows], ["0x123456789a", "0x200123456789a"], "names")
        equal(answer("show", file.name, rows[1]["address"])["size"], 8, "size")


@test(each=["small", "weird", "two_domains"])
def cut_anywhere_is_read(name):
    content = log_of(name).read_bytes()
    step = 7 if harness.SANITIZED else 3
    before = 0
    for size in range(step, len(content), step):
        info = survives_bytes(content[:size])
        if info:
            assert info["objects"] >= before - 1, f"objects are lost at {size}"
            before = info["objects"]
    assert before, "nothing was read"


@test
def changed_bytes_are_survived():
    content = log_of("small").read_bytes()
    for at in range(0, len(content), 23 if harness.SANITIZED else 5):
        for byte in (0, 0x20, 0xFF):
            survives_bytes(content[:at] + bytes([byte]) + content[at + 1 :])


@test(each=["small", "weird"])
def explorer_survives(name):
    tours(str(log_of(name)))


# ---- Names that are hard to write as a command

QUOTED = ['"', 'App.Tag"x"', 'A "b; c" d', 'a""b;']


def screen_after(log, *steps):
    with tempfile.TemporaryFile() as script:
        script.write("\n".join(["wait all", *steps, "screen\n"]).encode())
        script.seek(0)
        return run("--script", "-", log, stdin=script, expect=0).out


@test
def a_type_with_quotes_leads_to_its_objects():
    with tempfile.NamedTemporaryFile("w", prefix="goheapx-test-", suffix=".gclog") as file:
        records, addresses = ["a 2 big.exe 1000"], {}
        for number, name in enumerate(QUOTED, 1):
            records.append(f"t {number:x} {name}")
            addresses[name] = [f"{0x1000 * number + nth:x}" for nth in range(number)]
            records += [f"o {address} {number:x} 10" for address in addresses[name]]
        for name in QUOTED:
            records += [f"r {address} 4 0 3" for address in addresses[name]]
        file.write("\n".join([*records, "c big.exe 1000\n"]))
        file.flush()
        for place, name in enumerate(reversed(QUOTED)):  # that of most bytes is the first
            out = screen_after(file.name, "types", f"down {place}", "keys Enter")
            equal(re.findall(r"^ 0x([0-9a-f]+) ", out, re.M), addresses[name], name)
            out = screen_after(file.name, "types", f"down {place}", "merge")
            assert f" paths to all {name} " in out, (name, out)
            assert re.search(rf"^ . static variable of .* +{len(QUOTED) - place} ", out, re.M), (name, out)


# ---- Large ones

LARGE = {
    "mixed": lambda: gclog.mixed(400_000),
    "chain": lambda: gclog.chain(200_000),
    "star": lambda: gclog.star(200_000),
}


@test(each=list(LARGE), builds=["gcc"])
def large_logs_are_quick(name):
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".gclog") as file:
        gclog.write(file.name, LARGE[name]())
        result = measured("list", "objects", file.name, "--limit", "5")
        equal(result.status, 0, "status")
        assert result.seconds < 6, f"{result.seconds} seconds"
        assert result.memory < 100 << 20, f"{result.memory} bytes"
        info = answer("info", file.name)
        equal(info["warnings"], [], "warnings")
        if name == "chain":
            equal(info["reachable_objects"], 200_000, "objects")
            equal(answer("show", file.name, hex(200_000))["distance"], 200_000, "length")
        if name == "star":
            equal(info["reachable_objects"], 200_001, "objects")


# Which roots count: those that are not weak, unless something else is said.
RETAIN = {"strong": [[], ["--retain", "strong"]], "all": [["--retain", "all"]]}


def retained_of(log, *options):
    rows = answer("list", "dominators", log, *options)
    return {row["address"]: row["retained_bytes"] for row in rows}


@test(each=[(name, roots) for name in LOGS for roots in RETAIN])
def retained_sizes_are_right(case):
    """Of every object that a root holds, and of those that weak ones lead to where they count."""
    name, roots = case
    right = {}
    for index, section in enumerate(sections_of(name)):
        for number, size in section[roots]["retained"].items():
            right[f"{int(number, 16) | (index + 1 << 32 if index else 0):#x}"] = size
    for options in RETAIN[roots]:
        equal(retained_of(log_of(name), *options), right, "retained sizes")
        for address, size in sorted(right.items())[:5]:
            row = answer("retained", log_of(name), address, *options)[0]
            equal(row["retained_bytes"], size, address)
        holdings = answer("list", "owners", log_of(name), *options)
        equal(sum(row["owned_bytes"] for row in holdings),
              total(sections_of(name), roots, "reachable_bytes"), "owned by all together")


def random_section(draw):
    """{object: (size, targets)}, [(object, flags)]"""
    count = draw.randrange(1, 14)
    objects = {
        number: (draw.randrange(1, 100), [draw.randrange(count) for _ in range(draw.randrange(4))])
        for number in range(count)
    }
    roots = [(draw.randrange(count), draw.choice((0, 1, 2, 2, 4))) for _ in range(draw.randrange(5))]
    return objects, roots


def reached(objects, roots, without=None):
    seen, waiting = set(), list(roots)
    while waiting:
        number = waiting.pop()
        if number not in seen and number != without:
            seen.add(number)
            waiting += objects[number][1]
    return seen


def lost_without(objects, roots):
    """What becomes unreachable when an object is taken away, in bytes, of each that is reachable."""
    before = reached(objects, roots)
    return {
        number: sum(objects[lost][0] for lost in before - reached(objects, roots, number))
        for number in before
    }


@test(each=list(RETAIN))
def retained_is_what_would_be_lost(roots):
    draw, text, right = random.Random(7), [], {}
    for index in range(300):
        objects, listed = random_section(draw)
        text.append(f"a 2 s{index}")
        for number, (size, to) in objects.items():
            text.append(f"o {number + 16:x} 1 {size:x}" + "".join(f" {t + 16:x}" for t in to))
        text += [f"r {number + 16:x} {draw.randrange(6):x} {flags}" for number, flags in listed]
        text.append(f"c s{index}")
        counted = [number for number, flags in listed if flags != 2 or roots == "all"]
        for number, size in lost_without(objects, counted).items():
            right[f"{number + 16 | (index + 1 << 32 if index else 0):#x}"] = size
    with file_of("\n".join(text).encode() + b"\n") as file:
        for options in RETAIN[roots]:
            equal(retained_of(file.name, *options), right, "retained sizes")


@test(builds=["gcc"])
def dominators_of_many_objects_are_cheap():
    with tempfile.NamedTemporaryFile(suffix=".gclog") as file:
        gclog.write(file.name, gclog.mixed(400_000))
        result = measured("list", "dominators", "--limit", "1", file.name)
        equal(result.status, 0, "status")
        if not harness.SANITIZED:
            assert result.memory < 100 << 20, result.memory


@test(each=LOGS)
def paths_merged_lead_to_all_that_is_reachable(name):
    """Where in an object a reference is no log says: the tree does without."""
    sections = sections_of(name)
    rows = answer("list", "merged", log_of(name))
    equal(sum(row["objects"] for row in rows), total(sections, "strong", "reachable_objects"), "objects")
    equal(sum(row["bytes"] for row in rows), total(sections, "strong", "reachable_bytes"), "bytes")


@test
def two_logs_are_compared():
    """By types and paths of types: the numbers of objects mean nothing in another log."""
    before, after = (sections_of(f"leak_{when}")[0] for when in ("before", "after"))
    found = answer("diff", log_of("leak_before"), log_of("leak_after"))
    equal(found["reachable_delta"], after["bytes"] - before["bytes"], "reachable")
    counts = [{kind["name"]: (kind["count"], kind["bytes"]) for kind in section["by_type_id"].values()}
              for section in (before, after)]
    right = {name: (now[0] - then[0], now[1] - then[1]) for name, now in counts[1].items()
             for then in [counts[0].get(name, (0, 0))] if now != then}
    equal({row["type"]: (row["count_delta"], row["bytes_delta"]) for row in found["grew"]}, right, "types")
    equal(found["new"] + found["gone"] + found["shrank"], [], "other types")
    path = "static variable of Leak.Cache > Leak.Form > Leak.Handler > System.Byte[]"
    equal([(row["count_delta"], row["bytes_delta"]) for row in found["fields"] if row["name"] == path],
          [right["System.Byte[]"]], path)
    other = answer("diff", log_of("small"), log_of("leak_after"))
    equal(("Leak.Form" in {row["type"] for row in other["new"]}, "Game.Ring" in {row["type"] for row in other["gone"]}),
          (True, True), "new and gone")
    equal(other["owners"][0]["name"], "static variable of Leak.Cache", "the root that appeared")
    refused = run("diff", log_of("small"), harness.unpacked(harness.ONE), expect=2)
    assert "Only two dumps of Go programs, or two GC logs, can be compared" in refused.err, refused


@test
def growth_between_two_logs_is_found():
    """Its place, how many things were there and are, and their bytes: counted in the truth. Which
    object is new cannot be told, and nothing says so."""
    before, after = (sections_of(f"leak_{when}")[0] for when in ("before", "after"))
    then, now = ({kind["name"]: kind["count"] for kind in section["by_type_id"].values()} for section in (before, after))
    since = (log_of("leak_after"), "--since", log_of("leak_before"))
    rows = answer("list", "growth", *since)
    equal([(row["name"], row["counts"], row["bytes_delta"]) for row in rows],
          [("static variable of Leak.Cache > Leak.Form", f"{then['Leak.Form']} > {now['Leak.Form']}",
            after["bytes"] - before["bytes"])], "the place that grew")
    equal({row["born"] for row in answer("list", "objects", *since)}, {None}, "objects are not told apart")
    text = run("info", *since).out
    assert "reachable since leak_before.gclog\n" in text and "20 > 75" in text and "goroutine" not in text, text
    refused = run("list", "growth", harness.unpacked(harness.ONE), "--since", log_of("leak_before"), expect=2)
    assert "a GC log with a GC log" in refused.err, refused


@test
def growth_of_two_logs_takes_no_path():
    logs = (log_of("leak_before"), log_of("leak_after"))
    told = run("check", *logs, "--assert", "growth(0x90000) < 1MB", expect=None)
    assert told.status != 0 and "takes no path" in told.err, told
    run("check", *logs, "--assert", "growth() < 1MB", expect=0)


@test
def a_reference_can_be_cut():
    """Its target has no other, so all that hangs on that goes: a form, its handler, and 1,024 bytes."""
    row = answer("what-if", log_of("leak_after"), "0x90000 > 0x90010")[0]
    equal((row["freed_bytes"], row["freed_objects"]), (80 + 24 + 1024, 3), "freed")
    result = run("what-if", log_of("leak_after"), "0x90010 > 0x90000", expect=1)
    assert "There is no reference from 0x90010 to 0x90000" in result.err, result
