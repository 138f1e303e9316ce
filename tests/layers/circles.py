#!/usr/bin/env python3
"""No more than four files call each other in a circle: strongly connected components of the calls between files.

Rooms of src/table that include headers of each other are those in ROOMS, and no more.

Functions have names that no other function has (names.py), so that a name says which file is called. Calls
through pointers are not seen. A parameter that is called like a function of another file counts as a call of it.
"""

import collections
import pathlib
import re
import sys

MOST = 4
ROOMS = {("contents", "naming"), ("contents", "paths"), ("contents", "query"), ("naming", "paths")}
FUNCTION = re.compile(r"^(?!typedef)[A-Za-z_][^\n;{}=]*?\b(\w+)\([^;{]*?\)\n\{\n(.*?)^\}", re.M | re.S)
NO_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def calls_between_files():
    """{file: files that its functions call}"""
    functions, homes = collections.defaultdict(list), collections.defaultdict(set)
    for top in ("src", "include"):
        for path in sorted(pathlib.Path(top).rglob("*.[ch]")):
            for name, body in FUNCTION.findall(NO_CODE.sub(" ", path.read_text())):
                functions[path].append(body)
                homes[name].add(path)
    calls = {}
    for path, bodies in functions.items():
        names = {name for body in bodies for name in re.findall(r"(?<![\w.>])([A-Za-z_]\w*)\s*\(", body)}
        calls[path] = {home for name in names for home in homes.get(name, ()) if len(homes[name]) == 1} - {path}
    return calls


def circles_of(calls):
    """Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(path):
        index[path] = low[path] = len(index)
        stack.append(path)
        for called in calls.get(path, ()):
            if called not in index:
                visit(called)
            if called in stack:
                low[path] = min(low[path], low[called])
        if low[path] == index[path]:
            at = stack.index(path)
            found.append(stack[at:])
            del stack[at:]

    sys.setrecursionlimit(10000)
    for path in calls:
        if path not in index:
            visit(path)
    return [circle for circle in found if len(circle) > MOST]


def rooms_of_each_other():
    """Pairs of rooms that include headers of each other."""
    uses = set()
    for top in ("src", "include"):
        for path in (pathlib.Path(top) / "table").rglob("*/*.[ch]"):
            uses |= {(path.parts[2], room) for room in re.findall(r'#include "table/(\w+)/', path.read_text())}
    assert len(uses) > 30, "rooms are found"
    return {(room, other) for room, other in uses if room < other and (other, room) in uses}


def main():
    rooms = rooms_of_each_other()
    for room, other in sorted(rooms - ROOMS):
        print(f"rooms {room} and {other} of src/table include headers of each other", file=sys.stderr)
    calls = calls_between_files()
    assert sum(map(len, calls.values())) > 500, "calls are found"
    circles = circles_of(calls)
    for circle in circles:
        print(f"{len(circle)} files call each other in a circle, at most {MOST} may:", *sorted(circle), file=sys.stderr)
    return bool(circles) or bool(rooms - ROOMS)


if __name__ == "__main__":
    sys.exit(main())
