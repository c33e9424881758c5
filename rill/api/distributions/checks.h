#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/shape_input.h"
#include "rill/api/math/formula.h"

namespace rill::distributions {

using formula::Formula;

// What distributions share: checks of parameters and values, and the two forms in which
// probabilities are given. All build in current_scope(). The checks cost time in each step; callers
// make them only if validate_args is set. What fails at run time is InvalidArgument, as of every
// assertion.

using Nodes = std::vector<Node*>;

// ControlDependencies, unless there is nothing to wait for.
class After {
 public:
  explicit After(const Nodes& nodes) {
    if (!nodes.empty()) change_.emplace(std::span<Node* const>(nodes));
  }

 private:
  std::optional<ControlDependencies> change_;
};
// `x`, which is there only once the checks have passed.
Output checked(const Nodes& checks, Output x);

// Both forms of one parameter, of which exactly one is given. With `classes`, the last dimension
// holds the probabilities of classes: probs = softmax(logits), logits = log(probs). Without, each
// number is the probability of a yes: probs = sigmoid(logits), logits = log(p) - log1p(-p).
//
// Throws InvalidArgument when none or both are given, and for a type that is no floating-point
// type. With `validate`, probs must not be negative and must sum to 1, or not exceed it.
struct LogitsAndProbs {
  Output logits = {}, probs = {};
};
LogitsAndProbs logits_and_probs(const OptionalInput& logits, const OptionalInput& probs,
                                bool classes, bool validate);

// Checks that the last dimension holds two classes or more, and no more than the type can count
// without gaps (2^24 in float32): class numbers are computed in that type. What is known statically
// throws InvalidArgument at once and adds no node.
Output with_class_count_checked(Output x);
// Checks that values are whole numbers and not negative; of integers only the sign is looked at.
Output with_counts_checked(Output x);
// Checks that values are not negative and do not change when they are cast to `target`. Bernoulli
// casts to bool, Categorical to int32.
Output with_cast_checked(Output x, DType target);

// log(n! / prod(counts!)) over the last dimension, by lgamma: in how many orders the counts may
// come.
Output log_combinations(Output n, Output counts);

// Another seed that follows from `seed`, for a class that draws twice: the first four bytes of
// md5(seed + salt), as TensorFlow computes it, so that equal seeds give equal samples. None for
// none.
std::optional<std::int64_t> new_seed(std::optional<std::int64_t> seed, const char* salt);

// [n], a vector.
ShapeInput vector_of(const Input& n);
// [n] and the dimensions of a batch, and more, as one vector: the shape of n samples.
Output shape_with(const Input& n, Output batch_shape, const Inputs& more = {});

// The last dimension of a shape on its own, and the others; both unknown where the rank is. Throw
// InvalidArgument for a scalar.
PartialShape last_dim(const PartialShape& shape);
PartialShape all_but_last(const PartialShape& shape);

// x[..., newaxis]
Formula with_new_axis(const Formula& x);

// A number of a floating-point type, for every element of a shape; for NaN and infinity, which no
// formula of the parameters gives.
Output filled(Output shape, DType dtype, double value, const char* name);

}  // namespace rill::distributions
