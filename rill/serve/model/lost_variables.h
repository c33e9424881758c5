#pragma once

#include <string>

#include "rill/runtime/session/saved_model.h"

namespace rill::serve {

// Throws NotFound when a signature reads variables that the model's checkpoint should hold, and
// there is no checkpoint. Loading, as TensorFlow does it, takes a model without one for a model
// without variables; a server would then put it in the place of one that works.
void check_variables_are_there(const saved_model::Model& model, const std::string& export_dir);

}  // namespace rill::serve
