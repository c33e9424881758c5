"""Input pipelines take no more memory after a hundred epochs than after the first ones."""
import pathlib
import subprocess
import sys

import pytest

WORKER = pathlib.Path(__file__).with_name("pipeline_memory.py")
ALLOWED = 8 << 10  # KiB; one batch of every epoch, kept, would be more than twice that


def growth(form, folder, *more):
    done = subprocess.run([sys.executable, WORKER, form, folder, *more], check=True, text=True, timeout=300,
                          stdout=subprocess.PIPE)
    warm, end = map(int, done.stdout.split())
    return end - warm


@pytest.mark.parametrize("form", ["records", "slices", "mapped", "generated"])
def test_memory_stays_the_same_over_epochs(form, tmp_path):
    assert growth(form, tmp_path) < ALLOWED


def test_a_batch_kept_in_every_epoch_would_be_seen(tmp_path):
    assert growth("mapped", tmp_path, "leaking") > 2 * ALLOWED
