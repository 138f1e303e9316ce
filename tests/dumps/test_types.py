"""Types of objects, with the executable: how many have one, and that it is the one which the program
that wrote the dump gives. One executable is shipped; those of the other dumps lie in ../shared/corpus,
and without them their tests are skipped."""

import collections
import json
import pathlib
import re
import tempfile

from executables import built_from, dump_of, exe_of, files, objects, strip, stripped, sure, truth_of, unmarked
from harness import ONE, answer, equal, oracle, queries, run, test, unpacked

INNER = pathlib.Path(__file__).with_name("inner_pointers.go")

# Percent of the reachable objects, and of their bytes, that have a type at least.
SHARES = {
    "go1.15.15-server": (99.5, 99.4),
    "go1.19.8-server": (99.5, 99.4),
    "go1.26.10-server": (99.5, 99.4),
    "go1.21.13-small": (99, 99),
    "go1.22.12-small": (99, 99),
    "go1.24.4-small": (99, 99),
    "go1.24.4-small-pie": (99, 99),
    "go1.27.3-small": (99, 99),
    "raftkv-go1.19": (99, 99),
    "webmetrics-go1.23": (99, 99),
    "go1.24.4-small-386": (99, 99),
    "go1.24.4-small-mips": (99, 99),
    "go1.24.4-small-s390x": (99, 99),
    # Everything of this program hangs on globals, which a stripped executable does not tell of.
    "go1.24.4-small-stripped": (60, 29.5),
}
TOLD = [name for name in SHARES if "-small" in name and "stripped" not in name]
# Held by pointers without a type only, or by none.
UNTOLD = {"cleanup_arg", "holder_raw", "hidden_behind_uintptr"}
# What the program puts into its maps and channels.
ENTRIES = {
    "map[string]*main.Session": lambda truth: truth["CacheCount"],
    "chan *main.ListNode": lambda truth: len(truth["ChanBuffered"]),
}
LISTS = {"ListAddrs": "main.ListNode", "TreeAddrs": "main.TreeNode", "CacheSessions": "main.Session"}


def shown(name):
    """A type as people write it."""
    return name.replace("interface {}", "any").replace("[]uint8", "[]byte")


def fits(got, want, known):
    """A row of values may reach to the end of its slot where nothing says where it ends before, and
    then is not exact."""
    if got in (want, f"{want} (header)"):
        return True
    if got is None or (known == "exact" and not want.startswith("[1]")):
        return False
    row, told = re.match(r"\[(\d+)\](.*)", want), re.match(r"\[(\d+)\](.*)", got)
    if row and row[1] == "1":
        return got == row[2]
    return bool(row and told and row[2] == told[2] and int(row[1]) <= int(told[1]))


@test(each=SHARES, builds=["gcc"])
def share_of_typed_objects(name):
    info = answer("info", *files(name))
    of_objects, of_bytes = SHARES[name]
    typed, split = (info["typed_objects"], info["typed_bytes"]), info["typed"].values()
    equal(typed[0], sum(known["objects"] for known in split), "objects by certainty")
    equal(typed[1], sum(known["bytes"] for known in split), "bytes by certainty")
    assert typed[0] * 100 >= of_objects * info["reachable_objects"], (typed, info["reachable_objects"])
    assert typed[1] * 100 >= of_bytes * info["reachable_bytes"], (typed, info["reachable_bytes"])


@test(each=TOLD, builds=["gcc"])
def types_are_those_of_the_program(name):
    truth, rows = truth_of(name), objects(name)
    checked = 0
    for key, told in truth["Objects"].items():
        row = rows.get(told["addr"])
        # Tiny ones share a slot with others; what is in none has been freed.
        if key in UNTOLD or row is None or (key.startswith("sizeclass") and told["size"] < 16):
            continue
        want = shown(told["type"])
        assert fits(row["type"], want, row["type_known"]), f"{key} at {told['addr']}: {row['type']}, right is {want}"
        assert row["type_known"] in ("exact", "inferred"), row
        checked += 1
    assert checked > 60, checked


@test(each=TOLD, builds=["gcc"])
def lists_and_trees_have_one_type(name):
    truth, rows = truth_of(name), objects(name)
    for key, want in LISTS.items():
        wrong = [addr for addr in truth[key] if rows[addr]["type"] != want]
        equal(wrong, [], f"{key} without type {want}")


