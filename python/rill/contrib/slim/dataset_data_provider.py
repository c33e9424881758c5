"""tf.contrib.slim.dataset_data_provider: the items of a dataset, read by several readers."""

from rill.contrib.slim.data_provider import DataProvider
from rill.contrib.slim.parallel_reader import parallel_read


class DatasetDataProvider(DataProvider):
    """Reads a Dataset; `record_key` is the name of the item that tells where a record came from."""

    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None,
                 common_queue_capacity=256, common_queue_min=128, record_key="record_key", seed=None,
                 scope=None):
        key, data = parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs,
            num_readers=num_readers, reader_kwargs=reader_kwargs, shuffle=shuffle,
            capacity=common_queue_capacity, min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        names = dataset.decoder.list_items()
        items = dict(zip(names, dataset.decoder.decode(data, names)))
        if record_key in items:
            raise ValueError("The item name used for `record_key` cannot also be used for a dataset item: "
                             f"{record_key}")
        super().__init__({**items, record_key: key}, dataset.num_samples)
