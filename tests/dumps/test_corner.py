"""The program of edge cases, with its executable: everything that it says of its heap is what the
program shows. One dump keeps maps in buckets and has no allocation headers (Go 1.19), the other has
groups and headers (Go 1.27)."""

import bisect
import functools
import re

from executables import dump_of, exe_of, files, objects, truth_of
from harness import ONE, UNPACKED, answer, equal, indexed, run, test
from writer import uvarint

NAMES = ["go1.19-corner", "go1.27-corner"]


def display(name):
    """A type as people write it."""
    return name.replace("interface {}", "any").replace("[]uint8", "[]byte")


def told(name, kind):
    """What the truth says of the objects of a kind: "capped 17" is of the kind "capped"."""
    return [row for row in truth_of(name)["objects"] if row["name"].split()[0] == kind]


@functools.lru_cache(maxsize=None)
def starts(name):
    rows = sorted((int(address, 16), row) for address, row in objects(name).items())
    return [start for start, _ in rows], [row for _, row in rows]


def object_at(name, address):
    """The object that an address lies in, and how far from its start."""
    addresses, rows = starts(name)
    at = bisect.bisect_right(addresses, int(address, 16)) - 1
    offset = int(address, 16) - addresses[at]
    assert at >= 0 and offset < rows[at]["size"], f"no object is at {address}"
    return rows[at], offset


def header_of(row):
    """Bytes of the allocation header: slots of more than 512 bytes begin at multiples of 16."""
    return int(row["address"], 16) % 16 if row["size"] > 512 else 0


def shown(name, address):
    files = dump_of(name), "--exe", exe_of(name)
    return answer("show", files[0], address, "--limit", "1000000", *files[1:], environment=indexed(*files))


# ---- Maps


@test(each=NAMES, builds=["gcc"])
def maps_have_their_types_and_entries(name):
    truth = truth_of(name)["maps"]
    equal(len(truth), 10, "maps")
    for row in truth:
        told = shown(name, row["addr"])
        equal(told["type"], display(row["type"]), row["name"])
        equal(told["type_known"], "exact", row["name"])
        keys = [field["name"] for field in told["fields"] if (field["name"] or "").startswith("[")]
        equal(len(keys), row["entries"], f"entries of {row['name']}")
        equal(len(set(keys)), row["entries"], f"different keys of {row['name']}")
        if not row["type"].startswith(("map[*", "map[interface")):
            quote = '"' if row["type"].startswith("map[string") else ""
            missing = {f"[{quote}{key}{quote}]" for key in row["some_keys"] or []} - set(keys)
            equal(missing, set(), f"keys of {row['name']}")


@test(each=NAMES)
def every_entry_of_a_map_has_its_own_value(name):
    """`growing` of Go 1.19 is moving from its old buckets to the new ones."""
    maps = {row["name"]: row for row in truth_of(name)["maps"]}
    equal(maps["growing"]["growing"], name == NAMES[0], "growing")
    for variable, kind, step in (("growing", "growing", 1), ("holeMap", "hole", 5)):
        count = maps[variable]["entries"]
        fields = shown(name, maps[variable]["addr"])["fields"]
        values = {field["name"]: field["text"] for field in fields if (field["name"] or "")[:1] == "["}
        equal(set(values), {f"[{i * step}]" for i in range(count)}, f"keys of {variable}")
        wrong = [key for key, text in values.items()
                 if not re.search(rf'\{{N:{key[1:-1]} Name:"{kind}"\}}$', text or "")]
        equal(wrong, [], f"values of {variable}")


# ---- Arrays


@test(each=NAMES)
def objects_of_32_kib_begin_where_the_program_says(name):
    """Those of exactly as many bytes have no allocation header, those of 8 bytes less have one."""
    rows = told(name, "arrays") + [
        row for kind in ("exact4095", "exact4096", "exact4097") for row in told(name, kind)]
    equal(len(rows), 6, "objects")
    for row in rows:
        obj, offset = object_at(name, row["addr"])
        length = int(re.search(r"\d+", row["name"])[0]) if row["name"][0] == "e" else 4096
        equal((offset, obj["type"]), (0, f"[{length}]*main.Val"), row["name"])


@test(each=NAMES)
def arrays_behind_slices_have_their_capacity(name):
    """The allocator only tells what their elements are, and its size classes are coarse."""
    rows = told(name, "capped") + told(name, "strs")
    equal(len(rows), 75, "slices")
    for row in rows:
        obj, offset = object_at(name, row["addr"])
        element = row["type"][len("[]"):]
        want = f"[{row['cap']}]{element}" if row["cap"] > 1 else element
        equal((offset, obj["type"], obj["type_known"]), (0, want, "exact"), row["name"])


