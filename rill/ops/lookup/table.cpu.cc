#include "rill/ops/lookup/table.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kHashTable, kHashTableV2, kMutableHashTable, kMutableHashTableV2,
    kMutableHashTableOfTensors, kMutableHashTableOfTensorsV2, kMutableDenseHashTable,
    kMutableDenseHashTableV2;

namespace {

// The static shape of values; scalars where the op has no such attribute.
Shape value_shape(const KernelNode& node) {
  const auto attr = node.attrs.find("value_shape");
  if (attr == node.attrs.end()) return {};
  const auto& shape = attr->second.get<PartialShape>();
  return shape.is_full() ? shape.full() : Shape();
}

void hand_out(KernelCall& call, const std::function<std::shared_ptr<Table>()>& make) {
  const DType key = call.node().attr<DType>("key_dtype");
  const DType value = call.node().attr<DType>("value_dtype");
  auto& handle = call.state<SharedHandle>();
  handle.set_output(call, Table::kTypeName, make, [&](const Resource& found) {
    const auto* table = dynamic_cast<const Table*>(&found);
    require(table != nullptr, handle.name(), " is not a table");
    require(table->key_type() == key && table->value_type() == value,
            "Conflicting key/value dtypes ", key, "->", value, " with ", table->key_type(), "-",
            table->value_type(), " for table ", handle.name());
  });
}

template <TableKind kind>
void row_table(KernelCall& call) {
  const KernelNode& node = call.node();
  const Shape shape = value_shape(node);
  if (kind == TableKind::kOfTensors)
    require(shape.rank() == 1, "Default value must be a vector, got shape ", shape);
  hand_out(call, [&] {
    return make_row_table(kind, call.state<SharedHandle>().name(), node.attr<DType>("key_dtype"),
                          node.attr<DType>("value_dtype"), shape);
  });
}

void dense_table(KernelCall& call) {
  const KernelNode& node = call.node();
  hand_out(call, [&] {
    return make_dense_table(
        call.state<SharedHandle>().name(),
        {.empty_key = call.input_tensor(0),
         .deleted_key = call.input_count() > 1 ? call.input_tensor(1) : Tensor(),
         .value_type = node.attr<DType>("value_dtype"),
         .value_shape = value_shape(node),
         .initial_buckets = node.attr<std::int64_t>("initial_num_buckets"),
         .max_load_factor = node.attr<float>("max_load_factor")});
  });
}

constexpr TypeSet kNumbers = DType::f32 | DType::f64 | DType::i32;
constexpr TypeSet kAnyKey = DType::i32 | DType::i64 | DType::string;
constexpr TypeSet kLongKey = DType::i64 | DType::string;

constexpr KernelEntry entry(const OpDecl& op, KernelFn run, TypeSet keys, TypeSet values) {
  return {.op = &op,
          .types = keys,
          .run = run,
          .make_state = SharedHandle::make,
          .allocates = true,
          .expensive = false,
          .types2 = values};
}

constexpr auto kOnce = row_table<TableKind::kInitialized>;
constexpr auto kMutable = row_table<TableKind::kMutable>;
constexpr auto kTensors = row_table<TableKind::kOfTensors>;

constexpr KernelEntry kEntries[] = {
    entry(kHashTable, kOnce, kAnyKey, kNumbers | DType::string),
    entry(kHashTable, kOnce, kLongKey, DType::i64),
    entry(kHashTable, kOnce, DType::string, DType::boolean),
    entry(kHashTableV2, kOnce, kAnyKey, kNumbers | DType::string),
    entry(kHashTableV2, kOnce, kLongKey, DType::i64),
    entry(kHashTableV2, kOnce, DType::string, DType::boolean),
    entry(kMutableHashTable, kMutable, kAnyKey, kNumbers),
    entry(kMutableHashTable, kMutable, kLongKey, DType::i64),
    entry(kMutableHashTable, kMutable, DType::i64, DType::string | DType::variant),
    entry(kMutableHashTable, kMutable, DType::string, DType::boolean),
    entry(kMutableHashTableV2, kMutable, kAnyKey, kNumbers),
    entry(kMutableHashTableV2, kMutable, kLongKey, DType::i64),
    entry(kMutableHashTableV2, kMutable, DType::i64, DType::string | DType::variant),
    entry(kMutableHashTableV2, kMutable, DType::string, DType::boolean),
    entry(kMutableHashTableOfTensors, kTensors, kAnyKey, kNumbers),
    entry(kMutableHashTableOfTensors, kTensors, kLongKey, DType::i64),
    entry(kMutableHashTableOfTensors, kTensors, DType::i64, DType::string),
    entry(kMutableHashTableOfTensors, kTensors, DType::string, DType::boolean),
    entry(kMutableHashTableOfTensorsV2, kTensors, kAnyKey, kNumbers),
    entry(kMutableHashTableOfTensorsV2, kTensors, kLongKey, DType::i64),
    entry(kMutableHashTableOfTensorsV2, kTensors, DType::i64, DType::string),
    entry(kMutableHashTableOfTensorsV2, kTensors, DType::string, DType::boolean),
    entry(kMutableDenseHashTable, dense_table, kAnyKey, kNumbers),
    entry(kMutableDenseHashTable, dense_table, kLongKey, DType::i64 | DType::boolean),
    entry(kMutableDenseHashTable, dense_table, DType::i64, DType::variant),
    entry(kMutableDenseHashTableV2, dense_table, kAnyKey, kNumbers),
    entry(kMutableDenseHashTableV2, dense_table, kLongKey, DType::i64 | DType::boolean),
    entry(kMutableDenseHashTableV2, dense_table, DType::i64, DType::variant),
};

}  // namespace

extern const KernelTable kTableCpu{kEntries};

}  // namespace rill
