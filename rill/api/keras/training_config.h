#pragma once

#include "rill/api/keras/model.h"
#include "rill/io/json_values.h"

// How a model is trained, as JSON, which files of whole models hold.
namespace rill::keras {

// {"class_name": "Adam", "config": {...}} with the numbers that the variables of the optimizer have
// in the session. Throws InvalidArgument for a learning rate that is a function of the program.
Json optimizer_config(Optimizer& optimizer, Session& session);
Json optimizer_config(Optimizer& optimizer);  // with the numbers that it was made with
OptimizerRef optimizer_from_config(const Json& config);

namespace optimizers {
inline Json serialize(const OptimizerRef& optimizer) { return optimizer_config(*optimizer); }
inline OptimizerRef deserialize(const Json& config) { return optimizer_from_config(config); }
}  // namespace optimizers

// {"optimizer_config": ..., "loss": ..., "metrics": [...], ...} of a compiled model.
Json training_config(Model& model);
// Compiles as that says. Throws Unimplemented for what this interface cannot be told: other metrics
// for each output, sample weights for each step.
void compile_as(Model& model, const Json& training_config);

}  // namespace rill::keras
