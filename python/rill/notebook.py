"""The dashboard in notebooks: `%load_ext rill.notebook` and then `%tensorboard --logdir logs`, or from a program

    board = rill.notebook.start("logs")
    board.display()

`%load_ext tensorboard` does the same where TensorBoard is not installed."""

import atexit as _atexit
import html as _html
import re as _re
import shlex as _shlex
import subprocess as _subprocess

from rill._command import program as _program

_running = {}  # by their flags


class Board:
    """A dashboard in a process of its own, until it is stopped or this program ends."""

    def __init__(self, *flags):
        self.flags = flags
        command = [_program(), "board", *flags]
        if not any(flag.partition("=")[0] == "--port" for flag in flags):
            command += ["--port", "0"]
        self._process = _subprocess.Popen(command, stderr=_subprocess.PIPE, text=True)
        lines = []
        for line in self._process.stderr:
            lines.append(line)
            if found := _re.search(r" at (http\S+)", line):
                self.url = found[1]
                return
        raise RuntimeError("".join(lines).strip() or "the dashboard did not start")

    def stop(self):
        """Ends it; again does nothing."""
        self._process.terminate()
        self._process.wait()
        self._process.stderr.close()

    @property
    def is_running(self):
        return self._process.poll() is None

    def _repr_html_(self, height=800):
        return (f'<iframe src="{_html.escape(self.url)}" width="100%" height="{int(height)}" frameborder="0"></iframe>'
                f'<p><a href="{_html.escape(self.url)}" target="_blank">{_html.escape(self.url)}</a></p>')

    def display(self, height=800):
        """Shows it below the cell."""
        from IPython.display import HTML, display
        display(HTML(self._repr_html_(height)))


def start(args_string="", *, logdir=None, height=800):
    """A dashboard with these flags, one that runs already or a new one; shown when this is a notebook.

    `args_string` is a command line, "--logdir logs", or a directory alone.
    """
    words = _shlex.split(args_string)
    if logdir is not None:
        words += ["--logdir", str(logdir)]
    elif len(words) == 1 and not words[0].startswith("-"):
        words.insert(0, "--logdir")
    board = _running.get(tuple(words))
    if board is None or not board.is_running:
        board = _running[tuple(words)] = Board(*words)
    if _in_notebook():
        board.display(height)
    return board


def display(port=None, height=800):
    """Shows one that runs: the last, or that at this port."""
    boards = [board for board in _running.values() if board.is_running and (port is None or f":{port}/" in board.url)]
    if not boards:
        raise RuntimeError("no dashboard is running")
    boards[-1].display(height)


def list():  # noqa: A001 (TensorBoard's name)
    """Prints those that run."""
    for board in _running.values():
        if board.is_running:
            print(f"{board.url}  {_shlex.join(board.flags)}")


def _in_notebook():
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return get_ipython() is not None


def load_ipython_extension(ipython):
    """Of `%load_ext`: the magics %tensorboard and %board."""
    def magic(line):
        start(line)
    for name in ("tensorboard", "board"):
        ipython.register_magic_function(magic, "line", name)


@_atexit.register
def _stop_all():
    for board in _running.values():
        if board.is_running:
            board.stop()
