"""A program that `rill debug` started: RILL_DEBUG says how it is talked to, RILL_DEBUG_RECORD how many runs are
recorded instead of stopping at each."""

import atexit
import os

from rill import _rill
from rill._tfdbg_eval import evaluate


def _start():
    ui_type = "readline" if os.environ["RILL_DEBUG"] == "readline" else "curses"
    runs = os.environ.get("RILL_DEBUG_RECORD", "")
    if not runs.isdigit() or int(runs) == 0:
        _rill.observe_main_thread(_rill.command_line_observer(ui_type, "", "", evaluate))
        return
    recorder = _rill.run_recorder(ui_type, "", int(runs), evaluate)
    _rill.observe_main_thread(recorder)
    atexit.register(recorder.look_back)


_start()
