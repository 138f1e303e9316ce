"""Executables that are not whole: what cannot be read of them is said, and what they claim to unpack
to is bounded."""

import contextlib
import functools
import random

import survive
from elf import Elf
from executables import dump_of, exe_of
from harness import ONE, answer, equal, run, test


@functools.lru_cache(maxsize=1)
def whole():
    with open(exe_of(ONE), "rb") as file:
        return file.read()


@functools.lru_cache(maxsize=1)
def unpacked():
    return bytes(Elf(whole()).unpack().bytes)


@contextlib.contextmanager
def exe(content):
    with survive.file_of(content, ".exe") as file:
        yield file.name


def damage(content):
    """What info says is wrong with it, in all its forms."""
    with exe(content) as path:
        info = answer("info", dump_of(ONE), path)
        equal(info["executable"], path, "executable")
        said = info["executable_damage"]
        report = run("info", dump_of(ONE), path, expect=0)
        assert (said or "") in report.out, report
        assert said is None or said.isprintable(), said
        screen = run(dump_of(ONE), path, "-e", "overview", expect=0)
        equal(" is damaged: " in screen.out, bool(said), "the explorer says that it is damaged")
        return said


def objects(content):
    with exe(content) as path:
        return run("list", "objects", dump_of(ONE), "--exe", path, "--csv", expect=0).raw_out


def changed(name, change, packed=True):
    elf = Elf(whole() if packed else unpacked())
    offset, size = elf.place(name)
    elf.bytes[offset : offset + size] = change(elf.bytes[offset : offset + size])
    return bytes(elf.bytes)


@test(builds=["gcc", "sanitize"])
def a_whole_executable_is_not_damaged():
    equal(damage(whole()), None, "damage")
    equal(damage(unpacked()), None, "damage of the same, unpacked")
    equal(objects(unpacked()), objects(whole()), "objects")


@test(builds=["gcc", "sanitize"])
def debug_information_of_zeros_is_told():
    said = damage(changed(".debug_info", lambda data: data[:24] + bytes(len(data) - 24)))
    assert ".debug_info cannot be unpacked" in said, said
    said = damage(changed(".debug_info", lambda data: bytes(len(data)), packed=False))
    assert ".debug_info" in said or "unit" in said, said


@test(builds=["gcc", "sanitize"])
def a_changed_byte_of_a_compressed_section_is_told():
    chance = random.Random(1)
    for name in Elf(whole()).packed():
        def flip(data):
            data[chance.randrange(24, len(data))] ^= 1 << chance.randrange(8)
            return data
        said = damage(changed(name, flip))
        assert f"{name} cannot be unpacked" in said, said


@test(builds=["gcc"])
def a_hole_in_the_debug_information_is_told():
    right = objects(unpacked())
    chance = random.Random(2)
    for _ in range(12):
        def hole(data):
            start, size = chance.randrange(len(data) - 4096), chance.choice((512, 4096))
            data[start : start + size] = bytes(size)
            return data
        content = changed(".debug_info", hole, packed=False)
        assert damage(content) or objects(content) == right, "types are others, without a word"


@test(builds=["gcc", "sanitize"])
def lost_names_are_told():
    def half(data):
        data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
        return data
    assert "symbols cannot be read" in damage(changed(".symtab", half))
    assert "symbols cannot be read" in damage(changed(".strtab", half))


@test(builds=["gcc"])
def what_sections_claim_to_unpack_to_is_bounded():
    for size in (1 << 28, 1 << 40, (1 << 64) - 1):
        elf = Elf(whole())
        elf.say_size(".debug_info", size)
        with exe(elf.bytes) as path:
            result = survive.measured("info", "--json", dump_of(ONE), path)
        assert "more than eight times the file" in result.out, result
        assert result.memory < 200 << 20, f"{result.memory} bytes"
