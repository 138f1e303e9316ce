#!/usr/bin/env python3
"""Writes src/base/unicode_table.h from what Python knows of Unicode:

    python3 tests/unicode.py >src/base/unicode_table.h

Characters that are not shown as they are: control and format characters (those that turn text around
are among them), separators of lines, surrogates, private and unassigned ones, and those that Unicode
calls ignorable by default. Marks go onto the character before them. Wide ones take two columns.
"""

import sys
import textwrap
import unicodedata

HIDDEN, MARK, WIDE = "hidden_ranges", "mark_ranges", "wide_ranges"
COLUMNS = 100

# Ignorable by default though no format characters: PropList.txt, Other_Default_Ignorable_Code_Point,
# and the variation selectors. Python does not know this property.
IGNORABLE = [
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF),
]


def kind(code):
    character = chr(code)
    category = unicodedata.category(character)
    # U+FFFD: stands for what cannot be decoded.
    if category[0] == "C" or category in ("Zl", "Zp") or code == 0xFFFD:
        return HIDDEN
    if any(first <= code <= last for first, last in IGNORABLE):
        return HIDDEN
    # Vowels and final consonants of Hangul in its parts go into the syllable that has begun.
    if category in ("Mn", "Me") or 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:
        return MARK
    return WIDE if unicodedata.east_asian_width(character) in "WF" else None


def ranges(wanted):
    """(first, last) of all characters of a kind, ascending."""
    found = []
    for code in range(0x110000):
        if kind(code) != wanted:
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def array(name):
    words = [f"{{{first:#x},{last:#x}}}," for first, last in ranges(name)]
    body = textwrap.fill(" ".join(words), COLUMNS - 8)
    return f"static const struct range {name}[] = {{\n{body}\n}};\n"


RANGE = "#include <stdint.h>\n\nstruct range {\n\tuint32_t first, last;\n};\n"


def table():
    head = f"/* Unicode {unicodedata.unidata_version}. Written by tests/unicode.py: not to be edited. */\n"
    arrays = "".join(array(name) for name in (HIDDEN, MARK, WIDE))
    return f"{head}{RANGE}/* clang-format off */\n{arrays}/* clang-format on */\n"


if __name__ == "__main__":
    sys.stdout.write(table())
