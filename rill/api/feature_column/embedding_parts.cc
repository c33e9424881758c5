#include "rill/api/feature_column/embedding_parts.h"

#include "rill/api/core/texts.h"
#include "rill/api/saver/checkpoint_utils.h"

namespace rill::feature_column {
namespace {

std::string name_of(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable)) return plain->name();
  return std::get<PartitionedVariableRef>(variable)->name();
}

PartialShape shape_of(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable)) return plain->shape();
  return PartialShape(std::span(std::get<PartitionedVariableRef>(variable)->shape()));
}

CollectionItem item_of(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable))
    return std::shared_ptr<Collectable>(plain->state());
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&variable))
    return std::shared_ptr<Collectable>(*parts);
  if (const auto* tensor = std::get_if<Output>(&variable)) return *tensor;
  return std::get<std::shared_ptr<Collectable>>(variable);
}

AnyVariable variable_of(const CollectionItem& item) {
  if (const auto* tensor = std::get_if<Output>(&item)) return *tensor;
  const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item);
  require(object != nullptr, "A collection of shared embeddings holds something else.");
  if (auto state = std::dynamic_pointer_cast<VariableState>(*object)) return Variable(state);
  if (auto parts = std::dynamic_pointer_cast<PartitionedVariable>(*object)) return parts;
  return *object;
}

constexpr const char* kFixes =
    " Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any "
    "variables to this collection. The feature_column library already adds a variable under the "
    "hood.";

}  // namespace

nn::EmbeddingTable table_of(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable)) return std::vector<Variable>{*plain};
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&variable)) return **parts;
  const auto* tensor = std::get_if<Output>(&variable);
  require_type(tensor != nullptr, "Embeddings must be a variable or a tensor.");
  return std::vector<Output>{*tensor};
}

std::vector<Variable> variables_of(const AnyVariable& variable) {
  if (const auto* plain = std::get_if<Variable>(&variable)) return {*plain};
  if (const auto* parts = std::get_if<PartitionedVariableRef>(&variable)) return (*parts)->parts();
  return {};
}

Output embedding_rows(const AnyVariable& table, const IdWeightPair& ids,
                      const EmbeddingSettings& settings, const std::string& name) {
  OptionalInput max_norm;
  if (settings.max_norm) max_norm = Input(*settings.max_norm);
  const PartialShape rank = ids.id_tensor.dense_shape.shape();
  const bool is_matrix = rank.rank() == 1 && rank[0] >= 0 && rank[0] <= 2;
  if (!settings.use_safe_embedding_lookup && is_matrix)
    return nn::embedding_lookup_sparse(table_of(table), ids.id_tensor,
                                       {.sp_weights = ids.weight_tensor,
                                        .partition_strategy = "div",
                                        .combiner = settings.combiner,
                                        .max_norm = max_norm,
                                        .name = name});
  return nn::safe_embedding_lookup_sparse(table_of(table), ids.id_tensor,
                                          {.sparse_weights = ids.weight_tensor,
                                           .combiner = settings.combiner,
                                           .max_norm = max_norm,
                                           .name = name});
}

void load_from_checkpoint(const AnyVariable& table, const EmbeddingSettings& settings) {
  if (!settings.ckpt_to_load_from) return;
  train::ToInitialize variable = variables_of(table);
  if (const auto* plain = std::get_if<Variable>(&table)) variable = *plain;
  train::init_from_checkpoint(*settings.ckpt_to_load_from,
                              {{*settings.tensor_name_in_ckpt, std::move(variable)}});
}

AnyVariable shared_variable(const std::string& collection, const Shape& shape,
                            const std::function<AnyVariable()>& make) {
  const std::vector<CollectionItem> held = get_collection(collection);
  if (held.empty()) {
    const AnyVariable made = make();
    add_to_collection(collection, item_of(made));
    return made;
  }
  require(held.size() == 1, "Collection ", collection, " can only contain one variable.", kFixes);
  const AnyVariable variable = variable_of(held[0]);
  require(shape_of(variable) == PartialShape(shape), "Shared embedding collection ", collection,
          " contains variable ", name_of(variable), " of unexpected shape ",
          shape_text(shape_of(variable)), ". Expected shape is ", shape_text(shape), ".", kFixes);
  return variable;
}

void add_to_weight_collections(const AnyVariable& variable,
                               const std::vector<std::string>& collections) {
  for (const std::string& name : collections) {
    if (name == GraphKeys::GLOBAL_VARIABLES) continue;
    for (const Variable& part : variables_of(variable))
      add_to_collection(name, std::shared_ptr<Collectable>(part.state()));
  }
}

}  // namespace rill::feature_column
