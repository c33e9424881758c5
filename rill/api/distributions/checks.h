#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/shape_input.h"
#include "rill/api/math/formula.h"

namespace rill::distributions {

using formula::Formula;

// What distributions share: checks of parameters and values, and their two ways to state
// probabilities. All build in current_scope().

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
// `x`, once the checks have passed.
Output checked(const Nodes& checks, Output x);

// Both forms of one parameter, of which exactly one is given. `classes`: the last dimension holds
// the probabilities of classes, else each number is one of a yes. Throws InvalidArgument.
struct LogitsAndProbs {
  Output logits, probs;
};
LogitsAndProbs logits_and_probs(const std::optional<Input>& logits,
                                const std::optional<Input>& probs, bool classes, bool validate);

// Checks that the last dimension holds two classes or more, as many as the type can count.
Output with_class_count_checked(Output x);
// Checks that values are whole numbers, not negative.
Output with_counts_checked(Output x);
// Checks that values are not negative and do not change when they are cast to `target`.
Output with_cast_checked(Output x, DType target);

// log(n! / prod(counts!)) over the last dimension.
Output log_combinations(Output n, Output counts);

// Another seed that follows from `seed`.
std::optional<std::int64_t> new_seed(std::optional<std::int64_t> seed, const char* salt);

// [n], a vector.
ShapeInput vector_of(const Input& n);
// [n] and the dimensions of a batch, and more, as one vector.
Output shape_with(const Input& n, Output batch_shape, const std::vector<Input>& more = {});

// The last dimension of a shape on its own, and the others; both unknown where the rank is.
PartialShape last_dim(const PartialShape& shape);
PartialShape all_but_last(const PartialShape& shape);

// x[..., newaxis]
Formula with_new_axis(const Formula& x);

// A number of a floating-point type, for every element of a shape.
Output filled(Output shape, DType dtype, double value, const char* name);

}  // namespace rill::distributions
