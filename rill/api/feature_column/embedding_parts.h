#pragma once

#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/nn/embedding.h"

namespace rill::feature_column {

// The rows of a variable, its parts, or what stands for it.
nn::EmbeddingTable table_of(const AnyVariable& variable);
std::vector<Variable> variables_of(const AnyVariable& variable);

// The rows of the ids of each example, combined: [examples, dimension]. `name` is that of the
// nodes.
Output embedding_rows(const AnyVariable& table, const IdWeightPair& ids,
                      const EmbeddingSettings& settings, const std::string& name);

// Makes the table begin as a tensor of a checkpoint does, where the settings name one.
void load_from_checkpoint(const AnyVariable& table, const EmbeddingSettings& settings);

// The only variable of a collection, made where the collection is empty. Throws InvalidArgument
// where it holds more, or one of another shape.
AnyVariable shared_variable(const std::string& collection, const Shape& shape,
                            const std::function<AnyVariable()>& make);

// Adds a variable, or each of its parts, to collections other than that of all variables.
void add_to_weight_collections(const AnyVariable& variable,
                               const std::vector<std::string>& collections);

}  // namespace rill::feature_column
