#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/parsing/feature_specs.h"

namespace rill {

// What a node wants of Examples whose attributes sparse_keys and dense_keys name the features.
FeatureSpecs example_specs(const KernelNode& node);

// Parses the serialized Examples of input 0; defaults of dense features begin at input
// `first_default`. Outputs: indices, values, shapes of the sparse features, then the dense ones.
// `names`, if there are any, tell the Examples apart in errors.
void parse_examples(KernelCall& call, const FeatureSpecs& specs, std::span<const std::string> names,
                    int first_default);

}  // namespace rill
