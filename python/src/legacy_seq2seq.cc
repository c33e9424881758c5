#include <nanobind/stl/string.h>

#include "in_place.h"
#include "plain_values.h"
#include "python_cell.h"
#include "rill/api/seq2seq/legacy_seq2seq.h"
#include "seq2seq.h"

namespace rill::python {
namespace {

contrib::legacy_seq2seq::LoopFunction loop_function(nb::handle given) {
  if (given.is_none()) return {};
  return [held = keep(given)](Output previous, int step) {
    return tensor_of(kept(held)(give(previous), step));
  };
}

contrib::legacy_seq2seq::LossFunction loss_function(nb::handle given) {
  if (given.is_none()) return {};
  return [held = keep(given)](Output labels, Output logits) {
    return tensor_of(
        kept(held)(nb::arg("labels") = give(labels), nb::arg("logits") = give(logits)));
  };
}

// None where a loop function makes the input.
std::vector<Output> decoder_inputs_of(nb::handle list) {
  std::vector<Output> inputs;
  for (nb::handle input : list) inputs.push_back(input.is_none() ? Output() : tensor_of(input));
  return inputs;
}

nb::object give_decoded_steps(const contrib::legacy_seq2seq::DecodedSteps& decoded) {
  return nb::make_tuple(give(decoded.outputs), give(decoded.state));
}

nb::object py_rnn_decoder(nb::handle inputs, nb::handle state, nb::object cell,
                          const nb::dict& options) {
  return in_place(inputs, [&] {
    PythonCell flat(cell);
    return give_decoded_steps(
        contrib::legacy_seq2seq::rnn_decoder(decoder_inputs_of(inputs), tensor_list(state), flat,
                                             {loop_function(option(options, "loop_function")),
                                              scope_choice_of(option(options, "scope"))}));
  });
}

nb::object py_attention_decoder(nb::handle inputs, nb::handle state, nb::handle attention_states,
                                nb::object cell, const nb::dict& options) {
  return in_place(inputs, [&] {
    contrib::legacy_seq2seq::AttentionDecoderOptions o;
    if (const nb::object size = option(options, "output_size"); !size.is_none())
      o.output_size = integer_of(size);
    o.num_heads = small_integer_of(option(options, "num_heads"));
    o.loop_function = loop_function(option(options, "loop_function"));
    o.dtype = optional_dtype(option(options, "dtype"));
    o.scope = scope_choice_of(option(options, "scope"));
    o.initial_state_attention = truth_of(option(options, "initial_state_attention"));
    PythonCell flat(cell);
    return give_decoded_steps(contrib::legacy_seq2seq::attention_decoder(
        decoder_inputs_of(inputs), tensor_list(state), tensor_of(attention_states), flat, o));
  });
}

nb::object py_argmax_and_embed(nb::handle previous, nb::handle embedding, nb::handle projection,
                               bool update_embedding) {
  return in_place(previous, [&] {
    std::optional<contrib::legacy_seq2seq::OutputProjection> through;
    if (!projection.is_none())
      through = contrib::legacy_seq2seq::OutputProjection{*optional_input(projection[0], "w"),
                                                          *optional_input(projection[1], "b")};
    return give(contrib::legacy_seq2seq::argmax_and_embed(
        function_of(embedding), through, update_embedding)(tensor_of(previous), 0));
  });
}

nb::object legacy_sequence_loss(nb::handle logits, nb::handle targets, nb::handle weights,
                                bool by_example, bool over_time, bool over_batch, nb::handle loss,
                                const std::string& name) {
  return in_place(logits, [&] {
    const auto l = tensor_list(logits), t = tensor_list(targets), w = tensor_list(weights);
    return give(by_example ? contrib::legacy_seq2seq::sequence_loss_by_example(
                                 l, t, w, {over_time, loss_function(loss), name})
                           : contrib::legacy_seq2seq::sequence_loss(
                                 l, t, w, {over_time, over_batch, loss_function(loss), name}));
  });
}

}  // namespace

void bind_legacy_seq2seq(nb::module_& m) {
  m.def("legacy_rnn_decoder", py_rnn_decoder);
  m.def("legacy_attention_decoder", py_attention_decoder);
  m.def("legacy_argmax_and_embed", py_argmax_and_embed, nb::arg("previous"), nb::arg("embedding"),
        nb::arg("projection").none(), nb::arg("update_embedding"));
  m.def("legacy_sequence_loss", legacy_sequence_loss, nb::arg("logits"), nb::arg("targets"),
        nb::arg("weights"), nb::arg("by_example"), nb::arg("over_time"), nb::arg("over_batch"),
        nb::arg("loss").none(), nb::arg("name"));
}

}  // namespace rill::python
