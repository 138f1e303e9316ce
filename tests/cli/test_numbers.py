"""Numbers that stand together are of one thing, and are there when they are known."""

import re

import writer
from harness import ONE, answer, equal, run, test, unpacked
from survive import file_of
from writer import DATA, HEAP, goroutine, memstats, record, words


def overview(path):
    """Lines of the accounts as (bytes or count, share, text), by section."""
    screen = run(path, "-e", "size 120x200", "-e", "accounts", "-e", "screen", expect=0).out
    sections, name = {}, None
    for line in screen.splitlines():
        head = re.match(r" ([A-Z][A-Z ]{3,13}?) {2,}", line[:16])
        name = head.group(1).strip() if head else name
        parts = re.fullmatch(r".{15} *([\d.,]+(?: [KMGT]?B)?)(?: +([\d.]+)%)?  +(\S.*?)(?: +[█-▏]+)?", line)
        if parts and name:
            sections.setdefault(name, []).append(parts.groups())
    return sections


@test
def shares_of_the_overview_are_of_what_is_reachable():
    info = answer("info", unpacked(ONE))
    sections = overview(unpacked(ONE))
    shares = {text.split("  ")[0]: share for _, share, text in sections["HEAP"]}
    equal(shares.pop("reachable"), "100.0", "reachable")
    unreachable = info["object_bytes"] - info["reachable_bytes"]
    percent = f"{100 * unreachable / info['object_bytes']:.1f}%"
    equal(shares.pop(f"unreachable, {percent} of all"), None, "what is not reachable")
    sizes = [size for kind, size in info["owned_bytes"].items() if size and kind != "none"]
    small = [size for size in sizes if 100 * size < info["reachable_bytes"]]  # one line for all
    sizes = [size for size in sizes if size not in small] + [sum(small)] * bool(small)
    wanted = sorted(f"{100 * size / info['reachable_bytes']:.1f}" for size in sizes)
    equal(sorted(share for share in shares.values() if share), wanted, "shares by strength")
    owner = answer("top", unpacked(ONE), "--limit", "1")[0]
    size, share, text = sections["OWNERS"][0]
    assert text.startswith(owner["name"][:20]), (text, owner)
    equal(share, f"{100 * owner['retained_bytes'] / info['reachable_bytes']:.1f}", f"{size} {text}")


@test
def pointers_of_finalizers_are_no_finalizers():
    info = answer("info", unpacked(ONE))
    lines = {text: count for count, _, text in overview(unpacked(ONE))["ROOTS"]}
    equal(lines[f"finalizer: pointers of {info['finalizers']} finalizers"],
          str(info["roots"]["finalizer"]), "pointers")
    equal(lines[f"queued_finalizer: pointers of {info['queued_finalizers']} finalizers"],
          str(info["roots"]["queued_finalizer"]), "pointers of queued ones")


@test
def of_nothing_there_is_no_share():
    """A dump that ends before its roots."""
    nodes = b"".join(record(1, HEAP + 16 * i, words(HEAP, 0), [0]) for i in range(9))
    with file_of(writer.HEADER + writer.params() + nodes) as file:
        said = run("info", file.name, expect=0).out
        for line in said.splitlines():
            assert not re.search(r"of  |of\s*$", line), line
        assert "of all objects: no roots are known" in said, said
        assert re.search(r"(?m)^ GOROUTINES +cannot be told: the file is damaged$", said), said
        assert "is unreachable" not in said and "what is alive cannot be told" in said, said


@test
def a_section_without_objects_has_none_reachable():
    with file_of(b"a 2 f\nt 1 A.B\nc f\n") as file:
        info = answer("info", file.name)
        equal((info["objects"], info["reachable_objects"], info["reachable_bytes"]), (0, 0, 0), "")


@test
def the_last_record_before_damage_has_its_own_length():
    last = goroutine(HEAP, writer.STACK, 7, "select")
    start = writer.HEADER + writer.params() + record(1, HEAP, words(HEAP, 0), [0]) + last
    rows_after = [record(9, 0x510000 + i, i, i) for i in range(30)]
    end = record(12, DATA, words(HEAP), [0]) + memstats(1, 16) + record(0)
    for rest in (b"\xff" * 5000, b"\xff" * 5000 + b"".join(rows_after) + end):
        with file_of(start + rest) as file:
            rows = run("list", "records", file.name, "goroutine", "--json", expect=0).out
            found = re.search(r'"length":(\d+)', rows).group(1)
            equal(int(found), len(last), "length")
