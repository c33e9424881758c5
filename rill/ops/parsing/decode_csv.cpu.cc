#include <algorithm>
#include <bit>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/csv_record.h"
#include "rill/ops/string/map_strings.h"
#include "rill/ops/string/number_text.h"

namespace rill {

extern const OpDecl kDecodeCSV;

namespace {

struct CsvState final : KernelState {
  explicit CsvState(const CsvFormat& format) : format(format) {}
  CsvFormat format;
  std::string na_value;
  std::vector<std::int64_t> columns;  // which ones are wanted; empty: all
};

std::unique_ptr<KernelState> make_csv_state(const KernelNode& node) {
  const auto& delimiter = node.attr<std::string>("field_delim");
  require(delimiter.size() == 1, "field_delim should be only 1 char");
  auto state =
      std::make_unique<CsvState>(CsvFormat(delimiter[0], node.attr<bool>("use_quote_delim")));
  state->na_value = node.attr<std::string>("na_value");
  state->columns = node.attr<std::vector<std::int64_t>>("select_cols");
  const auto& columns = state->columns;
  require(columns.empty() || columns.size() == node.output_types.size(),
          "select_cols should match output size");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    require(columns[i] >= 0, "select_cols should be non-negative indices");
    require(i == 0 || columns[i] > columns[i - 1],
            "select_cols should be strictly increasing indices");
  }
  return state;
}

// Moves the wanted fields to the front.
void select(const std::vector<std::int64_t>& columns, std::vector<CsvField>* fields) {
  if (columns.empty()) return;
  std::size_t kept = 0;
  for (const std::int64_t column : columns)
    if (static_cast<std::uint64_t>(column) < fields->size())
      (*fields)[kept++] = (*fields)[static_cast<std::size_t>(column)];
  fields->resize(kept);
}

// One column on its way into an output.
struct Column {
  DType type;
  void* values;
  const void* default_value;  // nullptr: the field must be there
};

template <class T>
void write_number(const Column& column, std::size_t c, std::size_t record, std::string_view text) {
  require(read_number(text, static_cast<T*>(column.values) + record), "Field ", c, " in record ",
          record, " is not a valid ", dtype_of<T>, ": ", text);
}

void write_text(const Column& column, std::size_t c, std::size_t record, std::string_view text) {
  switch (column.type) {
    case DType::i32:
      return write_number<std::int32_t>(column, c, record, text);
    case DType::i64:
      return write_number<std::int64_t>(column, c, record, text);
    case DType::f32:
      return write_number<float>(column, c, record, text);
    case DType::f64:
      return write_number<double>(column, c, record, text);
    default:
      static_cast<std::string*>(column.values)[record].assign(text);
  }
}

void write_default(const Column& column, std::size_t c, std::size_t record) {
  require(column.default_value != nullptr, "Field ", c, " is required but missing in record ",
          record, "!");
  const std::size_t size = element_size(column.type);
  copy_elements(column.type, static_cast<char*>(column.values) + record * size,
                column.default_value, 1);
}

std::vector<Column> columns_of(const KernelCall& call) {
  std::vector<Column> columns;
  for (int i = 0; i < call.output_count(); ++i) {
    const Tensor &value = call.input_tensor(1 + i), &output = call.output_tensor(i);
    require(value.element_count() <= 1, "There should only be 1 default per field but field ", i,
            " has ", value.element_count());
    columns.push_back({output.dtype(), output.raw_data(),
                       value.element_count() == 0 ? nullptr : value.raw_data()});
  }
  return columns;
}

void decode_csv(KernelCall& call) {
  const auto& state = call.state<CsvState>();
  const std::span<const std::string> records = call.input<std::string>(0);
  const std::vector<Column> columns = columns_of(call);
  call.parallel_for(records.size(), 50 + 3 * typical_length(records),
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<CsvField> fields;
                      for (std::size_t i = begin; i < end; ++i) {
                        split_record(records[i], state.format, &fields);
                        select(state.columns, &fields);
                        require(fields.size() == columns.size(), "Expect ", columns.size(),
                                " fields but have ", fields.size(), " in record ", i);
                        for (std::size_t c = 0; c < columns.size(); ++c) {
                          const CsvField& field = fields[c];
                          if (field.has_escapes) {
                            const std::string text = unescaped(field.text);
                            text == state.na_value ? write_default(columns[c], c, i)
                                                   : write_text(columns[c], c, i, text);
                          } else if (field.text.empty() || field.text == state.na_value) {
                            write_default(columns[c], c, i);
                          } else {
                            write_text(columns[c], c, i, field.text);
                          }
                        }
                      }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDecodeCSV, .run = decode_csv, .make_state = make_csv_state},
};

}  // namespace

extern const KernelTable kDecodeCsvCpu{kEntries};

}  // namespace rill
