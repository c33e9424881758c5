#include "rill/kernel/kernel_entries.h"
#include "rill/kernel/op_guard.h"
#include "rill/ops/lookup/table.h"
#include "rill/ops/lookup/vocabulary.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kLookupTableFind, kLookupTableFindV2, kLookupTableInsert, kLookupTableInsertV2,
    kLookupTableRemoveV2, kLookupTableSize, kLookupTableSizeV2, kLookupTableExport,
    kLookupTableExportV2, kLookupTableImport, kLookupTableImportV2, kInitializeTable,
    kInitializeTableV2, kInitializeTableFromTextFile, kInitializeTableFromTextFileV2;

namespace {

std::shared_ptr<Table> table_input(const KernelCall& call) { return shared_input_as<Table>(call); }

// Keys, and values where the op takes some, must have the table's types.
std::shared_ptr<Table> typed_table_input(const KernelCall& call) {
  auto table = table_input(call);
  const DType key = call.input_tensor(1).dtype();
  const DType value = call.input_count() > 2 ? call.input_tensor(2).dtype() : table->value_type();
  require(key == table->key_type() && value == table->value_type(),
          "Signature mismatch, have: ", key, "->", value, " expected: ", table->key_type(), "->",
          table->value_type());
  return table;
}

void find(KernelCall& call) {
  call.set_output(0,
                  typed_table_input(call)->find(call, call.input_tensor(1), call.input_tensor(2)));
}
void insert(KernelCall& call) {
  typed_table_input(call)->insert(call.input_tensor(1), call.input_tensor(2));
}
void remove(KernelCall& call) { typed_table_input(call)->remove(call.input_tensor(1)); }
void import(KernelCall& call) {
  typed_table_input(call)->import(call.input_tensor(1), call.input_tensor(2));
}
void initialize(KernelCall& call) {
  const auto table = typed_table_input(call);
  require(call.input_tensor(1).rank() <= 1, "Keys must be a vector, but received shape ",
          call.input_tensor(1).shape());
  table->initialize(call.input_tensor(1), call.input_tensor(2));
}
void size(KernelCall& call) {
  call.set_output(0, Tensor::scalar<std::int64_t>(table_input(call)->size()));
}

void export_all(KernelCall& call) {
  const auto table = table_input(call);
  require(table->key_type() == call.node().output_type(0) &&
              table->value_type() == call.node().output_type(1),
          "Signature mismatch, the table has ", table->key_type(), "->", table->value_type());
  auto [keys, values] = table->export_all();
  call.set_output(0, std::move(keys));
  call.set_output(1, std::move(values));
}

void initialize_from_file(KernelCall& call) {
  const auto table = table_input(call);
  const Tensor& name = call.input_tensor(1);
  require(name.element_count() == 1, "filename should be a single string, but got ", name.shape());
  const KernelNode& node = call.node();
  const auto& delimiter = node.attr<std::string>("delimiter");
  require(delimiter.size() == 1, "delimiter should be only 1 char");
  check_path(call, *name.data<std::string>());
  const auto [keys, values] =
      read_vocabulary({.file = *name.data<std::string>(),
                       .key_type = table->key_type(),
                       .value_type = table->value_type(),
                       .key_index = node.attr<std::int64_t>("key_index"),
                       .value_index = node.attr<std::int64_t>("value_index"),
                       .lines = node.attr<std::int64_t>("vocab_size"),
                       .delimiter = delimiter[0]});
  table->initialize(keys, values);
}

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kLookupTableFind, find),
    allocating_kernel(kLookupTableFindV2, find),
    allocating_kernel(kLookupTableInsert, insert),
    allocating_kernel(kLookupTableInsertV2, insert),
    allocating_kernel(kLookupTableRemoveV2, remove),
    allocating_kernel(kLookupTableSize, size),
    allocating_kernel(kLookupTableSizeV2, size),
    allocating_kernel(kLookupTableExport, export_all),
    allocating_kernel(kLookupTableExportV2, export_all),
    allocating_kernel(kLookupTableImport, import),
    allocating_kernel(kLookupTableImportV2, import),
    allocating_kernel(kInitializeTable, initialize),
    allocating_kernel(kInitializeTableV2, initialize),
    allocating_kernel(kInitializeTableFromTextFile, initialize_from_file),
    allocating_kernel(kInitializeTableFromTextFileV2, initialize_from_file),
};

}  // namespace

extern const KernelTable kLookupCpu{kEntries};

}  // namespace rill
