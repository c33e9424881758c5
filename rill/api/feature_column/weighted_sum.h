#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// How many rows the weights of a column have in a linear model. Throws InvalidArgument where the
// column is neither dense nor categorical.
std::int64_t weight_rows(const FeatureColumn& column);

// The column of a batch times its weights: [examples, units]. sparse_combiner says how several ids
// of an example are put together; dense columns do not look at it.
Output weighted_sum(const FeatureColumn& column, const AnyVariable& weights,
                    FeatureTransformationCache& cache, StateManager& state,
                    const std::string& sparse_combiner);

// The sums of all columns, and the bias.
Output biased_sum(const std::vector<Output>& sums, const Input& bias);

}  // namespace rill::feature_column
