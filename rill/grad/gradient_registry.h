#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rill/graph/grad_ctx.h"

namespace rill {

// Gradients that programs add: of ops that have none (custom ops), and under names of their own,
// which a node asks for with its _gradient_op_type attribute. They come before an op's own.
using GradientFunction = std::function<void(GradCtx&)>;

// `gradient` may be empty: the op has no gradient on purpose. Throws AlreadyExists when the name
// has a gradient. Safe from several threads.
void register_gradient(std::string name, GradientFunction gradient);
// nullptr when nobody registered one.
const GradientFunction* find_registered_gradient(std::string_view name);

}  // namespace rill
