#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/variables/get_variable.h"

namespace rill::contrib::layers {

// Losses of weights: scale * sum(|w|), or scale * sum(w^2) / 2. With a scale of 0 there is no loss
// and no node. Throw InvalidArgument when it is negative. `scope` names the nodes' scope.
Regularizer l1_regularizer(double scale, const std::string& scope = {});
Regularizer l2_regularizer(double scale, const std::string& scope = {});
Regularizer l1_l2_regularizer(double scale_l1 = 1.0, double scale_l2 = 1.0,
                              const std::string& scope = {});
// The sum of what others make; empty ones count as nothing, and none at all gives an empty
// regularizer.
Regularizer sum_regularizer(const std::vector<Regularizer>& regularizers,
                            const std::string& scope = {});

// The sum of the losses of all weights, those of the collection WEIGHTS when absent; it is added to
// REGULARIZATION_LOSSES. Throws InvalidArgument when there are no weights or a loss is no scalar.
Output apply_regularization(const Regularizer& regularizer,
                            const std::optional<std::vector<Variable>>& weights_list = {},
                            std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
