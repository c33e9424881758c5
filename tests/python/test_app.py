"""tf.app, tf.flags and tf.logging."""
import enum
import logging
import subprocess
import sys

import pytest

import rill as tf
from rill import flags


@pytest.fixture
def values():
    return flags.FlagValues()


def define_all(values):
    flags.DEFINE_string("name", "x", "a name", flag_values=values)
    flags.DEFINE_integer("steps", 10, "steps", lower_bound=0, flag_values=values, short_name="s")
    flags.DEFINE_float("rate", 0.1, "rate", upper_bound=1.0, flag_values=values)
    flags.DEFINE_boolean("train", False, "train", flag_values=values)
    flags.DEFINE_enum("mode", "a", ["a", "b"], "mode", flag_values=values)
    flags.DEFINE_list("layers", ["1"], "layers", flag_values=values)
    flags.DEFINE_spaceseplist("words", None, "words", flag_values=values)
    flags.DEFINE_multi_string("tag", [], "tags", flag_values=values)
    flags.DEFINE_multi_integer("number", None, "numbers", flag_values=values)
    flags.DEFINE_multi_float("weight", None, "weights", flag_values=values)
    flags.DEFINE_multi_enum("choice", None, ["p", "q"], "choices", flag_values=values)
    return values


def test_defaults(values):
    define_all(values)(["prog"])
    assert (values.name, values.steps, values.rate, values.train, values.mode, values.layers) == \
        ("x", 10, 0.1, False, "a", ["1"])
    assert values.words is None and values.tag == [] and values.number is None


def test_every_way_to_give_a_value(values):
    define_all(values)
    rest = values(["prog", "--name=y", "--steps", "5", "-rate=0.5", "--train", "left", "--mode=b",
                   "--layers=1,\"2,3\", 4", "--words=a b", "--tag=u", "--tag", "v", "--number=1", "--number=0x10",
                   "--weight=2", "--choice=q", "--", "--name=z"])
    assert rest == ["prog", "left", "--name=z"]
    assert (values.name, values.steps, values.rate, values.train, values.mode) == ("y", 5, 0.5, True, "b")
    assert values.layers == ["1", "2,3", "4"] and values.words == ["a", "b"] and values.tag == ["u", "v"]
    assert values.number == [1, 16] and values.weight == [2.0] and values.choice == ["q"]


@pytest.mark.parametrize("words, truth", [(["--train"], True), (["--notrain"], False), (["--train=true"], True),
                                          (["--train=0"], False), (["--train=F"], False), (["-train"], True)])
def test_booleans(values, words, truth):
    define_all(values)(["prog", *words])
    assert values.train is truth


def test_short_names_and_aliases(values):
    define_all(values)
    flags.DEFINE_alias("epochs", "steps", flag_values=values)
    values(["prog", "-s", "3"])
    assert values.steps == 3 and values.epochs == 3
    values(["prog", "--epochs=4"])
    assert values.steps == 4


@pytest.mark.parametrize("word, text", [
    ("--steps=x", "flag --steps=x: invalid literal for int() with base 10: 'x'"),
    ("--steps=-1", "flag --steps=-1: -1 is not a non-negative integer"),
    ("--rate=2", "flag --rate=2: 2.0 is not a number <= 1.0"),
    ("--train=maybe", "flag --train=maybe: Non-boolean argument to boolean flag"),
    ("--mode=c", "flag --mode=c: value should be one of <a|b>"),
    ("--notrain=1", "flag --notrain=1"),
])
def test_illegal_values(values, word, text):
    with pytest.raises(flags.IllegalFlagValueError) as error:
        define_all(values)(["prog", word])
    assert str(error.value).startswith(text)


def test_unknown_flags(values):
    define_all(values)
    with pytest.raises(flags.UnrecognizedFlagError, match="Unknown command line flag 'stepz'. Did you mean: steps"):
        values(["prog", "--stepz=1"])
    assert values(["prog", "--stepz=1", "--steps=2"], known_only=True) == ["prog", "--stepz=1"]
    assert values.steps == 2
    assert values(["prog", "--stepz=1", "--undefok=stepz"]) == ["prog"]


def test_a_value_that_is_not_there(values):
    with pytest.raises(flags.Error, match="Missing value for flag --name"):
        define_all(values)(["prog", "--name"])


def test_flag_files(values, tmp_path):
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.write_text("--steps=7\n")
    outer.write_text(f"# a comment\n// another\n\n--name=filed\n--flagfile={inner}\n")
    define_all(values)(["prog", f"--flagfile={outer}", "--rate=0.2"])
    assert (values.name, values.steps, values.rate) == ("filed", 7, 0.2)
    inner.write_text(f"--flagfile={outer}\n")
    with pytest.raises(flags.CantOpenFlagFileError):
        values(["prog", f"--flagfile={outer}"])
    with pytest.raises(flags.CantOpenFlagFileError):
        values(["prog", "--flagfile=/no/such/file"])


def test_setting_and_looking(values):
    define_all(values)(["prog", "--name=y"])
    values.steps = 99
    assert values.steps == 99 and values["name"].present == 1 and not values["steps"].using_default_value
    assert values.flag_values_dict()["name"] == "y" and "name" in values and len(values) == 12
    with pytest.raises(AttributeError):
        values.nonsense
    with pytest.raises(AttributeError):
        values.nonsense = 1
    values.set_default("rate", 0.7)
    assert values.rate == 0.7
    assert "--name=y\n" in values.flags_into_string()
    values.unparse_flags()
    assert not values.is_parsed() and values["name"].value == "x"


