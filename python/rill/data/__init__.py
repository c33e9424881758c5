"""tf.data: input pipelines."""

from rill import _surface
from rill.data._dataset import (  # noqa: F401
    Dataset,
    get_output_classes,
    get_output_shapes,
    get_output_types,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from rill.data._iterator import Iterator  # noqa: F401
from rill.data._options import Options  # noqa: F401
from rill.data._readers import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset  # noqa: F401
from rill.data._structure import DatasetSpec  # noqa: F401

__getattr__, __dir__ = _surface.members_of(__name__)
