"""What is kept of the reader in tests/oracle is what it would read again, or is not believed."""

import pathlib
import shutil
import tempfile

import godump
import graph
import kept
from harness import ONE, equal, test, unpacked

OTHER = "go1.24.4-small-386"


def told(seen):
    """All that a graph says, to be compared."""
    dump = seen.dump
    return (
        seen.references, dict(seen.referrers), seen.pointers, seen.dangling, seen.roots, seen.distance, seen.beside,
        {name: value for name, value in vars(dump).items() if name not in ("by_address", "scalars")},
    )


def read(path):
    return told(graph.Graph(godump.read(godump.load(path))))


@test(builds=["gcc"])
def what_is_kept_is_what_is_read():
    right = read(unpacked(ONE))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            equal(told(kept.graph_of(unpacked(ONE), pathlib.Path(folder))) == right, True, "equal")
        equal(sorted(path.suffix for path in pathlib.Path(folder).iterdir()), [".graph", ".lock"], "files")


@test(builds=["gcc"])
def what_is_damaged_or_of_another_dump_is_not_believed():
    with tempfile.TemporaryDirectory() as folder:
        place, key = pathlib.Path(folder) / "x.graph", kept.key_of(godump.load(unpacked(ONE)))
        kept.keep(graph.Graph(godump.read(godump.load(unpacked(ONE)))), place, key)
        whole = place.read_bytes()
        for at in (0, kept.DIGEST, 2 * kept.DIGEST, len(whole) // 2, len(whole) - 1):
            for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
                place.write_bytes(content)
                equal(kept.taken(place, key), None, f"damaged at {at}")
        place.write_bytes(whole)
        assert kept.taken(place, key) is not None
        dump = pathlib.Path(folder) / "x"  # whose graph is kept at this place
        shutil.copyfile(unpacked(OTHER), dump)
        equal(told(kept.graph_of(str(dump), pathlib.Path(folder))) == read(unpacked(OTHER)), True, "another of its name")
