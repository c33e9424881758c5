"""A job that is killed and started again reads on with the very next element after its checkpoint."""
import pathlib
import signal
import subprocess
import sys

JOB = pathlib.Path(__file__).with_name("pipeline_job.py")
STEPS = 60


def run(folder, *more):
    return subprocess.run([sys.executable, JOB, folder, str(STEPS), *map(str, more)], timeout=120).returncode


def lines(folder):
    return (folder / "log").read_text().splitlines()


def test_what_follows_a_kill_is_what_would_have_followed(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    assert run(whole) == 0
    undisturbed = lines(whole)
    assert [int(line.split()[0]) for line in undisturbed] == list(range(1, STEPS + 1))

    # Checkpoints are made after every seventh step.
    assert run(killed, 17) == -signal.SIGKILL
    assert run(killed, 33) == -signal.SIGKILL
    assert run(killed) == 0
    assert lines(killed) == undisturbed[:17] + undisturbed[14:33] + undisturbed[28:]
    # What comes differs from what came, so beginning anew would be seen.
    assert undisturbed[14].split()[2:] != undisturbed[0].split()[2:]
