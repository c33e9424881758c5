"""tf.data.experimental."""

from rill import _surface
from rill._type_spec import TypeSpec as Structure  # noqa: F401
from rill.data._dataset import AUTOTUNE, from_variant, get_structure, to_variant  # noqa: F401
from rill.data._files import TFRecordWriter, make_batched_features_dataset, make_csv_dataset  # noqa: F401
from rill.data._iterator import get_next_as_optional  # noqa: F401
from rill.data._optional import Optional, OptionalSpec as OptionalStructure  # noqa: F401
from rill.data._options import (  # noqa: F401
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from rill.data._readers import CsvDataset, RandomDataset, SqlDataset  # noqa: F401
from rill.data._saving import CheckpointInputPipelineHook, make_saveable_from_iterator  # noqa: F401
from rill.data._stats import StatsAggregator  # noqa: F401
from rill.data._structure import (  # noqa: F401
    DatasetSpec as DatasetStructure,
    RaggedTensorStructure,
    SparseTensorStructure,
    TensorArrayStructure,
    TensorStructure,
)
from rill.data._transformations import (  # noqa: F401
    Counter,
    Reducer,
    bucket_by_sequence_length,
    bytes_produced_stats,
    cardinality,
    choose_from_datasets,
    copy_to_device,
    dense_to_sparse_batch,
    enumerate_dataset,
    get_single_element,
    group_by_reducer,
    group_by_window,
    ignore_errors,
    latency_stats,
    map_and_batch,
    map_and_batch_with_legacy_function,
    parallel_interleave,
    parse_example_dataset,
    prefetch_to_device,
    rejection_resample,
    sample_from_datasets,
    scan,
    shuffle_and_repeat,
    take_while,
    unbatch,
    unique,
)

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2

__getattr__, __dir__ = _surface.members_of(__name__)
