// The loss of labels that are a matrix, by way of the op for sparse labels.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/ctc.h"
#include "rill/api/nn/ctc_parts.h"

namespace rill::nn {

using namespace ctc_parts;

namespace {

// The first `length` labels of each row; where there are none, one that is no blank, since the op
// takes no empty rows.
SparseTensor sparse_labels(Output dense, Output length, std::int64_t blank) {
  const Output filled = raw::Maximum(length, 1);
  const Output mask = sequence_mask(filled, {.maxlen = dim_of(dense, 1), .name = {}});
  const Output places = raw::Where(mask);
  const Output values = gather_nd(dense, places);
  const Output rows = slice(places, {SliceRange{}, Input(0)});
  const Output is_empty = raw::Equal(gather(length, rows), 0);
  const Output some =
      raw::Fill(shape(values), cast(blank == 0 ? 1 : 0, math_parts::type_of(dense)));
  const Output sizes = shape(dense, {.out_type = DType::i64, .name = {}});
  return SparseTensor(places, cast(where(is_empty, some, values), DType::i32), sizes);
}

// Which rows have more labels, with the blanks between equal ones, than logits.
Output too_long(Output labels, Output label_length, Output logit_length) {
  const Output before = columns(labels, {}, -1);
  const Output same = raw::Equal(before, columns(labels, 1, {}));
  const Output counted = sequence_mask(label_length - 1, {.maxlen = dim_of(same, 1), .name = {}});
  const Output between =
      reduce_sum(cast(raw::LogicalAnd(same, counted), DType::i32), {.axis = Input(1)});
  const Output needed = cast(label_length, DType::i32) + between;
  return raw::Greater(needed, cast(logit_length, DType::i32));
}

// The loss of rows without labels: nothing but blanks, which are the last class.
Output blanks_only(Output logits, Output logit_length) {
  const Output blanks = slice(raw::LogSoftmax(logits), {SliceRange{}, SliceRange{}, Input(-1)});
  const Output mask = sequence_mask(
      logit_length,
      {.maxlen = dim_of(logits, 0), .dtype = math_parts::type_of(logits), .name = {}});
  return -reduce_sum(blanks * transpose(mask), {.axis = Input(0)});
}

}  // namespace

Output ctc_loss_v2(const Input& labels, const Input& logits, const Input& label_length,
                   const Input& logit_length, const CtcLossV2Options& options,
                   std::source_location at) {
  const Block in(options.name, "ctc_loss_dense", at);
  const Output given = as_tensor(logits, "logits"), dense = as_tensor(labels, "labels");
  const Output lengths = as_tensor(label_length, "label_length");
  const Output frames = as_tensor(logit_length, "logit_length");
  Output x = is_narrow(given) ? cast(given, DType::f32) : given;
  if (!options.logits_time_major) x = transpose(x, {.perm = parts::ints({1, 0, 2})});
  const std::int64_t blank = blank_of(x, options.blank_index.value_or(0));
  SparseTensor spelled = sparse_labels(dense, lengths, blank);
  move_blank_last(x, spelled, blank);
  const Output spelled_loss =
      ctc_loss(spelled, x, frames, {.ignore_longer_outputs_than_inputs = true});
  const Output loss = where(raw::Equal(lengths, 0), blanks_only(x, frames), spelled_loss);
  constexpr double kImpossible = 706.8936237514;  // -log(1e-307)
  const Output impossible = zeros_like(loss) + kImpossible;
  const Output result = where(too_long(dense, lengths, frames), impossible, loss);
  return is_narrow(given) ? cast(result, math_parts::type_of(given)) : result;
}

}  // namespace rill::nn
