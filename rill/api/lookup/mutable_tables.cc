#include "rill/api/lookup/mutable_tables.h"

#include "rill/api/core/made_here.h"
#include "rill/graph/graph.h"

namespace rill::lookup {

Output MutableTable::lookup(const Input& keys, const TableOpOptions& options,
                            std::source_location at) const {
  return find(keys, options.name, "_lookup_table_find", true, at);
}

Node& MutableTable::insert(const Input& keys, const Input& values, const TableOpOptions& options,
                           std::source_location at) const {
  const Block in(options.name, name() + "_lookup_table_insert", at);
  const Output key_tensor = as_tensor(keys, "keys", key_dtype());
  const Output value_tensor = as_tensor(values, "values", value_dtype());
  return scope(true).add("LookupTableInsertV2", {resource_handle(), key_tensor, value_tensor});
}

Node& MutableTable::remove(const Input& keys, const TableOpOptions& options,
                           std::source_location at) const {
  const MadeHere made(at);
  const Output key_tensor = checked_keys(keys);
  const Block in(options.name, name() + "_lookup_table_remove", at);
  return current_scope().add("LookupTableRemoveV2", {resource_handle(), key_tensor});
}

TableContents MutableTable::export_(const TableOpOptions& options, std::source_location at) const {
  return contents(options.name, "_lookup_table_export_values", true, at);
}

Output MutableTable::size(const TableOpOptions& options, std::source_location at) const {
  const Block in(options.name, name() + "_Size", at);
  return scope(true).add("LookupTableSizeV2", {resource_handle()}).output();
}

void MutableTable::save_with_graph() {
  std::shared_ptr<Collectable> saveable =
      std::make_shared<TableSaveable>(resource_handle(), export_(), name());
  add_to_collection(GraphKeys::SAVEABLE_OBJECTS, saveable);
}

Node& TableSaveable::restore(Output keys, Output values) const {
  const Block in(name + "_table_restore", "table_restore", std::source_location::current());
  return current_scope()
      .colocated_with(*handle.node)
      .add("LookupTableImportV2", {handle, keys, values});
}

MutableHashTable::MutableHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                                   const MutableHashTableOptions& options, std::source_location at)
    : MutableTable(key_dtype, value_dtype) {
  const MadeHere made(at);
  const Output missing = as_tensor(default_value, "Const", value_dtype);
  set_default(missing);
  const bool of_scalars = missing.shape().has_rank() && missing.shape().rank() == 0;
  AttrMap attrs{{"shared_name", options.shared_name},
                {"use_node_name_sharing", options.checkpoint && options.shared_name.empty()},
                {"key_dtype", key_dtype},
                {"value_dtype", value_dtype}};
  if (!of_scalars) attrs["value_shape"] = missing.shape();
  set_handle(current_scope()
                 .add(of_scalars ? "MutableHashTableV2" : "MutableHashTableOfTensorsV2", {},
                      std::move(attrs), options.name)
                 .output());
  if (options.checkpoint) save_with_graph();
}

DenseHashTable::DenseHashTable(DType key_dtype, DType value_dtype, const Input& default_value,
                               const Input& empty_key, const Input& deleted_key,
                               const DenseHashTableOptions& options, std::source_location at)
    : MutableTable(key_dtype, value_dtype) {
  const MadeHere made(at);
  const Output missing = as_tensor(default_value, "default_value", value_dtype);
  set_default(missing);
  const Output empty = as_tensor(empty_key, "empty_key", key_dtype);
  const Output deleted = as_tensor(deleted_key, "deleted_key", key_dtype);
  constexpr std::int64_t kBuckets = 131072;
  set_handle(current_scope()
                 .add("MutableDenseHashTableV2", {empty, deleted},
                      {{"shared_name", options.shared_name},
                       {"use_node_name_sharing", options.checkpoint && options.shared_name.empty()},
                       {"value_dtype", value_dtype},
                       {"value_shape", missing.shape()},
                       {"initial_num_buckets", options.initial_num_buckets.value_or(kBuckets)}},
                      options.name)
                 .output());
  if (options.checkpoint) save_with_graph();
}

}  // namespace rill::lookup
