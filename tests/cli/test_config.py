"""The commands of the config file, read by `source`: keys, colors, and what is wrong in a file."""

import os
import pathlib
import tempfile

from harness import ONE, equal, run, test, unpacked


def sourced(content, *commands, expect=0):
    """The program after a file of commands has run, and then commands."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "config"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        result = run(unpacked(ONE), "-e", f"source {file}", *(word for line in commands for word in ("-e", line)),
                     expect=expect)
        return result.out + result.err.replace(str(file), "FILE")


@test
def keys_run_one_command_or_several():
    out = sourced("# keys\n\n  key F5 objects; sort size; last\r\nkey J down 3\n", "keys F5", "screen")
    assert "▼size" in out and "10,734 of" not in out, out
    assert "4 of 10,734" in sourced("key J down 3", "objects", "keys J", "what")
    assert "J does nothing here" in sourced("", "objects", "keys J", expect=1)


@test
def a_key_that_means_itself_has_its_old_meaning():
    assert "2 of 10,734" in sourced("key j keys j", "objects", "keys j", "what")


@test
def a_key_may_bind_itself_anew():
    out = sourced("key x key x types; objects", "keys x", "keys x")
    assert "all objects" in out, out


@test
def own_keys_are_on_the_help_screen_and_replace_hints():
    out = sourced("key s types\nkey M-x \x1b[31m", "objects", "screen", "help", "search Your keys", "screen")
    assert "s sort" not in out and "Your keys" in out, out
    assert "\x1b" not in out, out


@test
def the_first_mistake_is_reported_and_the_others_counted():
    out = sourced("color link red\nnonsense\nkey ab down\ncolor link puce\nkey q objects\n", expect=1)
    assert 'FILE, line 2: There is no command "nonsense"' in out and "2 more lines are wrong" in out, out


@test(each=(
    ("color nosuch red", "style"), ("color link", "Give a style"), ("color", "Give a style"),
    ("color link red blue green", "attribute"), ("color link 256", "color"), ("color link -1", "color"),
    ("color link red bold blue", "attribute"), ("key", "Give a key"), ("key q", "Give a key"),
    ("key nokey down", "no key"), ("key F13 down", "no key"), ("key F0 down", "no key"), ("key ^ab down", "no key"),
    ("key \x01 down", "no key"), ("source /dev/null", "not in a file"),
))
def what_is_wrong_is_told(case):
    line, why = case
    out = sourced(line, expect=1)
    assert why in out and "line 1" in out, out
    equal([c for c in out if ord(c) < 32 and c != "\n"], [], "control characters")


@test(each=("F1", "F12", "^A", "Space", "é", "PageUp", "M-x", "Enter", "Tab", "1", "WheelUp"))
def these_are_keys(key):
    sourced(f"key {key} overview")


@test
def all_styles_and_colors_are_taken():
    styles = "plain faint head link warning guess bar match address block block-next grew new shrank waste".split()
    colors = "default black red green yellow blue magenta cyan white 0 255".split()
    sourced("".join(f"color {style} {color} default bold underline\n" for style in styles for color in colors))


@test
def files_that_are_none_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/pipe")
        pathlib.Path(f"{folder}/huge").write_bytes(b"# x\n" * 20000)
        pathlib.Path(f"{folder}/zero").write_bytes(b"objects\n\0types\n")
        os.symlink(f"{folder}/absent", f"{folder}/link")
        pathlib.Path(f"{folder}/\x1b[31m").write_text("types")
        for name, why in (("pipe", "regular"), (".", "regular"), ("huge", "too long"), ("zero", "byte 0"),
                          ("link", "No such file"), ("absent", "No such file")):
            result = run(unpacked(ONE), "-e", f"source {folder}/{name}", expect=1)
            assert why in result.err, result
        assert "\x1b" not in run(unpacked(ONE), "-e", f"source {folder}/\x1b[31mx", expect=1).err


@test
def scripts_do_not_read_the_config_file():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/goheapx")
        pathlib.Path(f"{folder}/goheapx/config").write_text("nonsense\ntypes")
        environment = {"XDG_CONFIG_HOME": folder}
        equal(run(unpacked(ONE), "-e", "what", environment=environment, expect=0).err, "", "stderr")
        assert "line 1" in run(unpacked(ONE), "-e", "source", environment=environment, expect=1).err
