"""What is in maps and channels, and values of the standard library, against what the program that
wrote the dump knows of them."""

import functools
import re

from executables import dump_of, exe_of, truth_of
from harness import ONE, answer, equal, run, test

TOLD = [
    "go1.19.8-small", "go1.21.13-small", "go1.22.12-small", "go1.24.4-small", "go1.24.4-small-386",
    "go1.24.4-small-mips", "go1.24.4-small-pie", "go1.24.4-small-s390x", "go1.27.3-small",
]


def fields_of(name, address):
    return answer("show", dump_of(name), address, "--exe", exe_of(name))["fields"]


@functools.lru_cache(maxsize=1)
def roots(name):
    return answer("list", "roots", dump_of(name), "--exe", exe_of(name))


def global_of(name, variable):
    """The object that a global variable points to, by the roots."""
    for root in roots(name):
        if root["name"] == f"main.{variable}":
            return root["target"]
    raise AssertionError(f"there is no root main.{variable}")


def entries_of(name, variable):
    """Key -> row of the map in a global variable; every key stands there once."""
    rows = [row for row in fields_of(name, global_of(name, variable)) if (row["name"] or "").startswith("[")]
    entries = {row["name"]: row for row in rows}
    equal(len(entries), len(rows), f"keys of main.{variable}")
    return entries


@test(each=TOLD)
def map_of_strings_to_pointers(name):
    sessions = truth_of(name)["CacheSessions"]
    entries = entries_of(name, "gCache")
    want = {f'["session-{i:04}"]': address for i, address in enumerate(sessions)}
    equal({key: row["object"] for key, row in entries.items()}, want, "entries of main.gCache")
    equal({row["type"] for row in entries.values()}, {"*main.Session"}, "types of its values")


@test(each=TOLD, builds=["gcc"])
def map_of_numbers(name):
    got = {key: row["text"] for key, row in entries_of(name, "gMapIntInt").items()}
    equal(got, {f"[{i}]": str(i * i) for i in range(100)}, "entries of main.gMapIntInt")


@test(each=TOLD, builds=["gcc"])
def map_of_arrays_to_strings(name):
    got = {key: row["text"] for key, row in entries_of(name, "gMapStruct").items()}
    equal(got, {f"[[{i} {-i}]]": f'"v{i}"' for i in range(100)}, "entries of main.gMapStruct")


@test(each=TOLD, builds=["gcc"])
def map_of_interfaces(name):
    got = {key: row["text"] for key, row in entries_of(name, "gMapAny").items()}
    node = got.pop("[float64 3.5]")
    assert re.fullmatch(r"\*main\.ListNode 0x[0-9a-f]+  \{Next:nil Val:35\}", node), node
    want = {'["a"]': "int 1", "[int 2]": 'string "b"', "[[1]int [9]]": "[]int len 3"}
    equal(got, want, "entries of main.gMapAny")


@test(each=TOLD)
def channel_in_the_order_of_receiving(name):
    rows = fields_of(name, global_of(name, "gChanBuf"))
    elements = [row for row in rows if (row["name"] or "").startswith("[")]
    equal([row["object"] for row in elements], truth_of(name)["ChanBuffered"], "elements")
    equal({row["type"] for row in elements}, {"*main.ListNode"}, "type of its elements")


def receivers(name):
    """The functions that the traceback shows to wait in `<-gBlock`, by goroutine."""
    waiting = re.compile(r"^goroutine (\d+) \[chan receive[^]]*\]:\n((?:.+\n)*)", re.M)
    return {number for number, stack in waiting.findall(truth_of(name)["Stacks"])
            if not re.search(r"^main\.(finBlock|gEmptySelect|gNilChan)\(", stack, re.M)}


@test(each=TOLD, builds=["gcc"])
def goroutines_that_wait_for_a_channel(name):
    rows = fields_of(name, global_of(name, "gBlock"))
    waiting = [row for row in rows if row["kind"] == "goroutine"]
    equal({row["name"] for row in waiting}, {"receiver"}, "what they wait for")
    told = {re.match(r"goroutine (\d+) ", row["text"])[1] for row in waiting}
    missing = receivers(name) - told
    assert receivers(name) and not missing, f"not told: {missing}"


@test
def values_of_the_standard_library():
    rows = {row["name"]: row for row in fields_of(ONE, truth_of(ONE)["Objects"]["holder"]["addr"])}
    equal(rows["Any"]["text"], "main.Square {Side:1.5}", "a struct in an interface")
    equal(rows["M"]["text"], "map, 1 entry", "a map")
    assert re.fullmatch(r"main\.buildStatics\.func1 small\.go:\d+", rows["Fn"]["text"]), rows["Fn"]


