#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

Shapes dense_table_shape(const ShapeCtx& c) {
  const PartialShape& key = c.input(0);
  require(!key.has_rank() || key.rank() <= 1, "Shape must be at most rank 1 but is rank ",
          key.has_rank() ? key.rank() : 0);
  return scalar_output(c);
}

}  // namespace

extern constexpr OpDecl kHashTableV2{
    .name = "HashTableV2",
    .doc = "A table that is filled once.",
    .outputs = {"table_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "use_node_name_sharing: bool = false", "key_dtype: type", "value_dtype: type"},
    .traits = kStateful | kNoLastingEffect,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kHashTableV2));

extern constexpr OpDecl kHashTable = string_handle_maker<kHashTableV2>(
    {.name = "HashTable",
     .doc = "A table that is filled once; its handle is a reference to strings."});
static_assert(well_formed(kHashTable));

extern constexpr OpDecl kMutableHashTableV2{
    .name = "MutableHashTableV2",
    .doc = "A table that steps change.",
    .outputs = {"table_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "use_node_name_sharing: bool = false", "key_dtype: type", "value_dtype: type"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kMutableHashTableV2));

extern constexpr OpDecl kMutableHashTable = string_handle_maker<kMutableHashTableV2>(
    {.name = "MutableHashTable",
     .doc = "A table that steps change; its handle is a reference to strings."});
static_assert(well_formed(kMutableHashTable));

extern constexpr OpDecl kMutableHashTableOfTensorsV2{
    .name = "MutableHashTableOfTensorsV2",
    .doc = "A table whose values are vectors.",
    .outputs = {"table_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "use_node_name_sharing: bool = false", "key_dtype: type", "value_dtype: type",
              "value_shape: shape = {}"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kMutableHashTableOfTensorsV2));

extern constexpr OpDecl kMutableHashTableOfTensors =
    string_handle_maker<kMutableHashTableOfTensorsV2>(
        {.name = "MutableHashTableOfTensors",
         .doc = "A table whose values are vectors; its handle is a reference to strings."});
static_assert(well_formed(kMutableHashTableOfTensors));

extern constexpr OpDecl kMutableDenseHashTable{
    .name = "MutableDenseHashTable",
    .doc = "A table in one block of buckets; `empty_key` marks those without a value.",
    .inputs = {"empty_key: key_dtype"},
    .outputs = {"table_handle: Ref(string)"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "use_node_name_sharing: bool = false", "key_dtype: type", "value_dtype: type",
              "value_shape: shape = {}", "initial_num_buckets: int = 131072",
              "max_load_factor: float = 0.8"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kMutableDenseHashTable));

extern constexpr OpDecl kMutableDenseHashTableV2{
    .name = "MutableDenseHashTableV2",
    .doc =
        "A table in one block of buckets; `empty_key` marks those without a value, `deleted_key` "
        "those that lost theirs.",
    .inputs = {"empty_key: key_dtype", "deleted_key: key_dtype"},
    .outputs = {"table_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "use_node_name_sharing: bool = false", "key_dtype: type", "value_dtype: type",
              "value_shape: shape = {}", "initial_num_buckets: int = 131072",
              "max_load_factor: float = 0.8"},
    .traits = kStateful,
    .shape = dense_table_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kMutableDenseHashTableV2));

}  // namespace rill
