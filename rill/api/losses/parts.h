#pragma once

#include "rill/api/losses/losses.h"

namespace rill::losses {

// What the functions of this folder are made of. All build in current_scope().

// Labels and predictions as float32; throws InvalidArgument when their shapes do not fit.
struct Pair {
  Output labels = {}, predictions = {};
};
Pair float_pair(const Input& labels, const Input& predictions);

void require_compatible(Output x, Output y);

// How many losses have weights that are not zero; `per_batch`: for each example.
Output num_present(Output losses, Output weights, bool per_batch = false);

// The options that all losses have, in the block of the one that takes them.
template <class Options>
LossOptions common(const Options& options, const Block& in) {
  return {options.weights, in.own_name(), options.loss_collection, options.reduction};
}

}  // namespace rill::losses
