"""tf.contrib.slim.dataset: where examples are, and how they are read and decoded."""


class Dataset:
    """Files, the reader of their records, and the decoder of these; further arguments become attributes."""

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        vars(self).update(kwargs, data_sources=data_sources, reader=reader, decoder=decoder,
                          num_samples=num_samples, items_to_descriptions=items_to_descriptions)
