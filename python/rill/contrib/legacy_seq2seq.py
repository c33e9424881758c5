"""tf.contrib.legacy_seq2seq: sequences with nodes for every step."""

import copy

from rill import _rill
from rill._contrib_rnn import EmbeddingWrapper, OutputProjectionWrapper
from rill._control_flow import _leaves, _packed, cond
from rill._rnn import _FlatCell, static_rnn
from rill._scopes import name_scope
from rill._variable_scope import get_variable, get_variable_scope, variable_scope
from rill.dtypes import float32


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """The outputs and the last state of a cell; `loop_function` makes inputs of outputs."""
    flat = _FlatCell(cell, 0, initial_state)
    outputs, state = _rill.legacy_rnn_decoder(list(decoder_inputs), _leaves(initial_state), flat, {
        "loop_function": loop_function, "scope": scope})
    return outputs, _packed(initial_state, state)


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=float32, scope=None):
    """A network that reads a sequence, and one of the same kind that goes on from its state."""
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=float32, scope=None):
    """The same with one cell for both."""
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, scope)


def _lookup(table):
    return lambda ids: _rill.functions.nn.embedding_lookup(table, ids)


def _feeding(embedding, output_projection, update_embedding):
    """A loop function: the row of the most likely word is the next input."""
    return lambda previous, _: _rill.legacy_argmax_and_embed(previous, _lookup(embedding),
                                                             output_projection, update_embedding)


def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size,
                          output_projection=None, feed_previous=False,
                          update_embedding_for_previous=True, scope=None):
    """rnn_decoder of words, whose rows of a table are the inputs."""
    with variable_scope(scope or "embedding_rnn_decoder"):
        _check_projection(output_projection, num_symbols, None)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _feeding(embedding, output_projection,
                        update_embedding_for_previous) if feed_previous else None
        inputs = [_lookup(embedding)(words) for words in decoder_inputs]
        return rnn_decoder(inputs, initial_state, cell, loop)


def _check_projection(projection, num_symbols, output_size):
    if projection is None:
        return
    biases = _rill.convert_to_tensor(projection[1])
    biases.shape.assert_is_compatible_with([num_symbols])
    if output_size is not None:
        weights = _rill.convert_to_tensor(projection[0])
        weights.shape.assert_is_compatible_with([output_size, num_symbols])


def _either(feed_previous, decode):
    """What `decode(feed)` gives, by a flag or by a tensor."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)
    models = []

    def branch(feed):
        with variable_scope(get_variable_scope(), reuse=None if feed else True):
            outputs, state = decode(feed)
            models.append(state)
            return outputs + _leaves(state)

    flat = cond(feed_previous, lambda: branch(True), lambda: branch(False))
    count = len(flat) - len(_leaves(models[0]))
    return flat[:count], _packed(models[0], flat[count:])


def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols,
                          num_decoder_symbols, embedding_size, output_projection=None,
                          feed_previous=False, dtype=None, scope=None):
    """basic_rnn_seq2seq of words."""
    with variable_scope(scope or "embedding_rnn_seq2seq") as inner:
        dtype = dtype or inner.dtype
        reading = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, encoder_state = static_rnn(reading, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
        return _either(feed_previous, lambda feed: embedding_rnn_decoder(
            decoder_inputs, encoder_state, cell, num_decoder_symbols, embedding_size,
            output_projection, feed))


def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None,
                      num_heads=1, loop_function=None, dtype=None, scope=None,
                      initial_state_attention=False):
    """rnn_decoder that looks into a memory after each step."""
    flat = _FlatCell(cell, 0, initial_state)
    outputs, state = _rill.legacy_attention_decoder(
        list(decoder_inputs), _leaves(initial_state), attention_states, flat, {
            "output_size": output_size, "num_heads": num_heads, "loop_function": loop_function,
            "dtype": dtype, "scope": scope, "initial_state_attention": initial_state_attention})
    return outputs, _packed(initial_state, state)


def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols,
                                embedding_size, num_heads=1, output_size=None,
                                output_projection=None, feed_previous=False,
                                update_embedding_for_previous=True, dtype=None, scope=None,
                                initial_state_attention=False):
    """attention_decoder of words."""
    if output_size is None:
        output_size = cell.output_size
    _check_projection(output_projection, num_symbols, output_size)
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop = _feeding(embedding, output_projection,
                        update_embedding_for_previous) if feed_previous else None
        inputs = [_lookup(embedding)(words) for words in decoder_inputs]
        return attention_decoder(inputs, initial_state, attention_states, cell, output_size, num_heads,
                                 loop, initial_state_attention=initial_state_attention)


def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols,
                                num_decoder_symbols, embedding_size, num_heads=1,
                                output_projection=None, feed_previous=False, dtype=None, scope=None,
                                initial_state_attention=False):
    """embedding_rnn_seq2seq that looks at what was read."""
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as inner:
        dtype = dtype or inner.dtype
        reading = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        outputs, encoder_state = static_rnn(reading, encoder_inputs, dtype=dtype)
        steps = [_rill.functions.reshape(output, [-1, 1, cell.output_size]) for output in outputs]
        attention_states = _rill.functions.concat(steps, 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols
        return _either(feed_previous, lambda feed: embedding_attention_decoder(
            decoder_inputs, encoder_state, attention_states, cell, num_decoder_symbols, embedding_size,
            num_heads, output_size, output_projection, feed,
            initial_state_attention=initial_state_attention))


def _check_lengths(logits, targets, weights):
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError("Lengths of logits, weights, and targets must be the same "
                         f"{len(logits)}, {len(weights)}, {len(targets)}.")


def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True,
                             softmax_loss_function=None, name=None):
    """The weighted cross entropy of each example."""
    _check_lengths(logits, targets, weights)
    return _rill.legacy_sequence_loss(logits, targets, weights, True, average_across_timesteps, False,
                                      softmax_loss_function, name or "")


def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  softmax_loss_function=None, name=None):
    """The same summed over the examples, or averaged."""
    _check_lengths(logits, targets, weights)
    return _rill.legacy_sequence_loss(logits, targets, weights, False, average_across_timesteps,
                                      average_across_batch, softmax_loss_function, name or "")


def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq,
                       softmax_loss_function=None, per_example_loss=False, name=None):
    """A model for each pair of lengths, with shared variables: their outputs and losses."""
    longest = [max(sizes) for sizes in zip(*buckets)]
    for what, given, needed in (("encoder_inputs", encoder_inputs, longest[0]), ("targets", targets, longest[1]),
                                ("weights", weights, longest[1])):
        if len(given) < needed:
            raise ValueError(f"Length of {what} ({len(given)}) must be at least that of last bucket ({needed}).")
    loss = sequence_loss_by_example if per_example_loss else sequence_loss
    all_outputs, losses = [], []
    with name_scope(name, "model_with_buckets"):
        for i, (read, written) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if i > 0 else None):
                outputs, _ = seq2seq(encoder_inputs[:read], decoder_inputs[:written])
                all_outputs.append(outputs)
                losses.append(loss(outputs, targets[:written], weights[:written],
                                   softmax_loss_function=softmax_loss_function))
    return all_outputs, losses