@test(each=NAMES, builds=["gcc"])
def waste_is_what_capacities_leave(name):
    groups = {row["type"]: row for row in answer("list", "types", *files(name), "--parts")}
    for element, size in (("*main.Val", 8), ("string", 16)):
        rows = [(re.fullmatch(rf"\[(\d+)\]{re.escape(element)}", row["type"] or ""), row)
                for row in objects(name).values()]
        used = [(row["size"], size * int(match[1]) + header_of(row)) for match, row in rows if match]
        assert len(used) > 20, used
        # Up to 16 bytes may be shared.
        right = sum(slot - bytes for slot, bytes in used if slot > 16)
        equal(groups[f"[n]{element}"]["waste_bytes"], right, element)


@test(each=NAMES)
def an_array_of_which_nothing_tells_the_length_is_inferred(name):
    """64 values, of which only some in the middle are pointed to: a header says of what they are."""
    for key, index, at in (("middle", 10, 0), ("inner", 20, 0)):
        [row] = told(name, key)
        obj, offset = object_at(name, row["addr"])
        length = int(re.fullmatch(r"\[(\d+)\]main\.Val", obj["type"])[1])
        equal((offset, obj["type_known"]), (index * 24 + at, "inferred"), key)
        assert 64 <= length <= obj["size"] // 24, obj


# ---- Parts of maps that have no header of their own


def without_headers(name, type_):
    """The dump with 0 in the stead of the headers of the objects of a type; their number."""
    data = bytearray(open(dump_of(name), "rb").read())
    rows = [row for row in objects(name).values() if re.sub(r"\d+", "n", row["type"], 1) == type_]
    for row in rows:
        record = bytes([1]) + uvarint(int(row["address"], 16) - header_of(row)) + uvarint(row["size"])
        at = data.index(record) + len(record)
        assert any(data[at : at + 8]), row
        data[at : at + 8] = bytes(8)
    path = UNPACKED / f"{name}-headless.dump"
    path.write_bytes(data)
    return str(path), len(rows)


@test(builds=["gcc"])
def groups_of_a_large_map_are_known_by_the_map():
    """Its directory has a header, which says that it leads to tables of any map; groups of more
    than 32 KiB have none."""
    name, type_ = NAMES[1], "[n]map[string]*main.Val (group)"
    path, count = without_headers(name, type_)
    assert count > 100, count
    rows = answer("list", "objects", path, "--exe", exe_of(name), "--parts")
    known = [row for row in rows if re.sub(r"\d+", "n", row["type"] or "", 1) == type_]
    equal((len(known), {row["type_known"] for row in known}), (count, {"exact"}), type_)
    types = {row["type"]: row["count"] 
             for row in answer("list", "types", path, "--exe", exe_of(name), "--parts")}
    equal(types["map[string]*main.Val (table)"], count, "tables")
    equal(types["[n]*map[string]*main.Val (table)"], 1, "directories")


# ---- Blocks that several values share


@test(each=NAMES, builds=["gcc"])
def values_in_a_block_are_what_pointers_to_them_say(name):
    """In a block of their own or at its start alone they may be all that is known of it."""
    blocks = 0
    for kind, first in (("tiny5", "01 02 03 04"), ("tiny7", "07 06 05 04 03 02"), ("bool", None)):
        rows = told(name, kind)
        equal(len(rows), 10, kind)
        for row in rows:
            number = int(row["name"].split()[1])
            text = f"{first} {number:02x}" if first else "true" if number % 2 == 0 else "false"
            obj, offset = object_at(name, row["addr"])
            page = shown(name, row["addr"])
            if obj["type"] != "tiny block":
                equal((offset, obj["type"], page["at"]), (0, row["type"], None), row["name"])
                continue
            blocks += 1
            equal(page["at"], {"offset": offset, "name": "", "type": row["type"], "text": text}, row["name"])
            listed = [(field["offset"], field["type"], field["text"]) for field in page["fields"]]
            assert (offset, row["type"], text) in listed, (row, listed)
            equal(sorted(listed), listed, "the order of values")
    assert blocks > 20, blocks


