"""Errors of functions that are being built tell where in the program they are."""

import linecache
import os
import traceback

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PLAIN = (AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError, StopIteration, TypeError,
          UnboundLocalError, ValueError, ZeroDivisionError, IndexError)


def _frames(error):
    """The frames of the program, outermost first, with what tells converted ones."""
    from rill.autograph import _api
    frames = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code.co_filename.startswith(_HERE + os.sep):
            continue
        name = code.co_name
        parts = name.rpartition("_")
        if parts[0] in ("if_body", "else_body", "loop_body", "loop_test", "get_state", "set_state") or name == "<lambda>":
            name = None
        frames.append((code.co_filename, line, name, _api.is_converted_code(code)))
    return _joined(frames)


def _joined(frames):
    """Parts of one function become one frame: the innermost line counts."""
    made = []
    for filename, line, name, converted in frames:
        if name is None and made and made[-1][0] == filename:
            made[-1] = (filename, line, made[-1][2], True)
        else:
            made.append((filename, line, name or "<lambda>", converted))
    return made


def _text(frames):
    lines = []
    for filename, line, name, converted in frames:
        lines.append(f'    File "{filename}", line {line}, in {name}' + ("  *" if converted else ""))
        source = linecache.getline(filename, line).strip()
        if source:
            lines.append(f"        {source}")
    return "\n".join(lines)


def told(error):
    """The error with the lines of the program in its message; itself where it cannot have another message."""
    if getattr(error, "_tells_lines", False):
        return error
    if type(error) not in _PLAIN and not hasattr(error, "_with_message"):
        return error
    frames = _frames(error)
    if not any(converted for *_, converted in frames):
        return error
    message = f"in user code:\n\n{_text(frames)}\n\n    {type(error).__name__}: {_indented(str(error))}\n"
    made = type(error)(message) if type(error) in _PLAIN else error._with_message(message)
    made._tells_lines = True
    return made


def _indented(text):
    return text.replace("\n", "\n    ")
