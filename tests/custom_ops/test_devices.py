"""A library adds a device whose memory the host may not touch; programs train on it unchanged."""
import subprocess

from building import ROOT, Compiler, run_shell


def test_training_on_a_device_of_a_library(tmp_path):
    compiler = Compiler(tmp_path)
    compiler.start("stand_in.cc", 20, f"-I{ROOT}")
    library = compiler.result("stand_in.cc")
    program = ROOT / "tests" / "custom_ops" / "stand_in_program.py"
    done: subprocess.CompletedProcess = run_shell(f"python {program} {library} {tmp_path}", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "/job:localhost/replica:0/task:0/device:STANDIN:1" in lines[0]
    assert lines[1].count("STANDIN") == 4  # name and type of two
    assert lines[2:] == [
        f"{name} losses True values True restored True updates ['STANDIN:0']"
        for name in ("sgd", "momentum", "adam")]
