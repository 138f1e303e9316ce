#!/usr/bin/env python3
"""No function's name twice in the program, statics included, and no source file's: a profile or a backtrace
then says where.

Reads definitions as the tree is formatted: a line that begins with a type, the brace on the next line.
"""

import collections
import pathlib
import re
import sys

DEFINITION = re.compile(r"^(?:static |inline |const )*(?:(?:struct|enum) )?\w+(?: const)? \**(\w+)\([^;{]*\)\n\{", re.M)



def twice():
    places = collections.defaultdict(list)
    for folder in ("src", "include"):
        for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
            for match in DEFINITION.finditer(path.read_text(encoding="utf-8")):
                places[match.group(1)].append(str(path))
    if len(places) < 1000:
        sys.exit(f"only {len(places)} functions were recognised: is the tree formatted otherwise?")
    return {name: where for name, where in places.items() if len(where) > 1}


def files_twice():
    places = collections.defaultdict(list)
    for path in sorted(pathlib.Path("src").rglob("*.c")):
        places[path.name].append(str(path))
    return {name: where for name, where in places.items() if len(where) > 1}


if __name__ == "__main__":
    found = {**twice(), **files_twice()}
    for name, where in sorted(found.items()):
        print(f"{name} is defined {len(where)} times: {', '.join(where)}", file=sys.stderr)
    sys.exit(bool(found))