def test_validators(values):
    define_all(values)
    flags.register_validator("steps", lambda v: v % 2 == 0, "must be even", values)
    flags.mark_flag_as_required("words", values)
    with pytest.raises(flags.IllegalFlagValueError, match="flag --words=None: Flag --words must have a value"):
        values(["prog"])
    values(["prog", "--words=a"])
    with pytest.raises(flags.IllegalFlagValueError, match="flag --steps=3: must be even"):
        values.steps = 3
    assert values.steps == 10
    flags.mark_bool_flags_as_mutual_exclusive(["train"], required=True, flag_values=values)
    with pytest.raises(flags.IllegalFlagValueError, match="Exactly one of"):
        values(["prog", "--words=a"])


def test_a_name_is_defined_once(values):
    define_all(values)
    with pytest.raises(flags.DuplicateFlagError, match="The flag 'name' is defined twice"):
        flags.DEFINE_string("name", "", "again", flag_values=values)


def test_enum_classes(values):
    class Color(enum.Enum):
        RED = 1
        BLUE = 2
    flags.DEFINE_enum_class("color", Color.RED, Color, "colour", flag_values=values)
    values(["prog", "--color=BLUE"])
    assert values.color is Color.BLUE
    with pytest.raises(flags.IllegalFlagValueError, match="RED|BLUE"):
        values(["prog", "--color=GREEN"])


def test_names_of_arguments_before_1_5(values):
    flags.DEFINE_string(flag_name="old", default_value="v", docstring="help", flag_values=values)
    assert values(["prog"]) == ["prog"] and values.old == "v"


def test_the_public_modules_are_one():
    assert tf.app.flags is tf.flags and tf.app.flags.FLAGS is flags.FLAGS and tf.flags.DEFINE_bool is flags.DEFINE_boolean


PROGRAM = """
import sys
import tensorflow as tf
tf.app.flags.DEFINE_integer('steps', 3, 'how many steps')
tf.app.flags.DEFINE_boolean('fast', False, 'no waiting')
FLAGS = tf.app.flags.FLAGS
def main(argv):
    print(FLAGS.steps, FLAGS.fast, argv[1:])
    return 5
if __name__ == '__main__':
    tf.app.run()
"""


def run(program, *words):
    return subprocess.run([sys.executable, str(program), *words], capture_output=True, text=True)


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def test_run_reads_flags_and_ends_with_what_main_returns(program):
    done = run(program, "--steps=7", "rest", "--fast", "--unknown=1")
    assert (done.returncode, done.stdout.strip()) == (5, "7 True ['rest', '--unknown=1']")


def test_run_complains_about_wrong_values(program):
    done = run(program, "--steps=many")
    assert done.returncode == 1 and "FATAL Flags parsing error: flag --steps=many" in done.stderr


def test_help(program):
    done = run(program, "--help")
    assert done.returncode == 1
    assert "--steps: how many steps" in done.stdout and "(default: '3')" in done.stdout
    assert "--[no]fast: no waiting" in done.stdout and "(an integer)" in done.stdout


def test_flags_are_read_when_first_looked_at(tmp_path):
    path = tmp_path / "late.py"
    path.write_text("import tensorflow as tf\ntf.flags.DEFINE_string('a', 'b', '')\nprint(tf.flags.FLAGS.a)\n")
    assert run(path, "--a=c").stdout.strip() == "c"
    assert "UnrecognizedFlagError" in run(path, "--z=c").stderr


# --- logging


@pytest.fixture
def lines(caplog):
    before = tf.logging.get_verbosity()
    logging.getLogger("tensorflow").propagate = True
    yield caplog
    tf.logging.set_verbosity(before)


def test_verbosity_decides_what_is_said(lines):
    tf.logging.set_verbosity(tf.logging.INFO)
    assert tf.logging.get_verbosity() == 20
    for say in (tf.logging.debug, tf.logging.info, tf.logging.warn, tf.logging.warning, tf.logging.error,
                tf.logging.fatal):
        say("%s here", say.__name__)
    assert [record.getMessage() for record in lines.records] == [
        "info here", "warn here", "warning here", "error here", "fatal here"]
    assert {record.filename for record in lines.records} == {"test_app.py"}
    tf.logging.set_verbosity("ERROR")
    assert tf.logging.get_verbosity() == tf.logging.ERROR


def test_counted_messages(lines):
    tf.logging.set_verbosity(tf.logging.DEBUG)
    for i in range(7):
        tf.logging.log_every_n(tf.logging.INFO, "every %d", 3, i)
        tf.logging.log_first_n(tf.logging.INFO, "first %d", 2, i)
        tf.logging.log_if(tf.logging.WARN, "if %d", i == 5, i)
    said = [record.getMessage() for record in lines.records]
    assert said == ["every 0", "first 0", "first 1", "every 3", "if 5", "every 6"]


def test_levels_and_other_names(lines):
    tf.logging.set_verbosity(tf.logging.DEBUG)
    tf.logging.log(tf.logging.ERROR, "a")
    tf.logging.vlog(tf.logging.DEBUG, "b")
    tf.logging.TaskLevelStatusMessage("c")
    assert [record.levelno for record in lines.records] == [40, 10, 40]
    with pytest.raises(NotImplementedError):
        tf.logging.flush()


def test_format_of_a_line():
    code = ("import tensorflow as tf\ntf.logging.info('quiet')\ntf.logging.warn('loud %d', 3)\n"
            "tf.logging.set_verbosity(tf.logging.INFO)\ntf.logging.info('now')\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == "WARNING:tensorflow:loud 3\nINFO:tensorflow:now\n"
