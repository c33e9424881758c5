"""tf.version: which TensorFlow this is, and which Rill."""

from rill import _rill, _surface

RILL_VERSION = _rill.version()
VERSION = f"1.15.5+rill{RILL_VERSION}"  # legal for all that compares versions
GIT_VERSION = f"rill-{RILL_VERSION}"
COMPILER_VERSION = _rill.compiler_version()
GRAPH_DEF_VERSION = 134
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

__getattr__, __dir__ = _surface.members_of(__name__)
