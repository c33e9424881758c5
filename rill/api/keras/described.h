#pragma once

#include <functional>
#include <string>

#include "rill/api/keras/activations.h"
#include "rill/api/keras/losses.h"
#include "rill/api/keras/regularizers.h"
#include "rill/io/json_values.h"

// Initializers, regularizers, constraints and activations as JSON, which files of models hold:
// {"class_name": ..., "config": {...}}, or the name of a function. Those that keras's functions
// have made say what they are; what a program has written itself throws InvalidArgument, unless the
// program has given it a name (custom_objects.h).
namespace rill::keras {

Json described_as(const std::string& class_name, JsonMembers config);

// A function of a weight or an output, and what it is.
struct DescribedFunction {
  std::function<Output(Output)> apply = {};
  Json description = {};
  Output operator()(Output x) const { return apply(x); }
};
Initializer described(Initializer initializer, Json description);
// null: it is none, or says nothing of itself.
Json description_of(const Initializer& initializer);
Json description_of(const std::function<Output(Output)>& function);
Json description_of(const Regularizer& regularizer);

namespace initializers {
Json serialize(const rill::Initializer& initializer);  // null for none
// Of a description or a name.
rill::Initializer deserialize(const Json& config);
}  // namespace initializers
namespace regularizers {
Json serialize(const Penalty& regularizer);
Json serialize(const rill::Regularizer& regularizer);
Penalty deserialize(const Json& config);  // none for null
}  // namespace regularizers
namespace constraints {
Json serialize(const std::function<Output(Output)>& constraint);
std::function<Output(Output)> deserialize(const Json& config);
}  // namespace constraints
namespace activations {
// The name: "linear" where there is none.
std::string serialize(const Activation& activation);
}  // namespace activations

}  // namespace rill::keras