@test(each=TOLD, builds=["gcc"])
def equal_steps_have_one_row(name):
    """In text: that of the last of them. With --parts each has its own, as in JSON."""
    list_of = truth_of(name)["ListAddrs"]
    arguments = "path", dump_of(name), list_of[300], "--exe", exe_of(name), "--limit", 1
    for options, rows in ((), [list_of[0], list_of[300]]), (("--parts",), list_of[:301]):
        out = run(*arguments, *options, expect=0).out
        assert out.startswith(f"Path 1 to {list_of[300]}, 301 steps from the root"), out
        equal(re.findall(r"^[* ] [^ ]* +(0x\w+) ", out, re.M), rows, f"rows with {options}")
        equal(re.findall(r" (x\d+)  ", out.partition("ListNode")[2]), ["x300"] * ("--parts" not in options), "repetitions of rows")
    equal(len(answer(*arguments)[0]), 302, "steps in JSON")


@test(builds=["gcc"])
def closures_name_their_function_and_variables():
    told = truth_of(ONE)
    rows = fields_of(ONE, global_of(ONE, "gFunc"))
    values = {row["name"]: row for row in rows if row["name"]}
    assert re.fullmatch(r"main\.buildStatics\.func1 small\.go:\d+", values["F"]["text"]), values
    equal(values["captured"]["object"], told["Objects"]["closure_captured"]["addr"], "captured")


@test(each=TOLD, builds=["gcc"])
def channels_say_what_they_hold(name):
    """Goroutines that wait lead to it by the runtime's own pointers first."""
    told = answer("show", dump_of(name), global_of(name, "gBlock"), "--exe", exe_of(name))
    equal(told["type"], "chan struct {}", "type of main.gBlock")


@test(builds=["gcc"])
def times_and_big_numbers_of_a_server():
    name = "go1.26.10-server"
    numbers = answer("list", "objects", dump_of(name), "--exe", exe_of(name), "type=math/big.Int")
    assert numbers
    for number in numbers:  # crypto/rsa.bigOne and three others
        equal(fields_of(name, number["address"])[0]["text"], "1", number["address"])
    cached = answer("list", "objects", dump_of(name), "--exe", exe_of(name), "type=main.cached")[0]
    row = next(row for row in fields_of(name, cached["address"]) if row["type"] == "time.Time")
    assert re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z \(monotonic\)", row["text"]), row


def expression(name, address):
    """The best path to an object, in one line."""
    steps = answer("path", dump_of(name), address, "--exe", exe_of(name), "--limit", "1")[0]
    equal(answer("show", dump_of(name), address, "--exe", exe_of(name))["path"], steps[0]["path"],
          "the path that show tells")
    equal({step["kind"] for step in steps[1:]}, {"object"}, "kinds of the steps")
    return steps[0]["path"]


@test(each=TOLD)
def paths_are_expressions_of_the_program(name):
    told = truth_of(name)
    equal(expression(name, told["CacheBufs"][42]), 'main.gCache["session-0042"].Buf', "a buffer")
    equal(expression(name, told["Objects"]["needle"]["addr"]),
          'main.gDeep.Items[1].ByName["k"].F.needle', "the needle")
    equal(expression(name, told["ListAddrs"][300]), "main.gListHead.Next x300", "a node of a list")
    for steps, text in (2, ".Next.Next"), (3, ".Next.Next.Next"), (4, ".Next x4"):
        equal(expression(name, told["ListAddrs"][steps]), f"main.gListHead{text}", f"the node after {steps} steps")
    equal(expression(name, told["ChanBuffered"][3]), "main.gChanBuf[3]", "an element of a channel")


@test
def why_a_type_is_known():
    told = truth_of(ONE)
    why = {
        told["CacheSessions"][42]: '*main.Session at main.gCache["session-0042"]',
        told["CacheBufs"][42]: '[]byte at main.gCache["session-0042"].Buf',
        told["Objects"]["deep3"]["addr"]: 'main.Shape at main.gDeep.Items[1].ByName["k"]',
        told["Objects"]["bigptrs"]["addr"]: "the allocator has written it into the object",
    }
    for address, want in why.items():
        equal(answer("show", dump_of(ONE), address, "--exe", exe_of(ONE))["type_why"], want, address)


@test(builds=["gcc"])
def without_types_a_path_is_its_root_and_its_end():
    """Nothing names the steps between them."""
    address = truth_of(ONE)["CacheBufs"][42]
    steps = answer("path", dump_of(ONE), address, "--limit", "1")[0]
    equal(steps[0]["path"], f"{steps[0]['name']} … {address}", "the path in one line")


@test(each=TOLD)
def values_without_a_symbol_are_named_by_what_points_at_them(name):
    """The program keeps what it knows in `var T = &Truth{}`, which the linker gives no name."""
    for field in ("ListAddrs", "CacheSessions", "CacheBufs"):
        rows = fields_of(name, global_of(name, f"T.{field}"))
        texts = [row["text"].strip('"') for row in rows if row["text"] not in (None, '""')]
        equal(texts, truth_of(name)[field], f"main.T.{field}")
