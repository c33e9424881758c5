#pragma once

#include <functional>

#include "rill/api/variables/get_variable.h"

namespace rill::keras::constraints {

// What weights become after each update of theirs. The norms are those over `axis`.
std::function<Output(Output)> max_norm(double max_value = 2, std::vector<std::int64_t> axis = {0});
std::function<Output(Output)> min_max_norm(double min_value = 0.0, double max_value = 1.0,
                                           double rate = 1.0, std::vector<std::int64_t> axis = {0});
std::function<Output(Output)> non_neg();
std::function<Output(Output)> unit_norm(std::vector<std::int64_t> axis = {0});
// Equal values at equal distance from the middle of each filter.
std::function<Output(Output)> radial_constraint();

// The same as layers and variables take it.
ConstraintFunction as_constraint(std::function<Output(Output)> change);

}  // namespace rill::keras::constraints
