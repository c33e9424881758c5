"""Requests of every kind beside full load: nothing may fail, and for ten minutes the server may not grow."""
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import serve_soak
import serving

pytestmark = pytest.mark.skipif(not serving.LOAD.exists(), reason="the load generator is not built")


def test_everything_at_once(tmp_path):
    assert serve_soak.faults(serve_soak.soak(tmp_path, 3)) == []


@pytest.mark.long
def test_the_server_stays_as_large_as_it_was(tmp_path):
    found = serve_soak.soak(tmp_path, 600)
    assert serve_soak.faults(found) == []
    assert serve_soak.growth(found["curve"]) < 0.05
