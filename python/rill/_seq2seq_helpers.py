"""tf.contrib.seq2seq: what chooses the inputs of decoders; known inputs and words are C++'s work."""

import abc

from rill import _nest, _rill
from rill._scopes import name_scope
from rill.dtypes import int32


class Helper(abc.ABC):
    """Chooses what a decoder gets as input."""

    @property
    def batch_size(self):
        raise NotImplementedError("batch_size has not been implemented")

    @property
    def sample_ids_shape(self):
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    def sample_ids_dtype(self):
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    @abc.abstractmethod
    def initialize(self, name=None):
        """(finished, first inputs)."""

    @abc.abstractmethod
    def sample(self, time, outputs, state, name=None):
        """The words that outputs stand for."""

    @abc.abstractmethod
    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        """(finished, next inputs, next state)."""


class CustomHelper(Helper):
    """A helper of three functions."""

    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None,
                 sample_ids_dtype=None):
        self._functions = initialize_fn, sample_fn, next_inputs_fn
        self._shape = _rill.TensorShape(sample_ids_shape or [])
        self._dtype = sample_ids_dtype or int32
        self._batch_size = None

    @property
    def batch_size(self):
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        with name_scope(name, "CustomHelperInitialize"):
            finished, inputs = self._functions[0]()
            if self._batch_size is None:
                self._batch_size = _rill.functions.size(finished)
        return finished, inputs

    def sample(self, time, outputs, state, name=None):
        with name_scope(name, "CustomHelperSample"):
            return self._functions[1](time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with name_scope(name, "CustomHelperNextInputs"):
            return self._functions[2](time=time, outputs=outputs, state=state, sample_ids=sample_ids)


class _NativeHelper(Helper):
    """A helper of C++."""

    def _begin(self, core, inputs):
        self._core, self._input_model = core, inputs

    @property
    def batch_size(self):
        return self._core.batch_size()

    sample_ids_shape = property(lambda self: _rill.TensorShape([]))
    sample_ids_dtype = property(lambda self: int32)

    def _pack(self, start):
        finished, inputs = start
        return finished, _nest.pack_sequence_as(self._input_model, inputs)

    def initialize(self, name=None):
        return self._pack(self._core.initialize())

    def sample(self, time, outputs, state=None, name=None):
        return self._core.sample(time, _nest.flatten(outputs))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        return (*self._pack(self._core.next_inputs(time, sample_ids)), state)


class TrainingHelper(_NativeHelper):
    """Reads inputs that are known."""

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        self._inputs, self._sequence_length = inputs, sequence_length
        self._begin(_rill.training_helper(_nest.flatten(inputs), sequence_length, time_major), inputs)

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._sequence_length)


def _embedding(table):
    if callable(table):
        return table
    return lambda ids: _rill.functions.nn.embedding_lookup(table, ids)


class GreedyEmbeddingHelper(_NativeHelper):
    """Takes the most likely word as next input."""

    _samples = False

    def __init__(self, embedding, start_tokens, end_token, _temperature=None, _seed=None):
        self._begin(_rill.embedding_helper(_embedding(embedding), start_tokens, end_token, self._samples,
                                           _temperature, _seed), 0)


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Takes a word by chance, as likely as the outputs say, as next input."""

    _samples = True

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token, softmax_temperature, seed)


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Now and then replaces a known input by the row of a word that the decoder chose."""

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None,
                 scheduling_seed=None, name=None):
        self._inputs, self._sequence_length = inputs, sequence_length
        self._begin(_rill.scheduled_helper(inputs, sequence_length, _embedding(embedding),
                                           sampling_probability, time_major, seed, scheduling_seed), 0)


class InferenceHelper(Helper):
    """A helper of functions that know the words that a decoder samples."""

    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn, next_inputs_fn=None):
        self._functions = sample_fn, end_fn, next_inputs_fn or (lambda ids: ids)
        self._shape, self._dtype = _rill.TensorShape(sample_shape), sample_dtype
        self._start_inputs = _rill.convert_to_tensor(start_inputs, name="start_inputs")

    @property
    def batch_size(self):
        return self._start_inputs.shape.as_list()[0] or _rill.functions.shape(self._start_inputs)[0]

    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        return _rill.functions.fill([self.batch_size], False), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._functions[0](outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        return self._functions[1](sample_ids), self._functions[2](sample_ids), state
