#!/usr/bin/env python3
"""Compares what two builds of the program answer, for changes that must change no answer.

    tests/same.py OLD NEW [WORD...]
    tests/same.py --index BINARY [WORD...]

Each is a binary; with --index it is compared with itself, with an index and without. Asked are info, every table, show, path, why and top as JSON, of every dump of
testdata and ../shared/corpus, with its executable and without; with words, only of those whose name has
one of them. Tables that need an argument get addresses, goroutines, types ... that the old binary lists.
Prints what differs; the status is 1 when anything does.
"""

import concurrent.futures
import difflib
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import ENVIRONMENT, ROOT, TESTDATA

CORPUS = ROOT.parent / "shared" / "corpus"
SOME = 3  # arguments of each kind
LINES = 12  # of a difference


caches = {}  # binary, as it is named here -> the folder of its indices


def ask(binary, *arguments):
    """Status, output and complaint. Exits of the sanitizers are differences like any other."""
    environment = {**ENVIRONMENT, **({"XDG_CACHE_HOME": caches[binary]} if binary in caches else {})}
    ran = subprocess.run([binary, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                         env=environment, timeout=600, check=False)
    return ran.returncode, ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace")


def column(binary, dump, name, table, options, limit=SOME):
    """The first cells of a column: what tables of that kind of thing take as their argument."""
    status, out, _ = ask(binary, "list", table, dump, "--columns", name, "--csv", "--limit",
                         str(limit), *options)
    return [line.strip('"') for line in out.splitlines()[1:] if line.strip('"')] if status == 0 else []


def questions(old, dump, exe):
    """Everything that is asked of one dump: lists of arguments."""
    options = ["--exe", exe] if exe else []
    _, names, _ = ask(old, "help", "list", "--all")
    addresses = column(old, dump, "address", "dominators", options)
    known = {
        "ADDR": addresses,
        "ADDR|VARIABLE": addresses,
        "GOID": column(old, dump, "id", "goroutines", options),
        "ID": column(old, dump, "id", "profiles", options),
        "TYPE": column(old, dump, "type", "types", options),
    }
    yield ["info", dump, "--json", *options]
    yield ["top", dump, "--json", *options]
    for address in addresses:
        for command in ("show", "path", "why", "retained"):
            yield [command, dump, address, "--json", *options]
    if len(addresses) > 1:
        yield ["list", "between", dump, *addresses[:2], "--json", *options]
    yield ["find", dump, "main", "--json", "--limit", "1000", *options]
    for name, argument in tables(names):
        need = argument.split()[0] if argument else "["
        if need.startswith("["):
            yield ["list", name, dump, "--json", *options]
        for value in known.get(need, []):
            yield ["list", name, dump, value, "--json", *options]


def tables(text):
    """The tables that `help list` names, with what they take."""
    names = text[text.index("\nTables,"):]
    for name, argument in re.findall(r"^  ([a-z]+)(?: (\S+(?: \S+)*))?(?:  .*)?$", names, re.M):
        yield name, argument


def plain(answer):
    """The same with the members of JSON objects, which have no order, in the order of their names."""
    status, out, err = answer
    try:
        return status, json.dumps(json.loads(out), indent=1, sort_keys=True, ensure_ascii=False), err
    except ValueError:
        return answer


def compare(old, new, arguments):
    before, after = ask(old, *arguments), ask(new, *arguments)
    if before != after:
        before, after = plain(before), plain(after)
    if before == after:
        return None
    lines = [f"{' '.join(arguments)}: status {before[0]} and {after[0]}"]
    for one, other in zip(before[1:], after[1:]):
        lines += list(difflib.unified_diff(one.splitlines(), other.splitlines(), "old", "new",
                                           lineterm="", n=0))[2:LINES]
    return "\n".join(line[:200] for line in lines)


def unpack(packed, folder):
    path = pathlib.Path(folder) / packed.name.removesuffix(".xz")
    if not path.exists():
        path.write_bytes(lzma.open(packed).read() if packed.suffix == ".xz" else packed.read_bytes())
    return str(path)


def inputs(words):
    """(dump, executable or None) as they lie in the folders, packed."""
    folders = [TESTDATA] + [CORPUS / name for name in ("go", "real", "corner", "series", "netcf",
                                                       "chromium")] + [TESTDATA / "v8"]
    seen = set()
    for folder in folders:
        for dump in sorted(folder.glob("*.dump.xz")) + sorted(folder.glob("*.gclog")) + sorted(
                folder.glob("*.heapsnapshot")) + [
                path for path in sorted(folder.glob("*.json")) if "truth" not in path.name]:
            if dump.name in seen or (words and not any(word in dump.name for word in words)):
                continue
            seen.add(dump.name)
            yield dump, None
            exe = dump.with_name(dump.name.replace(".dump.xz", ".exe.xz"))
            if exe.exists() and exe != dump:
                yield dump, exe


def binaries(folder):
    """Old and new; of one binary the new one is called by another name, and has an index."""
    if sys.argv[1] != "--index":
        return [os.path.abspath(path) for path in sys.argv[1:3]]
    binary = os.path.abspath(sys.argv[2])
    indexed = os.path.join(os.path.dirname(binary), ".", os.path.basename(binary))
    caches[indexed] = folder
    return binary, indexed


def main():
    asked = different = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        old, new = binaries(folder)
        for dump, exe in inputs(sys.argv[3:]):
            beside = pathlib.Path(folder) / "exe"  # where no dump finds it by itself
            beside.mkdir(exist_ok=True)
            paths = unpack(dump, folder), exe and unpack(exe, beside)
            if new in caches:
                ask(new, "index", *filter(None, paths))
            tasks = list(questions(old, *paths))
            found = [text for text in pool.map(lambda task: compare(old, new, task), tasks) if text]
            asked, different = asked + len(tasks), different + len(found)
            print(f"{dump.name}{' with its executable' if exe else ''}: {len(tasks)} asked, "
                  f"{len(found)} differ", flush=True)
            print("\n".join(found), end="\n" if found else "", flush=True)
    print(f"{asked} answers, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
