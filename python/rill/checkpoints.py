"""Directories of checkpoints: what is there, whether it is whole, and what happens when it is not.

None of this is TensorFlow's: `from rill import checkpoints`.
"""

from rill import _rill
from rill._files import path_of


def find(directory, verify=False):
    """The checkpoints of a directory, newest first, as dictionaries: prefix, step, bytes, modified, files.

    With `verify` everything is read, and `damage` says what is wrong with each, or is None.
    """
    return _rill.checkpoints_in(path_of(directory), verify)


def repair(directory):
    """Makes the state file name the newest whole checkpoint; what was found: newest, whole, damaged."""
    return _rill.repair_checkpoints(path_of(directory))


def prune(directory, keep=5, dry_run=False):
    """Removes damaged checkpoints, all but the newest `keep` of each name, and what was left over."""
    return _rill.prune_checkpoints(path_of(directory), keep, dry_run)


def set_durable(wanted):
    """Whether what is saved is forced to the disk; RILL_FSYNC=0 in the environment means not."""
    _rill.set_durable_files(wanted)


def set_background(wanted):
    """Whether the hooks of monitored sessions save without waiting for the disk; RILL_FSYNC=wait means not.

    Another thread then forces the checkpoint to the disk and has the state file name it. An error is raised by the
    next save, or at the end of the session.
    """
    _rill.set_background_saves(wanted)


def set_recovery(wanted):
    """Whether training goes on from an older checkpoint when the newest is damaged, or DataLossError is raised.

    RILL_RECOVER=0 in the environment means an error.
    """
    _rill.set_checkpoint_recovery(wanted)


durable = _rill.durable_files
background = _rill.background_saves
recovery = _rill.checkpoint_recovery
