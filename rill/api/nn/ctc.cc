#include "rill/api/nn/ctc.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/ctc.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"
#include "rill/api/nn/ctc_parts.h"

namespace rill::nn {

using namespace ctc_parts;

Output ctc_loss(const SparseTensor& labels, const Input& inputs, const Input& sequence_length,
                const CtcLossOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Output given = as_tensor(inputs, "logits");
  Output logits = is_narrow(given) ? cast(given, DType::f32) : given;
  if (!options.time_major) logits = transpose(logits, {.perm = parts::ints({1, 0, 2})});
  const Output loss =
      raw::CTCLoss(logits, labels.indices, labels.values, sequence_length,
                   {.preprocess_collapse_repeated = options.preprocess_collapse_repeated,
                    .ctc_merge_repeated = options.ctc_merge_repeated,
                    .ignore_longer_outputs_than_inputs = options.ignore_longer_outputs_than_inputs})
          .loss;
  return is_narrow(given) ? cast(loss, math_parts::type_of(given)) : loss;
}

Output ctc_loss_v2(const SparseTensor& labels, const Input& logits, const Input& logit_length,
                   const CtcLossV2Options& options, std::source_location at) {
  const MadeAt place(at);
  require(options.blank_index.has_value(),
          "Argument `blank_index` must be provided when labels is a SparseTensor.");
  Output x = as_tensor(logits, "logits");
  SparseTensor spelled = labels;
  const std::int64_t blank = blank_of(x, *options.blank_index);
  if (x.shape().rank() != 3 || blank != x.shape()[2] - 1) move_blank_last(x, spelled, blank);
  return ctc_loss(spelled, x, logit_length, {.time_major = options.logits_time_major});
}

CtcDecoded ctc_greedy_decoder(const Input& inputs, const Input& sequence_length,
                              const GreedyDecoderOptions& options, std::source_location at) {
  const auto found = raw::CTCGreedyDecoder(inputs, sequence_length,
                                           {.merge_repeated = options.merge_repeated}, at);
  return {{SparseTensor(found.decoded_indices, found.decoded_values, found.decoded_shape)},
          found.log_probability};
}

CtcDecoded ctc_beam_search_decoder(const Input& inputs, const Input& sequence_length,
                                   const BeamSearchOptions& options, std::source_location at) {
  const auto found =
      raw::CTCBeamSearchDecoder(inputs, sequence_length, options.beam_width, options.top_paths,
                                {.merge_repeated = options.merge_repeated}, at);
  CtcDecoded result{{}, found.log_probability};
  for (std::size_t i = 0; i < found.decoded_indices.size(); ++i)
    result.decoded.emplace_back(found.decoded_indices[i], found.decoded_values[i],
                                found.decoded_shape[i]);
  return result;
}

CtcDecoded ctc_beam_search_decoder_v2(const Input& inputs, const Input& sequence_length,
                                      const BeamSearchOptions& options, std::source_location at) {
  BeamSearchOptions unmerged = options;
  unmerged.merge_repeated = false;
  return ctc_beam_search_decoder(inputs, sequence_length, unmerged, at);
}

std::pair<Output, Output> collapse_repeated(const Input& labels, const Input& seq_length,
                                            const CtcOptions& options, std::source_location at) {
  const Block in(options.name, "collapse_repeated_labels", at);
  const Output dense = as_tensor(labels, "labels"), lengths = as_tensor(seq_length, "seq_length");
  const Output first = ones_like(columns(dense, {}, 1), {.dtype = DType::boolean, .name = {}});
  const Output after = columns(dense, 1, {}), before = columns(dense, {}, -1);
  const Output changed = concat({first, raw::NotEqual(after, before)}, 1);
  const Output inside = sequence_mask(lengths, {.maxlen = dim_of(dense, 1), .name = {}});
  const Output kept = raw::LogicalAnd(changed, inside);
  const Output counts = reduce_sum(cast(kept, DType::i32), {.axis = Input(1)});
  const Output longest = reduce_max(counts);
  const Output places = sequence_mask(counts, {.maxlen = longest, .name = {}});
  const auto flat = [](Output x) { return raw::Reshape(x, parts::ints({-1})); };
  const Output flat_labels = flat(dense), flat_kept = flat(kept), flat_places = flat(places);
  const Output numbers = range(dim_of(flat_places, 0));
  const Output targets = expand_dims(boolean_mask(numbers, flat_places), 1);
  const Output values = boolean_mask(flat_labels, flat_kept);
  const Output moved = raw::ScatterNd(targets, values, shape(flat_places));
  const Input sizes = parts::list_of({dim_of(dense, 0), longest});
  const Output result = raw::Reshape(moved, sizes);
  return {result, cast(counts, math_parts::type_of(lengths))};
}

std::pair<Output, Output> ctc_unique_labels(const Input& labels, const CtcOptions& options,
                                            std::source_location at) {
  const Block in(options.name, "ctc_unique_labels", at);
  const Output dense = as_tensor(labels, "labels");
  const auto unique_row = [](const std::vector<Output>& row) -> std::vector<Input> {
    const auto unique = raw::Unique(row[0]);
    const Input all = dim_of(unique.idx, 0), different = dim_of(unique.y, 0);
    const Input padding = parts::list_of({parts::list_of({0, Input(Operand(all) - different)})});
    return {cast(raw::Pad(unique.y, padding), DType::i64), unique.idx};
  };
  MapFnOptions loop;
  loop.dtype = {DType::i64, DType::i32};
  const auto result = map_fn(unique_row, {dense}, loop);
  return {result[0], result[1]};
}

}  // namespace rill::nn
