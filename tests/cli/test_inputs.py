"""The inputs of the tests: how large those in testdata are, what is packed together (tests/packs.py), and how programs in
Go are built."""

import lzma
import os
import pathlib
import tempfile

import executables
import packs
import toolchains
from harness import ONE, ROOT, TESTDATA, UNPACKED, answer, equal, test, unpack, unpacked

MOST = 50_000_000  # bytes of all of testdata


def names_in(folder):
    return {path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


@test(builds=["gcc"])
def a_clone_has_no_more_inputs_than_agreed():
    sizes = {name: (TESTDATA / name).stat().st_size for name in names_in(TESTDATA)}
    largest = sorted(sizes, key=sizes.get)[-5:]
    assert sum(sizes.values()) <= MOST, f"{sum(sizes.values())} bytes of {MOST}; the largest are {largest}"


@test(builds=["gcc"])
def what_is_in_a_pack_is_nowhere_else():
    packed = names_in(packs.unpacked()) - {".packs"}
    assert len(packed) > 20, packed
    alone = names_in(TESTDATA)
    equal([name for name in packed if name in alone or f"{name}.xz" in alone], [], "files that are there twice")
    for name in packed:
        equal((packs.unpacked() / name).read_bytes()[:4], b"\x7fELF", f"{name} is an executable")


@test(builds=["gcc"])
def an_executable_in_a_pack_answers_as_before():
    """Its debug information is no longer compressed; what is in memory is byte for byte the same."""
    content = lzma.open(TESTDATA / f"{ONE}.exe.xz").read()
    plain = packs.with_plain_debug(content)
    old, new = packs.Sections(content), packs.Sections(plain)
    equal(old.names, new.names, "sections")
    assert len(plain) > len(content), (len(plain), len(content))
    for name, before, after in zip(old.names, old.rows, new.rows):
        if before[2] & packs.COMPRESSED:
            assert not after[2] & packs.COMPRESSED, name
            continue
        equal((before[:4], before[6:], old.content(before)), (after[:4], after[6:], new.content(after)), f"section {name}")
        assert before[4] == after[4] or not before[2] & packs.ALLOCATED, f"{name} has another place"
    with tempfile.TemporaryDirectory(dir=UNPACKED) as folder:
        path = pathlib.Path(folder, "plain.exe")
        path.write_bytes(plain)
        types, again = (answer("list", "types", unpacked(ONE), "--exe", exe) for exe in (TESTDATA / f"{ONE}.exe.xz", path))
        equal(again, types, "types")
    equal(packs.with_plain_debug(plain), plain, "what has nothing to unpack")


@test(builds=["gcc"])
def a_pack_that_has_changed_is_unpacked_anew():
    saved = packs.PACKS, packs.PLACE
    with tempfile.TemporaryDirectory() as folder:
        source, packs.PACKS = pathlib.Path(folder, "source"), pathlib.Path(folder, "packs")
        packs.PLACE = pathlib.Path(folder, "place")
        try:
            packs.PACKS.mkdir()
            for texts in ({"a": b"first", "go/b": b"second"}, {"go/b": b"another", "c": b"\x7fELF\2\1" + bytes(58)}):
                for name, text in texts.items():
                    (source / name).parent.mkdir(parents=True, exist_ok=True)
                    (source / name).write_bytes(text)
                packs.pack(packs.PACKS / "one.tar.xz", source, list(texts))
                packs.unpacked.cache_clear()
                place = packs.unpacked()
                equal({name: (place / name).read_bytes() for name in names_in(place) - {".packs"}}, texts, "files")
            assert os.access(place / "c", os.X_OK) and not os.access(place / "go/b", os.X_OK), "modes"
            before = (place / "c").stat().st_ino
            packs.unpacked.cache_clear()
            equal((packs.unpacked() / "c").stat().st_ino, before, "a pack that has not changed")
        finally:
            packs.PACKS, packs.PLACE = saved
            packs.unpacked.cache_clear()


@test(builds=["gcc"])
def a_packed_input_is_found_where_it_was():
    name = "core/go1.24-queued.exe"
    path = pathlib.Path(unpack(TESTDATA / f"{name}.xz", UNPACKED / "go1.24-queued.exe"))
    equal(path.read_bytes(), (packs.unpacked() / name).read_bytes(), name)
    equal(path.parent, UNPACKED, "beside the core, by which it is found")


@test(builds=["gcc"])
def programs_in_go_are_built_with_one_cache():
    """Each process that built one with a cache of its own would compile Go's library first."""
    with tempfile.TemporaryDirectory() as folder:
        go, found = pathlib.Path(folder, "go"), list(toolchains.TOOLCHAINS)
        go.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nprintf %s "$GOCACHE" >"$2"\n')
        go.chmod(0o755)
        toolchains.TOOLCHAINS[:] = [str(go)]
        try:
            used = pathlib.Path(executables.exe_from(pathlib.Path(folder, "any.go"), "-trimpath")).read_text()
        finally:
            toolchains.TOOLCHAINS[:] = found
    equal(used, str(ROOT / "build" / "go-cache"), "GOCACHE")
    equal({toolchains.building()["GOCACHE"], toolchains.environment("pie")["GOCACHE"]}, {used}, "of other tests")
    others = [file.name for file in sorted((ROOT / "tests").glob("**/*.py")) if "GO111" + "MODULE" in file.read_text()]
    equal(others, ["executables.py", "toolchains.py"], "files that say how Go builds")
