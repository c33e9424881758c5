"""Traced steps as files for pprof, one for each device: tensorflow.python.profiler.pprof_profiler."""

from rill import _rill
from rill.proto import module as _proto_module

__all__ = ["get_profiles", "profile"]


def get_profiles(graph, run_metadata):
    """The profile of each device, by its name."""
    Profile = _proto_module("tensorflow/core/profiler/profile.proto").Profile
    return {device: Profile.FromString(data) for device, data in _rill.device_profiles(graph, run_metadata).items()}


def profile(graph, run_metadata, output_dir=None):
    """Writes files below `output_dir`, or prints the profiles without one. Returns the paths."""
    if output_dir:
        return _rill.write_device_profiles(graph, run_metadata, str(output_dir))
    for made in get_profiles(graph, run_metadata).values():
        print("No output directory specified, printing to stdout instead.")
        print(made)
    return []
