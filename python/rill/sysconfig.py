"""What a compiler needs to build custom ops and C++ programs."""

from rill import _rill, _surface


CXX11_ABI_FLAG = 1
MONOLITHIC_BUILD = 0


def get_include():
    """The folder that holds tensorflow/core/framework/op.h and the other headers."""
    return _rill.include_folders()[0]


def get_lib():
    """The folder that holds the library."""
    return _rill.library_folder()


def get_compile_flags():
    """Flags for the compiler, as a list."""
    return _rill.compile_flags()


def get_link_flags():
    """Flags for the linker, as a list."""
    return _rill.link_flags()

__getattr__, __dir__ = _surface.members_of(__name__)
