"""Maps and channels whose headers, tables, nodes and control bytes lie: an object's page is shown whatever
they say, and no walk over a map goes on for ever."""

import pathlib

from executables import dump_of, exe_of, files, truth_of
from harness import ONE, SANITIZED, answer, test
from survive import SECONDS, file_of, measured
from writer import uvarint

LIES = [0, 1 << 20, (1 << 63) - 1]


def path_to(address):
    """The objects on the path to an object: of a map its header, directory, table and groups."""
    path = answer("path", dump_of(ONE), address, "--exe", exe_of(ONE), "--limit", "1")[0]
    return [step for step in path if step["kind"] == "object"]


def place_of(dump, address):
    """Where an object's contents are in the file: behind its tag, its slot and its size."""
    for header in (0, 8):
        start = b"\1" + uvarint(address - header)
        at = dump.find(start)
        if at < 0:
            continue
        at += len(start)
        while dump[at] & 0x80:
            at += 1
        return at + 1 + header
    raise AssertionError(f"there is no object at {address:#x}")


def shown(path, address):
    result = measured("show", path, address, "--exe", exe_of(ONE), "--limit", "5")
    assert result.status == 0 and "runtime error:" not in result.err, result
    assert result.seconds < SECONDS * (10 if SANITIZED else 1), result.seconds


@test
def headers_and_tables_that_lie():
    dump = pathlib.Path(dump_of(ONE)).read_bytes()
    told = truth_of(ONE)
    steps = path_to(told["CacheSessions"][0])[:-1]
    channel = path_to(told["ChanBuffered"][0])[0]
    with file_of(dump) as file:
        for step in [*steps, channel]:
            address = int(step["address"], 16)
            at = place_of(dump, address)
            asked = (channel if step is channel else steps[0])["address"]
            for word in range(at, at + min(step["size"], 96), 8):
                lies = [*LIES, address]
                # With sanitizers a word tells one of them, its neighbours the others.
                for lie in [lies[word // 8 % len(lies)]] if SANITIZED else lies:
                    file.seek(word)
                    file.write(lie.to_bytes(8, "little"))
                    file.flush()
                    shown(file.name, asked)
                file.seek(word)
                file.write(dump[word:word + 8])


@test
def nodes_of_tries_that_lie():
    """Nodes below themselves, entries behind themselves, nodes that say they are entries."""
    dump = pathlib.Path(dump_of(ONE)).read_bytes()
    rows = answer("list", "objects", *files(ONE))
    nodes, entries = (
        [row["address"] for row in rows if row["type"] == f"internal/sync.{name}[any,any]"]
        for name in ("indirect", "entry")
    )
    assert len(nodes) > 1, nodes
    entry = entries[0]
    root = next(row["target"] for row in answer("list", "roots", *files(ONE))
                if row["name"].startswith("internal/godebug.cache"))
    with file_of(dump) as file:
        for address, size in ((root, 160), (nodes[-1], 160), (entry, 48)):
            at = place_of(dump, int(address, 16))
            for lie in [1, int(root, 16), int(entry, 16), (1 << 63) - 1]:
                file.seek(at + 8)
                file.write(lie.to_bytes(8, "little") * (size // 8 - 1))
                file.flush()
                shown(file.name, root)
            file.seek(at)
            file.write(b"\1")
            file.flush()
            shown(file.name, root)
            file.seek(at)
            file.write(dump[at:at + size])
