#pragma once

// tf.nn in one header.

// IWYU pragma: begin_exports
#include "rill/api/gen/plain_math.h"
#include "rill/api/gen/plain_nn.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/average_loss.h"
#include "rill/api/nn/conv_transpose.h"
#include "rill/api/nn/convolution.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/api/nn/ctc.h"
#include "rill/api/nn/dropout.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/morphology.h"
#include "rill/api/nn/normalization.h"
#include "rill/api/nn/pooling.h"
#include "rill/api/nn/sampled_loss.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/nn/space_to_batch.h"
// IWYU pragma: end_exports

namespace rill::nn {

// top_k(x, 3), as programs in Python write it.
template <class K>
requires std::convertible_to<const K&, Input>  // not options in braces
    raw::TopKV2Outputs top_k(const Input& input, const K& k, const math::TopKOptions& options = {},
                             std::source_location at = std::source_location::current()) {
  return top_k(input, {.k = Input(k), .sorted = options.sorted, .name = options.name}, at);
}

}  // namespace rill::nn
