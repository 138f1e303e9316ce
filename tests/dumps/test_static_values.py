"""Values outside of the heap: each variable has a page, whose fields are the bytes of the dump; of one of which a
heap dump has no bytes, that is told."""

import json
import re

from core_files import core
from executables import dump_of, exe_of, files
from harness import ONE, answer, equal, oracle, run, test

SAMPLES = ["go1.19-corner", "go1.24.4-small", "go1.27.3-small"]
MOST, SHOWN = 20, 50


def variables(name, where):
    return answer("list", "variables", dump_of(name), "--exe", exe_of(name), "--where", where, "--sort=-size")


def bytes_at(graph, address, size):
    """What a segment of the dump has there, as the reader in Python sees it."""
    for segment in graph.dump.segments:
        if segment.address <= address and address + size <= segment.address + len(segment.data):
            return bytes(segment.data[address - segment.address :][:size])
    return None


@test(each=SAMPLES, builds=["gcc"])
def fields_of_variables_are_the_bytes_of_the_dump(name):
    graph, seen = oracle(name), 0
    for row in variables(name, 'size > 16 and (section = "data" or section = "bss")')[:MOST]:
        raw = bytes_at(graph, int(row["address"], 16), row["size"])
        told = run("list", "fields", dump_of(name), row["name"], "--exe", exe_of(name), "--json", f"--limit={SHOWN}")
        if not raw or told.status:
            continue
        for field in json.loads(told.out):
            of_array = (field["name"] or "[").startswith("[")
            if field["offset"] is None or not field["hex"] or of_array != bool(re.match(r"\[\d+\]", row["type"] or "")):
                continue  # what a slice in a variable leads to
            one = bytes.fromhex(field["hex"])
            equal(one, raw[field["offset"] :][: len(one)], f"{row['name']}.{field['name']}")
            seen += 1
    assert seen > 50, f"only {seen} fields were compared"


@test(each=SAMPLES, builds=["gcc"])
def a_variable_of_which_the_dump_has_no_bytes(name):
    """The linker keeps variables without pointers apart, and heap dumps leave them out."""
    row = next(row for row in variables(name, 'section = "noptrbss"') if row["type"])
    listed = run("list", "fields", dump_of(name), row["name"], "--exe", exe_of(name), expect=1).err
    shown = run("show", dump_of(name), row["name"], "--exe", exe_of(name), expect=0).out
    for told in (listed, shown):
        assert f"{row['name']} is not an object of the heap, and its value is not in the dump" in told, told
    equal(answer("list", "roots", dump_of(name), row["name"], "--exe", exe_of(name)), [], "pointers in it")


@test(each=SAMPLES, builds=["gcc"])
def enter_opens_a_page_of_every_variable(name):
    rows = variables(name, "size > 0")
    picked = rows[:: max(len(rows) // 12, 1)] + [row for row in rows if row["name"].startswith("main.")][:12]
    script = "\n".join(f'variables; filter name = "{row["name"]}"; wait all; follow; wait all; screen' for row in picked)
    screens = run("-e", script, "--size", "80x24", dump_of(name), "--exe", exe_of(name), expect=0).out
    heads = re.findall(r"^── (.*?) ──", screens, re.M)
    equal(len(heads) >= len(picked), True, "pages")
    assert not [head for head in heads if head.startswith("global variables")], heads
    for row in picked:
        value = row["section"] in ("data", "bss") and re.match(r"(struct|\[\d+\])", row["type"] or "")
        if value and "sync.Map" not in row["type"]:
            assert f"fields of {row['name']} " in screens, (row, heads)


# Of the Unicode standard: blocks, the surrogates, private use.
RANGES = {"Co": (0xE000, 0xF8FF), "Cs": (0xD800, 0xDFFF), "Braille": (0x2800, 0x28FF), "Bamum": (0xA6A0, 0xA6F7)}


@test
def values_without_pointers_have_names_and_are_counted():
    """The linker puts them elsewhere. A core file has them; a heap dump has not, which is told."""
    path = core("go1.19-park-plain-quiet")
    rows = {row["name"]: row["value"] for row in answer("list", "values", path, "type=unicode.Range16")}
    for name, (low, high) in RANGES.items():
        equal(rows[f"unicode.{name}.R16[0]"], f"{{Lo:{low} Hi:{high} Stride:1}}", name)
    told = run("list", "values", *files(ONE), "type=unicode.Range16", expect=0)
    assert "not counted: the dump lacks the bytes" in told.out + told.err, told


@test(each=SAMPLES, builds=["gcc"])
def values_outside_of_the_heap_have_a_page_by_name_and_by_address(name):
    rows = variables(name, 'size > 16 and (section = "data" or section = "bss")')
    seen = 0
    for row in [row for row in rows if row["type"] and not re.match(r"sync\.Map|\[\]|interface|struct ", row["type"])][:MOST]:
        shown = answer("show", dump_of(name), row["name"], "--exe", exe_of(name))
        equal((shown["address"], shown["size"], shown["type"]), (row["address"], row["size"], row["type"]), row["name"])
        equal(answer("show", dump_of(name), row["address"], "--exe", exe_of(name))["name"], shown["name"], row["name"])
        seen += 1
    assert seen > 5, f"only {seen} values have a page"