@test(builds=["gcc"])
def types_table_counts_all_objects():
    rows = objects(ONE).values()
    for group in answer("list", "types", *files(ONE), "--parts"):
        of_it = answer("list", "objects", *files(ONE), f"type={group['type']}", "--parts")
        equal(len(of_it), group["count"], f"objects of {group['type']}")
        equal(sum(row["size"] for row in of_it), group["bytes"], f"bytes of {group['type']}")
        equal(max(row["size"] for row in of_it), group["largest"], f"largest of {group['type']}")
        if group["bytes"] < 10000:
            break
    groups = answer("list", "types", *files(ONE), "--parts")
    equal(sum(group["count"] for group in groups), len(rows), "objects of all types")


@test(each=["go1.15.15-server", ONE, "go1.26.10-server", "raftkv-go1.19", "webmetrics-go1.23"], builds=["gcc"])
def maps_and_channels_are_one_with_their_parts(name):
    """As many as there are headers, and every byte of the heap has one row, with parts and without."""
    whole, parts = (answer("list", "types", *files(name), *option) for option in ([], ["--parts"]))
    equal(sum(t["bytes"] for t in whole), sum(t["bytes"] for t in parts), "bytes")
    equal({t["type"] for t in parts if t["entries"] is not None}, set(), "entries of parts")
    words = r"( \((header|table|group|bucket)\)|^\[n\].*)$"
    equal([t["type"] for t in whole if re.search(words, t["type"])], [], "words of parts")
    assert any(re.search(words, t["type"]) for t in parts)
    headers = {t["type"][:-9]: t["count"] for t in parts if t["type"].endswith(" (header)")}
    assert len(headers) > 10, headers
    got = {t["type"]: t["count"] for t in whole}
    # There are more where a header is on a stack.
    few = {kind: (got[kind], count) for kind, count in headers.items() if got[kind] < count}
    equal(few, {}, "maps of each type")
    assert sum(got[kind] for kind in headers) <= sum(headers.values()) + 5, (got, headers)
    for kind in list(headers)[:5]:
        of_it = answer("list", "objects", *files(name), f"type={kind}")
        equal([row["type"] for row in of_it], [kind] * got[kind], f"objects of {kind}")


@test(builds=["gcc"])
def types_count_the_entries_of_maps():
    types = {t["type"]: t for t in answer("list", "types", *files(ONE))}
    truth = truth_of(ONE)
    for kind, entries in ENTRIES.items():
        equal(types[kind]["entries"], entries(truth), f"entries of {kind}")


@test
def packages_are_what_their_types_are():
    types, packages = (
        answer("list", table, dump_of(ONE), "--exe", exe_of(ONE)) for table in ("types", "packages")
    )
    for column in ("count", "bytes"):
        equal(sum(p[column] for p in packages), sum(t[column] for t in types), column)
    equal(sum(p["types"] for p in packages), len(types), "types")
    seen = set()
    for package in packages:
        rows = answer("list", "types", dump_of(ONE), package["package"], "--exe", exe_of(ONE))
        equal(len(rows), package["types"], f"types of {package}")
        equal(sum(t["bytes"] for t in rows), package["bytes"], f"bytes of {package}")
        equal(max(t["largest"] for t in rows), package["largest"], f"largest of {package}")
        seen.update(t["type"] for t in rows)
        name = package["package"]
        if name != "(no type)":
            equal({t["type"][0] == "~" for t in rows}, {name[0] == "~"}, f"guesses of {name}")
        if "(" not in name:
            assert all(f"{sure(name)}." in t["type"] for t in rows), (name, rows)
    equal(seen, {t["type"] for t in types}, "types of all packages")


