// Embeddings of tf.nn, and losses that look at a sample of classes.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/nn/sampled_loss.h"
#include "sparse_tensors.h"
#include "variables.h"

namespace rill::python {
namespace {

nn::EmbeddingTable::Shard table_part_of(nb::handle value) {
  if (is_variable(value)) {
    const Variable& variable = variable_object(value).variable;
    return {variable, variable.shape(), variable};
  }
  const nn::Filter tensor = filter_of(value, "params");
  return {tensor, tensor.shape()};
}

// A tensor or variable, several of them, or a variable in parts.
nn::EmbeddingTable table_of(nb::handle value) {
  if (value.is_none()) value_error("params must be specified");
  const bool in_parts = nb::hasattr(value, "_get_variable_list");
  nb::object parts = in_parts ? value.attr("_get_variable_list")() : nb::borrow(value);
  std::vector<nn::EmbeddingTable::Shard> table;
  if (PyList_Check(parts.ptr()) || PyTuple_Check(parts.ptr())) {
    for (nb::handle part : parts) table.push_back(table_part_of(part));
  } else {
    table.push_back(table_part_of(parts));
  }
  return table;
}

SparseTensor sparse_argument(const Call& c, const char* name) {
  if (!is_sparse(c[name])) type_error(name, " must be SparseTensor, got ", type_name_of(c[name]));
  return sparse_of(c[name]);
}

std::optional<SparseTensor> optional_sparse(const Call& c, const char* name) {
  if (!c.has(name)) return {};
  return sparse_argument(c, name);
}

nb::object embedding_lookup(const Call& c) {
  return give(nn::embedding_lookup(table_of(c["params"]), c.input("ids"),
                                   {.partition_strategy = c.text("partition_strategy"),
                                    .max_norm = optional_operand(c, "max_norm"),
                                    .name = c.name()}));
}

nb::object embedding_lookup_sparse(const Call& c) {
  return give(
      nn::embedding_lookup_sparse(table_of(c["params"]), sparse_argument(c, "sp_ids"),
                                  {.sp_weights = optional_sparse(c, "sp_weights"),
                                   .partition_strategy = c.text("partition_strategy"),
                                   .combiner = c.has("combiner") ? c.text("combiner") : "mean",
                                   .max_norm = optional_operand(c, "max_norm"),
                                   .name = c.name()}));
}

nb::object safe_embedding_lookup_sparse(const Call& c) {
  return give(nn::safe_embedding_lookup_sparse(
      table_of(c["embedding_weights"]), sparse_argument(c, "sparse_ids"),
      {.sparse_weights = optional_sparse(c, "sparse_weights"),
       .combiner = c.text("combiner"),
       .default_id = c.optional_integer("default_id"),
       .partition_strategy = c.text("partition_strategy"),
       .max_norm = optional_operand(c, "max_norm"),
       .name = c.name()}));
}

using SampledLoss = Output (*)(const nn::EmbeddingTable&, const nn::EmbeddingTable&, const Input&,
                               const Input&, std::int64_t, std::int64_t,
                               const nn::SampledLossOptions&, std::source_location);
template <SampledLoss function>
nb::object sampled_loss(const Call& c) {
  nn::SampledLossOptions options{.num_true = c.integer("num_true"),
                                 .remove_accidental_hits = c.flag("remove_accidental_hits"),
                                 .partition_strategy = c.text("partition_strategy"),
                                 .name = c.name()};
  if (c.knows("seed")) options.seed = c.optional_integer("seed");
  if (c.has("sampled_values")) {
    std::vector<Output> drawn;
    for (nb::handle part : nb::object(nb::borrow(c["sampled_values"])))
      drawn.push_back(as_tensor(input_from(part, "sampled_values")));
    if (drawn.size() != 3) value_error("sampled_values must be three tensors");
    options.sampled_values = {drawn[0], drawn[1], drawn[2]};
  }
  return give(function(table_of(c["weights"]), table_of(c["biases"]), c.input("labels"),
                       c.input("inputs"), c.integer("num_sampled"), c.integer("num_classes"),
                       options, std::source_location::current()));
}

nb::object compute_accidental_hits(const Call& c) {
  const auto hits = nn::compute_accidental_hits(
      c.input("true_classes", DType::i64), c.input("sampled_candidates", DType::i64),
      c.integer("num_true"), {.seed = c.optional_integer("seed"), .name = c.name()});
  return give_named("ComputeAccidentalHits", "indices ids weights",
                    {hits.indices, hits.ids, hits.weights});
}

constexpr Function kEmbeddings[] = {
    {"nn.embedding_lookup(params, ids, partition_strategy='mod', name=None, "
     "validate_indices=True, max_norm=None)",
     embedding_lookup, "The rows of a table that ids name."},
    {"nn.embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy='mod', name=None, "
     "combiner=None, max_norm=None)",
     embedding_lookup_sparse, "Rows of a table, combined as the rows of sparse ids say."},
    {"nn.safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, "
     "combiner='mean', default_id=None, name=None, partition_strategy='div', max_norm=None)",
     safe_embedding_lookup_sparse, "The same where ids may be missing or invalid."},
    {"nn.nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, "
     "sampled_values=None, remove_accidental_hits=False, partition_strategy='mod', "
     "name='nce_loss')",
     sampled_loss<nn::nce_loss>, "The loss of noise-contrastive estimation."},
    {"nn.sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, "
     "num_true=1, sampled_values=None, remove_accidental_hits=True, partition_strategy='mod', "
     "name='sampled_softmax_loss', seed=None)",
     sampled_loss<nn::sampled_softmax_loss>, "The softmax loss over a sample of classes."},
    {"nn.compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, "
     "name=None)",
     compute_accidental_hits, "Where sampled classes are true ones."},
};

}  // namespace

void add_nn_embeddings() { add_functions(kEmbeddings); }

}  // namespace rill::python
