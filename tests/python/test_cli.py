"""The `rill` command: what it prints and how it ends."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTS = ROOT / "tests" / "facts"


def rill(*arguments, **environment):
    return subprocess.run([ROOT / "bin" / "rill", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment})


def test_help_names_every_command():
    done = rill("help")
    assert done.returncode == 0
    source = (ROOT / "rill/cli/command.h").read_text()
    declared = re.search(r"extern const Command ([\w\s,]*);", source)[1]
    commands = [re.sub("(?<=[a-z])(?=[A-Z])", "_", name.strip().removeprefix("k")).lower() for name in declared.split(",")]
    assert sorted(re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE)) == sorted([*commands, "help"])


def test_every_file_with_a_command_declares_it():
    defined = {name for path in (ROOT / "rill/cli").glob("*.cc")
               for name in re.findall(r"^(?:extern )?const Command (k\w+)\{", path.read_text(), re.MULTILINE)}
    source = (ROOT / "rill/cli/command.h").read_text()
    assert defined == set(re.findall(r"\bk[A-Z]\w+", source.split("extern const Command")[1].split(";")[0]))


def test_help_of_one_command():
    assert rill("help", "ops").stdout.startswith("Usage: rill ops")


def test_help_tells_the_usage_of_every_command():
    for command in re.findall(r"^  (\w+) ", rill("help").stdout, re.MULTILINE):
        if command != "help":
            usage = rill("help", command).stdout
            assert usage.startswith(f"Usage: rill {command}")
            for asked in ("--help", "-h"):
                done = rill(command, asked)
                assert (done.returncode, done.stdout, done.stderr) == (0, usage, "")
    assert rill("help", "--help").stdout == rill("--help").stdout == rill("help").stdout
    assert "--rest_api_port" in rill("serve", "--help").stdout


def test_help_behind_a_program_is_the_programs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys; print(sys.argv[1:])")
    assert rill("run", str(program), "--help").stdout == "['--help']\n"


def test_show_of_a_folder_with_event_files(tmp_path):
    program = (
        "import tensorflow as tf, sys\n"
        "for run in ('train', 'eval'):\n"
        "    with tf.summary.FileWriter(sys.argv[1] + '/' + run) as writer:\n"
        "        for step in range(3):\n"
        "            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag='loss', simple_value=step)]), step)\n")
    assert rill("run", "-c", program, str(tmp_path)).returncode == 0
    done = rill("show", str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.count("loss  simple_value, 3 times, steps 0 to 2, last 2") == 2
    assert "/train/events" in done.stdout and "/eval/events" in done.stdout
    done = rill("show", str(tmp_path / "train"))
    assert done.returncode == 0 and done.stdout.count("loss  simple_value") == 1
    (tmp_path / "empty").mkdir()
    done = rill("show", str(tmp_path / "empty"))
    assert done.returncode == 1 and "without a SavedModel, a checkpoint or event files" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("help", "nonsense"), ("run",),
                                       ("config",), ("ops", "--nonsense"), ("ops", "--json"),
                                       ("ops", "nonsense")])
def test_a_wrong_command_line_ends_with_2(arguments):
    done = rill(*arguments)
    assert done.returncode == 2
    assert done.stdout == "" and done.stderr != ""


def test_python_starts_it_too():
    asked = subprocess.run([sys.executable, "-m", "rill", "version"], cwd=ROOT, capture_output=True, text=True,
                           env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert asked.returncode == 0 and asked.stdout == rill("version").stdout


def test_version():
    done = rill("version")
    assert done.returncode == 0 and done.stdout.startswith("rill ")
    assert rill("--version").stdout == done.stdout
    assert rill("config", "--version").stdout.strip() in done.stdout


def test_config_names_folders_that_exist():
    flags = shlex.split(rill("config", "--cflags", "--libs").stdout)
    assert "-std=c++20" in flags and "-lrill" in flags
    folders = [flag[2:] for flag in flags if flag[:2] in ("-I", "-L")]
    for header in ("rill/graph/graph.h", "tensorflow/core/framework/op_kernel.h",
                   "tensorflow/core/framework/graph.pb.h", "unsupported/Eigen/CXX11/Tensor"):
        assert any((pathlib.Path(folder) / header).exists() for folder in folders), header
    assert any((pathlib.Path(folder) / "librill.so").exists() for folder in folders)
    assert any((pathlib.Path(folder) / "tensorflow/core/framework/graph.pb.h").exists()
               for folder in folders)


def test_ops_are_listed():
    assert "Identity" in rill("ops").stdout.splitlines()


def test_opdef_is_protobuf_text():
    text = rill("ops", "--opdef", "Identity").stdout
    assert 'name: "Identity"' in text and 'type_attr: "T"' in text
    unknown = rill("ops", "--opdef", "NoSuchOp")
    assert unknown.returncode == 1 and "NoSuchOp" in unknown.stderr


def test_coverage_as_table_and_json_agree():
    table = rill("ops", "--coverage", FACTS, "--missing").stdout
    numbers = json.loads(rill("ops", "--coverage", FACTS, "--json").stdout)
    total = numbers["total"]
    counted, aside = total["declared"]["of"], total["set_aside"]
    assert counted + len(aside) == 1265
    assert total["declared"]["have"] + len(total["declared"]["missing"]) == counted
    assert f"{total['declared']['have']} / {counted}" in table
    assert "CudnnRNN" in aside and "CudnnRNN" in table.split("set aside")[1]
    assert not any(op.startswith(("Quantize", "Requantize")) for op in aside)
    assert sum(f["shape"]["have"] for f in numbers["families"].values()) == total["shape"]["have"]
    assert "\033[" not in table


def test_coverage_knows_its_tables():
    assert rill("ops", "--coverage").stdout == rill("ops", "--coverage", FACTS).stdout


def test_coverage_without_tables_says_which_file():
    done = rill("ops", "--coverage", "no_such_folder")
    assert done.returncode == 1 and "no_such_folder" in done.stderr


def test_run_passes_arguments_and_status_on():
    code = "import sys; print(sys.argv[1:]); sys.exit(3)"
    done = rill("run", "-c", code, "a", "b c")
    assert done.returncode == 3 and done.stdout.strip() == "['a', 'b c']"


def test_run_without_python_says_how_to_name_one():
    done = rill("run", "x.py", RILL_PYTHON="/no/such/python")
    assert done.returncode == 1 and "RILL_PYTHON" in done.stderr
