// Connectionist temporal classification of tf.nn.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/nn/ctc.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

nb::object give_decoded(const nn::CtcDecoded& result) {
  return nb::make_tuple(give(result.decoded), give(result.log_probability));
}

nb::object ctc_loss(const Call& c) {
  const Input inputs = renamed_input(c, "logits", "inputs");
  if (!is_sparse(c["labels"]))
    type_error("Expected argument `labels` to be a SparseTensor. Received labels=",
               repr_of(c["labels"]), " of type: ", type_name_of(c["labels"]));
  return give(nn::ctc_loss(
      sparse_of(c["labels"]), inputs, c.input("sequence_length", DType::i32),
      {.preprocess_collapse_repeated = c.flag("preprocess_collapse_repeated"),
       .ctc_merge_repeated = c.flag("ctc_merge_repeated"),
       .ignore_longer_outputs_than_inputs = c.flag("ignore_longer_outputs_than_inputs"),
       .time_major = c.flag("time_major")}));
}

nb::object ctc_loss_v2(const Call& c) {
  const nn::CtcLossV2Options options{.logits_time_major = c.flag("logits_time_major"),
                                     .blank_index = c.optional_integer("blank_index"),
                                     .name = c.name()};
  const Input logits = c.input("logits"), logit_length = c.input("logit_length");
  if (is_sparse(c["labels"]))
    return give(nn::ctc_loss_v2(sparse_of(c["labels"]), logits, logit_length, options));
  return give(
      nn::ctc_loss_v2(c.input("labels"), logits, c.input("label_length"), logit_length, options));
}

nn::BeamSearchOptions beam_options(const Call& c) {
  return {.beam_width = c.integer("beam_width"), .top_paths = c.integer("top_paths")};
}

nb::object ctc_beam_search(const Call& c) {
  nn::BeamSearchOptions options = beam_options(c);
  options.merge_repeated = c.flag("merge_repeated");
  return give_decoded(nn::ctc_beam_search_decoder(c.input("inputs"),
                                                  c.input("sequence_length", DType::i32), options));
}

nb::object beam_search_v2(const Call& c) {
  return give_decoded(nn::ctc_beam_search_decoder_v2(
      c.input("inputs"), c.input("sequence_length", DType::i32), beam_options(c)));
}

nb::object greedy(const Call& c) {
  return give_decoded(nn::ctc_greedy_decoder(c.input("inputs"),
                                             c.input("sequence_length", DType::i32),
                                             {.merge_repeated = c.flag("merge_repeated")}));
}

constexpr Function kCtc[] = {
    {"nn.ctc_loss(labels, inputs=None, sequence_length=None, preprocess_collapse_repeated=False, "
     "ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, time_major=True, "
     "logits=None)",
     ctc_loss, "Minus the logarithm of the probability that logits spell labels."},
    {"nn.ctc_loss_v2(labels, logits, label_length, logit_length, logits_time_major=True, "
     "unique=None, blank_index=None, name=None)",
     ctc_loss_v2, "The same for dense labels, or with another blank."},
    {"nn.ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True)", greedy,
     "The labels of the largest logits."},
    {"nn.ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1, "
     "merge_repeated=True)",
     ctc_beam_search, "The likeliest labels that a search finds."},
    {"nn.ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1)",
     beam_search_v2, "The same with repetitions."},
    {"nn.collapse_repeated(labels, seq_length, name=None)",
     [](const Call& c) -> nb::object {
       const auto [labels, lengths] =
           nn::collapse_repeated(c.input("labels"), c.input("seq_length"), {.name = c.name()});
       return nb::make_tuple(give(labels), give(lengths));
     },
     "Labels without those that follow themselves."},
    {"nn.ctc_unique_labels(labels, name=None)",
     [](const Call& c) -> nb::object {
       const auto [unique, places] = nn::ctc_unique_labels(c.input("labels"), {.name = c.name()});
       return give(std::vector<Output>{unique, places});
     },
     "The different labels of each row."},
};

}  // namespace

void add_nn_ctc() { add_functions(kCtc); }

}  // namespace rill::python
