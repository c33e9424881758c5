"""What input functions give, and how C++ tells the parts of it apart."""

import functools

from rill import _rill
from rill.data import _dataset, _structure


def _features_and_labels(result):
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return result[0], result[1]
    return result, None


def _split(spec, values):
    return _features_and_labels(_structure.pack(spec, values))


def input_values(result):
    """(dataset, how its parts become features and labels), or (None, (features, labels))."""
    if isinstance(result, _dataset.DatasetV2):
        return result._cpp, functools.partial(_split, result.element_spec)
    return None, _features_and_labels(result)


def _leaves(structure):
    if structure is None:
        return
    if isinstance(structure, dict):
        for key in structure:
            yield from _leaves(structure[key])
    elif isinstance(structure, (list, tuple)) and not hasattr(structure, "dense_shape"):
        for item in structure:
            yield from _leaves(item)
    else:
        yield structure


def _is_part(value):
    return isinstance(value, _rill.Tensor) or hasattr(value, "dense_shape") or hasattr(value, "row_splits")


def named_leaves(structure):
    """[(name, tensor)]: keys of a dictionary, "" for a lone tensor, else numbers; others are left out."""
    if isinstance(structure, dict) and all(isinstance(key, str) for key in structure):
        named = list(structure.items())
        if all(_is_part(value) for _, value in named):
            return named
    if _is_part(structure):
        return [("", structure)]
    return [(str(number), value) for number, value in enumerate(_leaves(structure)) if _is_part(value)]


def adopt_listeners(hooks, spec, listeners):
    """Whether one of the program's hooks saves checkpoints; the first of these is given the listeners."""
    from rill.train import CheckpointSaverHook
    savers = [hook for hook in [*hooks, *spec.training_hooks, *spec.training_chief_hooks]
              if isinstance(hook, CheckpointSaverHook)]
    for listener in listeners if savers else []:
        if listener not in savers[0]._listeners:
            savers[0]._listeners.append(listener)
    return bool(savers)


def hook_object(core):
    """The program's object of a hook that C++ made."""
    from rill import _session_run_hook

    class Hook(_session_run_hook.SessionRunHook):
        """A hook of C++."""

        _core = core

        def begin(self):
            self._core.begin()

        def after_create_session(self, session, coord):
            self._core.after_create_session(session, coord)

        def before_run(self, run_context):
            return self._core.before_run(run_context)

        def after_run(self, run_context, run_values):
            self._core.after_run(run_context, run_values)

        def end(self, session):
            self._core.end(session)

    return Hook()
