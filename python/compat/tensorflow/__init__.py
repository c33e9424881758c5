from rill import _compat_protos

_compat_protos.install()
