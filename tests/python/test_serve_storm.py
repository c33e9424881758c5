"""Everything at once: reloads, attacks, overload, clients that leave, kill -9 and new starts."""
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import serve_overload
import serve_storm
import serving

pytestmark = pytest.mark.skipif(not serving.LOAD.exists(), reason="the load generator is not built")


@pytest.mark.slow
def test_a_moment_of_everything(tmp_path):
    assert serve_storm.faults(serve_storm.storm(tmp_path, 20)) == []


@pytest.mark.long
@pytest.mark.parametrize("minutes", [1, 10])
def test_minutes_of_everything(tmp_path, minutes):
    assert serve_storm.faults(serve_storm.storm(tmp_path, 60 * minutes)) == []


@pytest.mark.slow
def test_ten_times_as_much_as_it_can(tmp_path):
    """Half of the ideal is a bound that a busy machine keeps; bench/serve_overload.py measures."""
    found = serve_overload.measure(tmp_path, seconds=3, deadline_ms=250, times=[1, 3, 10])
    for factor, report in found["reports"].items():
        assert report["in_time_rate"] > 0.5 * found["ideal"], (factor, found)
    assert found["reports"][10]["failed"] > found["reports"][10]["in_time"]
    assert found["exit_status"] == 0
