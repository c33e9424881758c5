#pragma once

#include <map>
#include <memory>
#include <string>

#include "rill/api/layers/contrib_layers.h"

namespace rill::contrib::layers {

// A variable scope whose variables are model variables, under other names where `renames` says so:
// "kernel" of a tf.layers layer is "weights" here. An empty `scope` means `otherwise`, made unique.
// Open as long as the result lives.
std::unique_ptr<VariableScopeBlock> model_scope(const ScopeChoice& scope,
                                                const std::string& otherwise, Reuse reuse,
                                                const std::map<std::string, std::string>& renames,
                                                std::source_location at);

// A model variable of the current scope.
Variable model_variable(const std::string& name, const PartialShape& shape, DType dtype,
                        const Initializer& initializer, const Regularizer& regularizer,
                        bool trainable);

// Adds a weight's variables to what `collections` says of all and of `name`.
void collect(const rill::layers::Weight& weight, const std::string& name,
             const VariableCollections& collections);

// What comes after a layer: normalizer, activation, collections.
Output finished(Output outputs, const Activation& normalizer, const Activation& activation,
                const Names& collections, const VariableScopeBlock& in);

}  // namespace rill::contrib::layers
