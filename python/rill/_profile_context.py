"""tf.contrib.tfprof.ProfileContext: profiles that make themselves while a program runs."""

from rill import _rill
from rill import profiler as _profiler


class ProfileContext:
    """While it is entered, runs of the main thread are counted from 0 and some of them traced: those of `trace_steps`,
    or by itself some after the first ten. After `dump_steps` the profile goes to `profile_dir`/profile_STEP."""

    def __init__(self, profile_dir, trace_steps=None, dump_steps=None, enabled=True, debug=False):
        del debug
        self._core, self._enabled, self._autos = None, enabled, []
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("Must have a directory for profile.\n")
        if trace_steps is not None and len(trace_steps) > 100:
            raise ValueError("Only support tracing up to 100 steps.\n")
        self._arguments = (_profiler._text(profile_dir), None if trace_steps is None else set(trace_steps),
                           None if dump_steps is None else set(dump_steps))

    def add_auto_profiling(self, cmd, options, profile_steps):
        """Makes a view after these runs; get_profiles(cmd) returns them."""
        if not self._enabled:
            return
        auto = (cmd, _profiler._options_proto(options), set(profile_steps))
        self._autos.append(auto)
        if self._core is not None:
            self._core.add_auto_profiling(*auto)

    def _entered(self):
        if self._core is None:
            raise ValueError("The profile context is used before it is entered.")
        return self._core

    def get_profiles(self, cmd):
        """The views that were made, by run."""
        if self._core is None:
            raise ValueError(f"No autoprofiler for command: {cmd}, was run")
        return {step: _profiler._parsed(_profiler._MESSAGES[cmd], message) for step, message in self._core.profiles(cmd).items()}

    @property
    def profiler(self):
        """A Profiler of what was traced so far."""
        profiler = _profiler.Profiler.__new__(_profiler.Profiler)
        profiler._graph = _rill.get_default_graph()
        profiler._model = self._entered().model()
        return profiler

    def trace_next_step(self):
        """Traces the next run."""
        if self._enabled:
            self._entered().trace_next_step()

    def dump_next_step(self):
        """Writes the profile after the next run."""
        if self._enabled:
            self._entered().dump_next_step()

    def __enter__(self):
        if self._enabled:
            self._core = _rill.ProfileContext(*self._arguments)
            for auto in self._autos:
                self._core.add_auto_profiling(*auto)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        if self._core is not None:
            self._core.end()
