"""No test may wait without a limit."""

import faulthandler
import os
import signal
import threading

import pytest

# Seconds of one test, by its marker. RILL_TEST_SECONDS says otherwise for all of them.
_LIMITS = {"long": 7200, "slow": 900}
_USUAL_LIMIT = 300
_GRACE = 60  # then the process ends, where the test does not come back to Python

_stderr = 2


def pytest_configure():
    global _stderr
    _stderr = os.dup(2)  # nothing is captured yet


def _limit(item):
    if "RILL_TEST_SECONDS" in os.environ:
        return float(os.environ["RILL_TEST_SECONDS"])
    return max((seconds for name, seconds in _LIMITS.items() if item.get_closest_marker(name)),
               default=_USUAL_LIMIT)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Ends a test that takes longer than it may, shows what its threads do, and fails it."""
    limit = _limit(item)

    def end_test(*_):
        os.write(_stderr, f"\n{item.nodeid} took longer than {limit:g} s. What its threads do:\n".encode())
        faulthandler.dump_traceback(_stderr, all_threads=True)
        pytest.fail(f"took longer than {limit:g} s")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, end_test)
    signal.setitimer(signal.ITIMER_REAL, limit)
    faulthandler.dump_traceback_later(limit + _GRACE, exit=True, file=_stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
