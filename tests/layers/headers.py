#!/usr/bin/env python3
"""Headers of include/ are what other layers use, those of src/ are their own layer's, and every function is
called by something, if only a test or the benchmark: what nothing calls the linker drops. Headers of base have no
words of what dumps hold.

A function counts as called where its name stands a second time; declarations do not count.
"""

import collections
import pathlib
import re
import sys

from names import DEFINITION

INCLUDE = re.compile(r'^\s*#\s*include "([\w/]+\.h)"', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DECLARATION = re.compile(r"^(?!\t)[^\n;{}#=]*\([^;{}]*\)\s*;|^(?!\t)\w+ (?:\w+,\s*)*\w+;", re.M)


def sources(*folders):
    return {path: path.read_text(encoding="utf-8") for folder in folders
            for path in sorted(pathlib.Path(folder).rglob("*.[ch]"))}


def layer_of(path):
    """src/LAYER/..., src/NAME/LAYER/..., or the same as it is included."""
    parts = [part for part in pathlib.PurePath(path).parts if part not in ("src", "include")]
    return parts[not any(pathlib.Path("src", parts[0]).glob("*.c"))]


def headers(texts):
    """What stands in the wrong one of the two folders."""
    by = collections.defaultdict(set)
    for path, text in texts.items():
        for name in INCLUDE.findall(text):
            by[name].add(path)
    public = {str(path.relative_to("include")) for path in texts if path.parts[0] == "include"}
    used = {name for name in public if any(layer_of(path) != layer_of(name) for path in by[name])}
    while more := {name for name in public - used
                   if any(str(path)[len("include/"):] in used for path in by[name] if path.parts[0] == "include")}:
        used |= more
    for name in sorted(public - used):
        yield f"include/{name} is included by its own layer only: it belongs into src"
    for path in texts:
        if path.parts[0] != "src" or path.suffix != ".h":
            continue
        name = str(path.relative_to("src"))
        for user in sorted(by[name]):
            if layer_of(user) != layer_of(path) or user.parts[0] == "include" and str(user)[8:] in used:
                yield f"{path} is included by {user}: it belongs into include"


def uncalled(texts):
    """Functions whose names stand only where they are defined."""
    code = {path: COMMENT.sub("", text) for path, text in texts.items()}
    defined = {name: path for path, text in code.items() for name in DEFINITION.findall(text)}
    words = collections.Counter()
    for text in sources("tests").values():
        words.update(re.findall(r"\w+", text))
    for path, text in code.items():
        words.update(re.findall(r"\w+", DECLARATION.sub("", text) if path.suffix == ".h" else text))
    for name, path in sorted(defined.items()):
        if words[name] == 1 and name != "main":
            yield f"{path}: nothing calls {name}"


def domain(texts):
    """Words that say what a dump holds, in headers of base, which knows no dumps."""
    for path, text in texts.items():
        for word in re.findall(r"(?i)goroutine|package sync|heap dump|finalizer|\bchannel", text if path.parts[:2] == ("include", "base") else ""):
            yield f"{path} says {word!r}: base knows nothing of dumps"


if __name__ == "__main__":
    texts = sources("src", "include")
    wrong = [*headers(texts), *uncalled(texts), *domain(texts)]
    print("".join(f"{line}\n" for line in wrong), end="", file=sys.stderr)
    sys.exit(bool(wrong))