@test
def layout_is_that_of_an_object_of_the_type():
    session = answer("list", "objects", dump_of(ONE), "type=main.Session", "--exe", exe_of(ONE))[0]
    shown = answer("show", dump_of(ONE), session["address"], "--exe", exe_of(ONE))["fields"]
    for name in ("main.Session", "[n]main.Session", "[12]main.Session"):
        rows = answer("list", "layout", dump_of(ONE), name, "--exe", exe_of(ONE))
        equal([(r["offset"], r["name"], r["type"]) for r in rows],
              [(f["offset"], f["name"], f["type"]) for f in shown[:len(rows)]], f"fields of {name}")
        equal(sum(r["size"] for r in rows), 56, "bytes of the fields")  # of 16, 24, 8 and 8
    result = run("list", "layout", dump_of(ONE), "main.Sesion", "--exe", exe_of(ONE), expect=1)
    assert "main.Sesion" in result.err, result


@test
def fields_have_names_and_values():
    path, option, exe = files(ONE)
    session = min(truth_of(ONE)["CacheSessions"])
    told = answer("show", path, session, option, exe)
    equal((told["type"], told["type_known"]), ("main.Session", "exact"), "type of a session")
    fields = [(row["name"], row["type"], row["offset"]) for row in told["fields"] if row["name"]]
    equal(fields, [("ID", "string", 0), ("Buf", "[]byte", 16), ("Next", "*main.Session", 40),
                   ("Tags", "map[string]string", 48)], "fields of a session")
    values = {row["name"]: row["text"] for row in told["fields"]}
    assert re.fullmatch(r'"session-\d{4}"', values["ID"]), values
    zeros = "len 4096 cap 4096  00 00 00 00 00 00 00 00 …"
    equal((values["Buf"], values["Tags"]), (zeros, "map, 1 entry"), "values of a session")


@test
def nested_fields_are_flattened():
    path, option, exe = files(ONE)
    told = answer("show", path, truth_of(ONE)["Objects"]["embedded"]["addr"], option, exe)
    names = [row["name"] for row in told["fields"]]
    equal(names[:4], ["Inner.P", "Inner.Q", "Arr[0].N", "Arr[0].P"], "names of nested fields")
    error = told["fields"][names.index("E")]["text"]
    assert re.fullmatch(r'\*main\.PanicArg 0x[0-9a-f]+  \{Code:1 Msg:"embedded" Ref:nil\}', error), error


@test
def path_names_fields_and_variables():
    path, option, exe = files(ONE)
    truth = truth_of(ONE)
    for parts, second in (("--parts",), (".Items", "[2]*main.Deep2")), ((), (".Items[1]", "main.Deep2")):
        steps = answer("path", path, truth["Objects"]["needle"]["addr"], option, exe, *parts)[0]
        equal(steps[0]["name"], "main.gDeep", "root of the needle")
        equal((steps[2]["name"], steps[2]["type"]), second, "its second step")
        equal((steps[-1]["name"], steps[-1]["type"]), (".needle", "main.Needle"), "its last step")
    node = truth["Objects"]["stack_only_node"]["addr"]
    held = answer("path", path, node, option, exe)[0][0]["name"]
    assert re.fullmatch(r"goroutine \d+ main\.gHoldsLocal small\.go:\d+ node", held), held


