#!/usr/bin/env python3
"""Changes the program in small ways, one at a time, and looks which changes no test sees.

    tests/mutate.py [--seed N] [--count N] [--place FILE:LINE] [WORD...]

In a copy of the tree below build/: a place of each of `count` files under src is drawn by the seed,
built with gcc, and the unit, golden, cli and dumps tests are run (those with one of the words, if there
are any) until the first that fails. What survives is told at the end: either it changes nothing that
matters, or a test is missing. --place tries every change of one line.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutate" / "tree"
TESTS = ["unit/", "golden", "cli/", "dumps/"]

# What is looked for in a line of code, and what takes its place.
CHANGES = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ 1\b", ""), (r" - 1\b", ""), (r" \+ (?=\w)", " - "), (r"(?<=\w) - (?=\w)", " + "),
    (r" != ", " || "), (r"\+\+;", " += 2;"), (r"\+\+", "--"), (r"--", "++"), (r"(?<=[( ])!(?=\w)", ""), (r"(?<=[( ,])-1\b", "1"),
    (r"\b0\b(?=[;,)])", "1"), (r"\b1\b(?=[;,)])", "2"), (r"return true;", "return false;"),
    (r"return false;", "return true;"), (r"\? (.+) : (.+);", r"? \2 : \1;"), (r" \+= ", " = "),
    (r"\bcontinue;", ";"), (r"^\tcase (\w+):$", r"\tcase 1000 + (int)\1:"), (r"^(\t+)\w[^;={}]*\(.*\);$", r"\1;"),
    (r"\bif \((.*)\)$", r"if (!(\1))"),
]
CODE = re.compile(r"^\t[^*]|^\t\*\w")  # in a function, and no comment


class Mutant(typing.NamedTuple):
    file: str  # from the root
    line: int  # from 1
    before: str
    after: str

    def __str__(self):
        return f"{self.file}:{self.line}\n    - {self.before.strip()}\n    + {self.after.strip()}"


def hidden(line):
    """The line with blanks for comments and texts, as long as it was."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*.*?(\*/|$)|^.*\*/', lambda m: "\0" * len(m[0]), line)


def mutants_of(path):
    """Every change of a file."""
    file = str(path.relative_to(ROOT))
    for number, line in enumerate(path.read_text().split("\n"), 1):
        seen = hidden(line)
        if not CODE.match(seen) or "static const" in seen:
            continue
        for pattern, change in CHANGES:
            for found in re.finditer(pattern, seen):
                if "\0" not in found[0]:
                    after = line[: found.start()] + found.expand(change) + line[found.end() :]
                    yield Mutant(file, number, line, after)


def drawn(seed, count):
    """One of each file, of as many files."""
    chance = random.Random(seed)
    files = sorted((ROOT / "src").glob("**/*.c"))
    for path in chance.sample(files, min(count, len(files))):
        changes = list(mutants_of(path))
        if changes:
            lines = sorted({mutant.line for mutant in changes})
            line = chance.choice(lines)
            yield chance.choice([mutant for mutant in changes if mutant.line == line])


def outcome(words):
    """Builds and tests the copy: "survives", or what has found the change."""
    ran = subprocess.run(
        [sys.executable, "tests/run.py", "--builds=gcc", "--first", *words], cwd=COPY,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    failed = re.search(r"^FAILED  (.*)$", ran.stdout, re.M)
    return failed[1] if failed else "survives" if ran.returncode == 0 else ran.stdout[-2000:]


def tried(mutant, words):
    path = COPY / mutant.file
    text = path.read_text()
    lines = text.split("\n")
    lines[mutant.line - 1] = mutant.after
    path.write_text("\n".join(lines))
    try:
        return outcome(words)
    finally:
        path.write_text(text)


def copy_tree():
    """With what is built already: only the changed file is built anew. A change need not be formatted."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(".git", "build"), symlinks=True)
    (COPY / "tests" / "layers" / "format.sh").write_text("")
    for built in ("gcc", "tests"):
        if (ROOT / "build" / built).exists():
            shutil.copytree(ROOT / "build" / built, COPY / "build" / built)


def main():
    options = argparse.ArgumentParser(description="Changes that no test sees.")
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options.add_argument("--count", type=int, default=10)
    options.add_argument("--place", help="FILE:LINE; every change there")
    options.add_argument("words", nargs="*", default=TESTS)
    chosen = options.parse_args()
    copy_tree()
    whole = outcome(chosen.words)
    if whole != "survives":
        sys.exit(f"mutate: the tests fail without a change: {whole}")
    if chosen.place:
        file, _, line = chosen.place.rpartition(":")
        mutants = [mutant for mutant in mutants_of(ROOT / file) if mutant.line == int(line)]
    else:
        print(f"mutate: seed {chosen.seed}, {chosen.count} changes", flush=True)
        mutants = list(drawn(chosen.seed, chosen.count))
    survivors = []
    for mutant in mutants:
        found = tried(mutant, chosen.words)
        print(f"{mutant}\n    {found}", flush=True)
        if found == "survives":
            survivors.append(mutant)
    print(f"{len(mutants)} changes, {len(survivors)} survive", *survivors, sep="\n")


if __name__ == "__main__":
    main()
