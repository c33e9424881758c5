"""tf.contrib.slim.data_decoder: what turns records into named tensors."""

import abc


class DataDecoder(metaclass=abc.ABCMeta):
    """Makes items of a record."""

    @abc.abstractmethod
    def decode(self, data, items):
        """The tensors of the items, of one record."""

    @abc.abstractmethod
    def list_items(self):
        """The names of the items that it can make."""