@test(each=NAMES, builds=["gcc"])
def a_block_of_several_values_is_of_no_type_of_theirs(name):
    """Of the three values of a round two share a block at least: 16 bytes are 5, 7, 1 and 3."""
    by_block = {}
    for row in told(name, "tiny5") + told(name, "tiny7") + told(name, "bool"):
        obj, _ = object_at(name, row["addr"])
        by_block.setdefault(obj["address"], []).append(obj)
    shared = [rows[0] for rows in by_block.values() if len(rows) > 1]
    assert len(shared) >= 10, len(shared)
    equal({(row["type"], row["type_known"]) for row in shared}, {("tiny block", "inferred")}, "blocks")


@test(each=NAMES)
def an_address_in_the_middle_is_a_field(name):
    [row] = told(name, "inner")
    told_at = shown(name, hex(int(row["addr"], 16) + 8))["at"]
    equal(told_at, {"offset": 488, "name": "[20].Name", "type": "string", "text": '""'}, "its name")
    value = told(name, "tiny5")[1]
    told_at = shown(name, value["addr"])["at"]
    equal((told_at["type"], told_at["text"]), ("[5]uint8", "01 02 03 04 14"), value["name"])


# ---- Others


@test(each=NAMES)
def types_made_at_run_time_are_known(name):
    """Their descriptors are objects of the heap, and have no name that a dump tells."""
    rows = told(name, "made")
    equal(len(rows), 51, "objects")
    for row in rows:
        obj, offset = object_at(name, row["addr"])
        equal((offset, obj["type"], obj["type_known"]), (0, row["type"], "exact"), row["name"])
    [field, _] = shown(name, rows[7]["addr"])["fields"]
    equal((field["name"], field["type"]), ("X", "*main.Val"), "its first field")
    assert field["text"].endswith('{N:7 Name:"made"}'), field


@test(each=NAMES, builds=["gcc"])
def generic_types_have_their_arguments(name):
    for row in told(name, "generic"):
        obj, offset = object_at(name, row["addr"])
        equal((offset, obj["type"], obj["type_known"]), (0, row["type"], "exact"), row["name"])


@test(each=NAMES, builds=["gcc"])
def nothing_that_the_truth_names_is_left_out(name):
    looked_at = {"exact4095", "exact4096", "exact4097", "arrays", "capped", "strs", "tiny5", "tiny7",
                 "bool", "generic", "made", "middle", "inner"}
    equal({row["name"].split()[0] for row in truth_of(name)["objects"]}, looked_at, "kinds of objects")


# ---- How many there are, in all places


def counts(name, address):
    """How many things the explorer says are in an object: on its page, in the title of the list of
    them, beside that; and how many the program prints."""
    script = UNPACKED / f"{name}.counts"
    script.write_text(f"wait all\nobject {address}\nscreen\nfields {address}\nscreen\n")
    screens = run("--script", script, dump_of(name), "--exe", exe_of(name), expect=0).out
    page, listed = re.split(rf"^── (?=.* of {address} ─)", screens, flags=re.M)
    sections = re.findall(r"^ (?:ENTRIES|FIELDS|VALUES|CHANNEL) +([\d,]+)", page, re.M)
    title, side = re.match(r"(.*) of 0x\w+ ─+ ([\d,]+) ─[─›]", listed).groups()
    in_title = re.findall(r"([\d,]+) [a-z]", title)
    told = [[int(number.replace(",", "")) for number in numbers]
            for numbers in (sections, in_title, [side])]
    return *told, len(shown(name, address)["fields"])


@test(each=NAMES, builds=["gcc"])
def entries_and_fields_are_as_many_everywhere(name):
    maps = [(row["addr"], row["entries"]) for row in truth_of(name)["maps"]
            if 0 < row["entries"] < 5000]
    others = [(told(name, "exact4097")[0]["addr"], 4097), (told(name, "inner")[0]["addr"], None)]
    for address, want in maps + others:
        address = object_at(name, address)[0]["address"]
        on_page, in_title, beside, rows = counts(name, address)
        equal((on_page, in_title, beside), ([rows], [], [rows]), address)
        assert want in (None, rows), (address, want, rows)


@test
def fields_are_neither_elements_nor_what_is_left_of_a_slot():
    truth = truth_of(ONE)
    on_page, in_title, beside, rows = counts(ONE, truth["Objects"]["chan_buf"]["addr"])
    waiting = len(truth["ChanBuffered"])
    equal((on_page, in_title), ([waiting], [waiting, rows - waiting]), "elements and fields")
    equal(beside, [rows], "beside the title")
    # A session takes 56 of the 64 bytes that the allocator gives it.
    on_page, in_title, beside, rows = counts(ONE, truth["CacheSessions"][3])
    equal((on_page, in_title, beside, rows), ([4], [], [4], 4), "fields of a session")
