// tf.contrib.crf.
#include "call.h"
#include "image_functions.h"
#include "numpy.h"
#include "rill/api/crf/crf.h"

namespace rill::python {
namespace {

namespace crf = contrib::crf;

Output tensor_argument(const Call& c, const char* name) { return as_tensor(c.input(name), name); }

constexpr Function kFunctions[] = {
    {"contrib.crf.crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)",
     [](const Call& c) {
       return give(crf::crf_sequence_score(c.input("inputs"), c.input("tag_indices"),
                                           c.input("sequence_lengths"),
                                           c.input("transition_params")));
     },
     "The unnormalised score of each sequence of tags."},
    {"contrib.crf.crf_multitag_sequence_score(inputs, tag_bitmap, sequence_lengths, "
     "transition_params)",
     [](const Call& c) {
       return give(crf::crf_multitag_sequence_score(
           c.input("inputs"), c.input("tag_bitmap", DType::boolean), c.input("sequence_lengths"),
           c.input("transition_params")));
     },
     "The logarithm of the sum over the sequences whose tags are allowed."},
    {"contrib.crf.crf_unary_score(tag_indices, sequence_lengths, inputs)",
     [](const Call& c) {
       return give(crf::crf_unary_score(c.input("tag_indices"), c.input("sequence_lengths"),
                                        c.input("inputs")));
     },
     "The scores of the tags of each sequence, added."},
    {"contrib.crf.crf_binary_score(tag_indices, sequence_lengths, transition_params)",
     [](const Call& c) {
       return give(crf::crf_binary_score(c.input("tag_indices"), c.input("sequence_lengths"),
                                         c.input("transition_params")));
     },
     "The scores of the transitions of each sequence, added."},
    {"contrib.crf.crf_log_norm(inputs, sequence_lengths, transition_params)",
     [](const Call& c) {
       return give(crf::crf_log_norm(c.input("inputs"), c.input("sequence_lengths"),
                                     c.input("transition_params")));
     },
     "The logarithm of the sum over all sequences of tags."},
    {"contrib.crf.crf_log_likelihood(inputs, tag_indices, sequence_lengths, "
     "transition_params=None)",
     [](const Call& c) -> nb::object {
       const crf::LogLikelihood found = crf::crf_log_likelihood(
           c.input("inputs"), c.input("tag_indices"), c.input("sequence_lengths"),
           c.optional_input("transition_params"));
       return nb::make_tuple(give(found.log_likelihood), give(found.transition_params));
     },
     "The log-likelihood of each sequence of tags, and the transition scores."},
    {"contrib.crf.crf_decode(potentials, transition_params, sequence_length)",
     [](const Call& c) -> nb::object {
       const crf::Decoded best = crf::crf_decode(
           c.input("potentials"), c.input("transition_params"), c.input("sequence_length"));
       return nb::make_tuple(give(best.decode_tags), give(best.best_score));
     },
     "The best sequences of tags, and their scores."},
    {"contrib.crf.viterbi_decode_values(score, transition_params)",
     [](const Call& c) -> nb::object {
       const crf::Viterbi best =
           crf::viterbi_decode(tensor_from_value(c["score"], DType::f64),
                               tensor_from_value(c["transition_params"], DType::f64));
       nb::list tags;
       for (const std::int64_t tag : best.tags) tags.append(tag);
       return nb::make_tuple(tags, best.score);
     },
     "The best sequence of tags of an array of doubles, and its score."},
    {"contrib.crf.forward_step(inputs, state, transition_params)",
     [](const Call& c) {
       return give(crf::forward_step(tensor_argument(c, "inputs"), tensor_argument(c, "state"),
                                     tensor_argument(c, "transition_params")));
     },
     "One step of the sum over all sequences."},
    {"contrib.crf.decode_forward_step(inputs, state, transition_params)",
     [](const Call& c) -> nb::object {
       const auto [pointers, next] =
           crf::decode_forward_step(tensor_argument(c, "inputs"), tensor_argument(c, "state"),
                                    tensor_argument(c, "transition_params"));
       return nb::make_tuple(give(pointers), give(next));
     },
     "One step of the search for the best sequence."},
    {"contrib.crf.decode_backward_step(inputs, state)",
     [](const Call& c) {
       return give(
           crf::decode_backward_step(tensor_argument(c, "inputs"), tensor_argument(c, "state")));
     },
     "One step back along the best sequence."},
};

}  // namespace

void bind_crf_functions() { add_functions(kFunctions); }

}  // namespace rill::python
