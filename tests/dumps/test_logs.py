"""Random GC logs, in every encoding: the program against the model in tests/oracle/logs.py."""

import logs
from harness import answer, equal, run, test
from survive import file_of


def check_numbers(info, sections):
    roots = [root for section in sections for root in section.roots]
    reachable = [section.distances() for section in sections]
    reached = sum(s.bytes(found) for s, found in zip(sections, reachable))
    references = [to in section.objects for section in sections for to in section.references()]
    for key, right in (
        ("complete", True), ("sections", len(sections)),
        ("objects", sum(len(section.objects) for section in sections)),
        ("object_bytes", sum(section.bytes(section.objects) for section in sections)),
        ("references", len(references)), ("dangling_references", references.count(False)),
        ("dangling_roots", sum(r[0] not in s.objects for s in sections for r in s.roots)),
        ("reachable_objects", sum(map(len, reachable)) if roots else None),  # nobody can tell
        ("reachable_bytes", reached if roots else None),
    ):
        equal(info[key], right, key)
    kinds = [root[1] for root in roots]
    right = {logs.KINDS[kind]: kinds.count(kind) for kind in set(kinds)}
    equal(info["roots"], right, "kinds")
    for name, bit in (("pinned", logs.PINNED), ("weak", logs.WEAK), ("interior", logs.INTERIOR)):
        equal(info["root_flags"][name], sum(bool(root[2] & bit) for root in roots), name)


@test(each=range(25))
def random_logs_are_read(seed):
    content, sections = logs.random_log(seed)
    with file_of(content) as file:
        check_numbers(answer("info", file.name), sections)
        if not any(section.roots for section in sections):
            run("list", "dominators", file.name, expect=1)
            return
        right = {}
        for section in sections:
            right.update({section.name(name): size for name, size in section.retained().items()})
        rows = answer("list", "dominators", file.name)
        equal({row["address"]: row["retained_bytes"] for row in rows}, right, "retained sizes")
        section = sections[seed % len(sections)]
        for name, depth in list(section.distances().items())[-3:]:
            shown = answer("show", file.name, section.name(name))
            equal(shown["distance"], depth, f"steps to {name:x}")