@test
def a_type_is_as_sure_as_the_referrer_that_tells_it():
    dump, *exe = files(ONE)
    rows = answer("list", "objects", dump, *exe, "--where", "type_known = inferred or type_known = guess")
    said = set()
    for row in rows[:: max(1, len(rows) // 60)]:
        known = " ".join(run("show", dump, row["address"], *exe, expect=0).out.split())
        sure = re.search(r"; its referrer is (a guess|inferred)\)", known)
        if sure:
            equal(sure[1].removeprefix("a "), row["type_known"], f"what tells the type of {row['address']}")
            said.add(sure[1])
    assert said, "no referrer tells a type"


@test
def a_type_that_there_is_not():
    result = run("list", "objects", *files(ONE), "type=main.Nothing", "--json", expect=1)
    equal(json.loads(result.out), [], "objects of no type")
    assert "No object or variable has the type main.Nothing or holds a value of it" in result.err, result
    untyped = sum(row["type_known"] == "none" for row in answer("list", "objects", *files(ONE), "reachable"))
    doubt = f"but of {untyped:,} reachable objects the type is not known"
    equal(doubt in result.err, untyped > 0, "the doubt")
    result = run("list", "objects", unpacked(ONE), "type=main.Nothing", expect=1)
    assert "cannot be told without the program's executable" in result.err and "No object" not in result.err, result


@test
def values_of_a_type_in_arrays_are_told():
    """Objects of a type are single: what lies in arrays, or in other objects, is counted beside them."""
    told = run("list", "objects", *files(ONE), "type=main.Session", expect=0)
    assert "elsewhere" not in told.err, told
    some = 0
    for name in sorted({row["type"] for row in answer("list", "objects", *files(ONE), "--where", 'type ~ "^main[.][A-Z][a-z]+$" and reachable')}):
        single = len(answer("list", "objects", *files(ONE), f"type={name}", "--where", "reachable"))
        values = len(answer("list", "values", *files(ONE), f"type={name}"))
        result = run("list", "objects", *files(ONE), f"type={name}", "--limit", "1", expect=0)
        found = re.search(r"([\d,]+) values? elsewhere ha(s|ve) it", result.err)
        equal(int(found[1].replace(",", "")) if found else 0, values - single, name)
        some += bool(found)
    assert some, "no type has values elsewhere"


@test
def waste_is_what_size_classes_add():
    """Of types of 56 and 40 bytes in slots of 64 and 48, and of rows of pointers by their lengths."""
    arguments = (dump_of(ONE), "--exe", exe_of(ONE), "--parts")
    types = {row["type"]: row for row in answer("list", "types", *arguments)}
    for name in ("main.Session", "main.TreeNode"):
        equal(types[name]["waste_bytes"], 8 * types[name]["count"], name)
    every = answer("list", "objects", *arguments)
    rows = [(re.match(r"\[(\d+)\]\*main.ListNode$", row["type"] or ""), row["size"]) for row in every]
    rows = [(int(match[1]), size) for match, size in rows if match]
    assert len(rows) > 20, rows
    # Slots of more than 512 bytes and up to 32 KiB with pointers begin with a header of 8.
    right = sum(size - 8 * length - (8 if 512 < size <= 32768 else 0) for length, size in rows)
    equal(types["[n]*main.ListNode"]["waste_bytes"], right, "rows of pointers")
    without = answer("list", "types", dump_of(ONE), "--limit", "1")[0]
    equal(without["waste_bytes"], None, "without an executable")


@test(each=["go1.15.15-server", "go1.19.8-server"], builds=["gcc"])
def values_of_a_sync_map_have_a_type(name):
    """Up to Go 1.19 the pointer to them in sync.entry is an unsafe.Pointer."""
    graph, rows = oracle(name), objects(name)
    values = [
        target
        for index, obj in enumerate(graph.dump.objects)
        if rows[f"{obj.slot + obj.header:#x}"]["type"] == "sync.entry"
        for _, target in graph.references[index]
    ]
    assert len(values) >= 6, values
    types = {rows[f"{graph.dump.objects[v].slot:#x}"]["type"] for v in values}
    equal(types, {"any"}, "types of the values")


@test(each=TOLD)
def finalizers_have_their_functions_and_types(name):
    truth = truth_of(name)
    rows = {row["object"]: row for row in answer("list", "finalizers", *files(name))}
    for kind, functions in (
        ("FinRegistered", {"main.finFn", "main.finEface"}), ("FinQueued", {"main.finFn"}),
        ("FinRunning", {"main.finBlock"}),
    ):
        found = [rows[address] for address in truth[kind] if address in rows]
        assert found or not truth[kind], f"{kind}: none of {truth[kind]}"
        equal({row["calls"] for row in found}, functions if found else set(), kind)
        equal({row["type"] for row in found}, {"main.Fin"} if found else set(), kind)


@test(each=[(ONE, False), (ONE, True), ("go1.26.10-server", False)], builds=["gcc"])
def guesses_are_counted_with_their_type_and_marked(name_stripped):
    """Every way to ask for a type finds as many objects, and every way to ask for the guesses among them. (Of maps,
    lists have the parts.)"""
    name, strips = name_stripped
    where = [dump_of(name), "--exe", stripped(name) if strips else exe_of(name)]
    objects_of = unmarked(answer("list", "objects", *where))
    count = collections.Counter(row["type"] for row in objects_of if row["type_known"] != "none")
    guessed = collections.Counter(row["type"] for row in objects_of if row["type_known"] == "guess")
    both = [kind for kind in guessed if guessed[kind] < count[kind] and "map[" not in kind]
    assert both, "no type has guesses and others"
    kinds = sorted(both, key=lambda kind: -count[kind])[:3]
    rows = {row["type"]: row for row in answer("list", "types", *where)}
    quoted = ", ".join("'" + kind.replace("'", "''") + "'" for kind in kinds)
    told = queries([f"SELECT type, count(*) AS n FROM objects WHERE type IN ({quoted}) GROUP BY type",
                    f"SELECT type, count(*) AS n FROM objects GROUP BY type HAVING type IN ({quoted})",
                    *(f"SELECT type, count(*) AS n FROM objects WHERE type = '{kind}'" for kind in kinds),
                    *(f"SELECT count(*) AS n FROM objects WHERE type = '{kind}' AND type_known = 'guess'" for kind in kinds)], *where)
    shown = run("list", "types", *where, expect=0).out.split("\n")
    for number, kind in enumerate(kinds):
        same = {
            "types": rows[kind]["count"],
            "selector": len(answer("list", "objects", *where, f"type={kind}")),
            "filter": len(answer("list", "objects", *where, "--where", f'type = "{kind}"')),
            "in": {row["type"]: row["n"] for row in told[0]}[kind],
            "having": {row["type"]: row["n"] for row in told[1]}[kind],
            "where": told[2 + number][0]["n"],
            "group": {row["value"]: row["count"] for row in answer("list", "objects", *where, "--group", "type")}[kind],
        }
        equal(same, dict.fromkeys(same, count[kind]), f"objects that are {kind}")
        same = {
            "types": rows[kind]["guessed"],
            "selector": len(answer("list", "objects", *where, f"type=~{kind}")),
            "filter": len(answer("list", "objects", *where, "--where", f'type = "~{kind}"')),
            "where": told[2 + len(kinds) + number][0]["n"],
        }
        equal(same, dict.fromkeys(same, guessed[kind]), f"objects of which it is a guess that they are {kind}")
        mark = "~" if guessed[kind] * 10 >= count[kind] else ""
        assert any(line.startswith(f"{mark}{kind} ") for line in shown), (mark, kind, shown[:20])
        for row in run("list", "objects", *where, f"type=~{kind}", expect=0).out.splitlines()[1:]:
            assert f" ~{kind} " in row, row


@test(builds=["gcc"])
def a_guess_is_taken_where_a_type_is_asked_for():
    dump, *exe = files(ONE)
    guessed = {row["type"]: row["guessed"] for row in answer("list", "types", dump, *exe)}["main.TreeNode"]
    assert guessed, "no guess"
    for words in ("type=~main.TreeNode", "type = ~main.TreeNode", 'type == "~main.TreeNode"'):
        equal(len(answer("list", "objects", dump, *exe, "--where", words)), guessed, words)
    told = run("list", "objects", dump, *exe, "type=main.TreeNode", expect=0)
    assert f"Of {guessed} of these objects it is a guess that they have this type: see type=~main.TreeNode" in (
        told.out + told.err), told
    fields = [answer("list", "layout", dump, *exe, kind) for kind in ("main.TreeNode", "~main.TreeNode")]
    assert fields[0] and fields[0] == fields[1], fields
    of_all, of_guesses = (answer("list", "values", *files("go1.24-holders"), f"type={mark}main.scratch") for mark in ("", "~"))
    assert 0 < len(of_guesses) < len(of_all), (len(of_guesses), len(of_all))
    for row in of_guesses:
        assert row in of_all, row


@test(each=["exe", "stripped"], builds=["gcc"])
def an_object_with_many_pointers_into_it_is_an_array(mode):
    """If they are of one type, and at every distance that is a multiple of its size: fields of larger values are not."""
    dump, exe, addresses = built_from(INNER)
    with tempfile.NamedTemporaryFile() as file:
        file.write(strip(pathlib.Path(exe)) if mode == "stripped" else pathlib.Path(exe).read_bytes())
        file.flush()
        types = {name: answer("list", "objects", dump, "--exe", file.name, "--where", f"address = {address}")[0]["type"]
                 for name, address in addresses.items()}
    equal(types["items"].lstrip("~"), "[]main.item", "the array of items")
    assert "[]main.item" not in types["pairs"], types
