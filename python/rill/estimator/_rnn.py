"""tf.contrib.estimator's recurrent estimators."""

from rill import _surface, losses
from rill._variable_scope import variable_scope
from rill.estimator import _canned, _wrappers, _head_parts, _models
from rill.estimator._estimator import Estimator

_CLIP_NORM = 5.0
_CELLS = {"basic_rnn": "BasicRNNCell", "lstm": "LSTMCell", "gru": "GRUCell"}


def _cell_fn(num_units, cell_type):
    """A function of the mode that makes one cell, or several on top of each other."""
    cell_type = "basic_rnn" if cell_type is None else cell_type

    def make(mode):
        from rill.nn import rnn_cell
        kind = getattr(rnn_cell, _CELLS[cell_type]) if isinstance(cell_type, str) and cell_type in _CELLS else cell_type
        if not callable(kind):
            raise ValueError("cell_type should be one of "
                             f"{sorted(_CELLS)}, or a class of cells. Given: {cell_type}")
        cells = [kind(num_units=units) for units in num_units]
        return cells[0] if len(cells) == 1 else rnn_cell.MultiRNNCell(cells)

    return make


def _last_activations(outputs, length):
    """The output of each sequence's last step."""
    find = _surface._find
    with find("name_scope")("select_last_activations"):
        size = find("shape")(outputs)[0]
        rows = find("range")(size)
        return find("gather_nd")(outputs, find("stack")([rows, find("cast")(length, rows.dtype) - 1], axis=1))


def _logits(features, mode, units, cell_fn, sequence_columns, context_columns, partitioner, return_sequences):
    from rill import feature_column, layers, nn, summary
    from rill.feature_column._layers import SequenceFeatures
    find = _surface._find
    with variable_scope("sequence_input_layer", partitioner=partitioner):
        inputs, length = SequenceFeatures(sequence_columns)(features)
        summary.histogram("sequence_length", length)
        if context_columns:
            context = feature_column.input_layer(features, context_columns)
            steps = find("shape")(inputs)[1]
            tiled = find("tile")(find("expand_dims")(context, 1), find("concat")([[1], [steps], [1]], 0))
            inputs = find("concat")([inputs, tiled], 2)
    outputs, _ = nn.dynamic_rnn(cell_fn(mode), inputs, sequence_length=length, dtype=inputs.dtype)
    if not return_sequences:
        outputs = _last_activations(outputs, length)
    with variable_scope("logits"):
        glorot = _surface._find("glorot_uniform_initializer")
        return layers.dense(outputs, units, activation=None, kernel_initializer=glorot()), length


def _rnn_model_fn(features, labels, mode, head, rnn_cell_fn, sequence_feature_columns, context_feature_columns,
                  return_sequences=False, optimizer="Adagrad", input_layer_partitioner=None, config=None):
    with variable_scope("rnn", partitioner=_models._by_size(config)):
        partitioner = input_layer_partitioner or _models._by_size(config, _models._LARGE_SLICE)
        logits, _ = _logits(features, mode, head.logits_dimension, rnn_cell_fn, sequence_feature_columns,
                            context_feature_columns, partitioner, return_sequences)

        def train(loss):
            chosen = _models.get_optimizer_instance(optimizer, _models._DNN_RATE)
            if isinstance(optimizer, str):
                chosen = _wrappers.clip_gradients_by_norm(chosen, _CLIP_NORM)
            return chosen.minimize(loss, global_step=_models._global_step())

        return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits,
                                          train_op_fn=train)


def _start(estimator, head, sequence_feature_columns, context_feature_columns, num_units, cell_type, rnn_cell_fn,
           return_sequences, model_dir, optimizer, input_layer_partitioner, config):
    if rnn_cell_fn and (num_units or cell_type is not None):
        raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
    if not rnn_cell_fn:
        rnn_cell_fn = _cell_fn(num_units, cell_type)
    model_fn = _canned._model_fn_of(
        _rnn_model_fn, head, rnn_cell_fn=rnn_cell_fn, sequence_feature_columns=tuple(sequence_feature_columns or []),
        context_feature_columns=tuple(context_feature_columns or []), return_sequences=return_sequences,
        optimizer=optimizer, input_layer_partitioner=input_layer_partitioner)
    Estimator.__init__(estimator, model_fn, model_dir, config)


class RNNClassifier(Estimator):
    """Tells the class of sequences."""

    def __init__(self, sequence_feature_columns, context_feature_columns=None, num_units=None, cell_type=None,
                 rnn_cell_fn=None, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None,
                 optimizer="Adagrad", loss_reduction=losses.Reduction.SUM_OVER_BATCH_SIZE,
                 input_layer_partitioner=None, config=None):
        head = _head_parts._binary_logistic_or_multi_class_head(n_classes, weight_column, label_vocabulary,
                                                                loss_reduction)
        _start(self, head, sequence_feature_columns, context_feature_columns, num_units, cell_type, rnn_cell_fn, False,
               model_dir, optimizer, input_layer_partitioner, config)


class RNNEstimator(Estimator):
    """A recurrent net with a head of the program's."""

    def __init__(self, head, sequence_feature_columns, context_feature_columns=None, num_units=None, cell_type=None,
                 rnn_cell_fn=None, return_sequences=False, model_dir=None, optimizer="Adagrad",
                 input_layer_partitioner=None, config=None):
        _start(self, head, sequence_feature_columns, context_feature_columns, num_units, cell_type, rnn_cell_fn,
               return_sequences, model_dir, optimizer, input_layer_partitioner, config)
