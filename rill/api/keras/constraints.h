#pragma once

#include <functional>

#include "rill/api/variables/get_variable.h"

namespace rill::keras::constraints {

// What weights become after each update of theirs. The norms are those over `axis`: for dense
// kernels, 0 is the norm of the weights of each unit. max_norm scales down what is longer than
// max_value.
std::function<Output(Output)> max_norm(double max_value = 2, std::vector<std::int64_t> axis = {0});
// Brings norms into [min, max]; a rate below 1 goes only that part of the way.
std::function<Output(Output)> min_max_norm(double min_value = 0.0, double max_value = 1.0,
                                           double rate = 1.0, std::vector<std::int64_t> axis = {0});
// Negative weights become 0; vectors get the length 1.
std::function<Output(Output)> non_neg();
std::function<Output(Output)> unit_norm(std::vector<std::int64_t> axis = {0});
// Equal values at equal distance from the middle of each filter. Throws InvalidArgument when it is
// applied to weights that are not [n, n, channels, filters].
std::function<Output(Output)> radial_constraint();

// The same as layers and variables take it.
ConstraintFunction as_constraint(std::function<Output(Output)> change);

}  // namespace rill::keras::constraints
