"""The element types and what converts to them."""

import copyreg as _copyreg

from rill import _rill, _surface
from rill._rill import DType, as_dtype

globals().update({name: getattr(_rill, name) for name in _rill.dtype_names})
half = float16  # noqa: F821
double = float64  # noqa: F821


def _from_number(number):
    return as_dtype(number)


_copyreg.pickle(DType, lambda dtype: (_from_number, (dtype.as_datatype_enum,)))

QUANTIZED_DTYPES = frozenset(
    getattr(_rill, name + ref) for name in ("qint8", "quint8", "qint16", "quint16", "qint32")
    for ref in ("", "_ref"))

_OF_TOP = [name for name in _rill.dtype_names if not name.endswith("_ref")]
_OF_TOP += ["DType", "as_dtype", "half", "double"]

__getattr__, __dir__ = _surface.members_of(__name__)
