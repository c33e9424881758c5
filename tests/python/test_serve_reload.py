"""Reload under fire: versions come and go, some of them broken, while clients ask. Nobody may notice."""
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import serve_reload
import serving

pytestmark = pytest.mark.skipif(not serving.LOAD.exists(), reason="the load generator is not built")


def test_versions_come_and_go_under_load(tmp_path):
    found = serve_reload.under_full_load(tmp_path, seconds=4, connections=16, period=0.5, break_every=3)
    assert serve_reload.faults(found) == []
    assert all(report["requests"] > 100 for report in found["reports"].values())


@pytest.mark.long
def test_versions_come_and_go_for_a_minute(tmp_path):
    found = serve_reload.under_full_load(tmp_path, seconds=60, connections=64)
    assert serve_reload.faults(found) == []
    assert all(len(report["versions"]) > 30 for report in found["reports"].values())


@pytest.mark.long
def test_latencies_and_memory_stay(tmp_path):
    found = serve_reload.at_a_steady_rate(tmp_path, seconds=60, connections=64)
    assert serve_reload.show_steady(found)
