#include "rill/api/data/readers.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/core/static_value.h"
#include "rill/api/data/stage.h"
#include "rill/api/gen/array.h"
#include "rill/base/error.h"

namespace rill::data {
namespace {

constexpr std::int64_t kReaderBuffer = 256 * 1024, kCsvBuffer = 4 * 1024 * 1024;

Dataset names_dataset(const FileNames& filenames) {
  if (const auto* given = std::get_if<Dataset>(&filenames)) {
    const std::vector<ComponentSpec>& parts = given->element().parts;
    require_type(parts.size() == 1 && parts[0].dtype == DType::string,
                 "`filenames` must be a `tf.data.Dataset` of `tf.string` elements.");
    require_type(parts[0].shape.is_compatible(PartialShape::scalar()),
                 "`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.");
    return *given;
  }
  const Output names = as_tensor(std::get<Input>(filenames), "Const", DType::string);
  const Output flat =
      raw::Reshape(names, Tensor::vector<std::int32_t>({-1}), {.name = "flat_filenames"});
  return Dataset::from_tensor_slices({Component(flat)});
}

const ElementSpec& text() {
  static const ElementSpec element{ComponentSpec::tensor(DType::string, PartialShape::scalar())};
  return element;
}

Dataset lines_or_records(const char* op, const FileNames& filenames, const ReaderOptions& options) {
  const Output compression = as_tensor(options.compression_type, "compression_type", DType::string);
  const Output buffer =
      as_tensor(options.buffer_size.value_or(kReaderBuffer), "buffer_size", DType::i64);
  return read_files(
      filenames,
      [=](Output filename) {
        return Dataset(Stage(op).in(filename).in(compression).in(buffer).made(), text());
      },
      options.num_parallel_reads);
}

Dataset fixed_length(const FileNames& filenames, const Input& record_bytes,
                     const FixedLengthRecordOptions& options) {
  const Output record = as_tensor(record_bytes, "record_bytes", DType::i64);
  const Output header = as_tensor(options.header_bytes, "header_bytes", DType::i64);
  const Output footer = as_tensor(options.footer_bytes, "footer_bytes", DType::i64);
  const Output buffer =
      as_tensor(options.buffer_size.value_or(kReaderBuffer), "buffer_size", DType::i64);
  const Output compression = as_tensor(options.compression_type, "compression_type", DType::string);
  return read_files(
      filenames,
      [=](Output filename) {
        return Dataset(Stage("FixedLengthRecordDatasetV2")
                           .in(filename)
                           .in(header)
                           .in(record)
                           .in(footer)
                           .in(buffer)
                           .in(compression)
                           .made(),
                       text());
      },
      options.num_parallel_reads);
}

Dataset csv(const Input& filenames, const std::vector<experimental::RecordDefault>& record_defaults,
            const experimental::CsvOptions& options) {
  const Output names = as_tensor(filenames, "filenames", DType::string);
  std::vector<Input> defaults;
  ElementSpec element;
  for (const experimental::RecordDefault& given : record_defaults) {
    const DType* type = std::get_if<DType>(&given);
    const Output value = type != nullptr ? as_tensor(Tensor::zeros(*type, {0}))
                                         : as_tensor(std::get<Input>(given), "record_defaults");
    defaults.emplace_back(value);
    element.parts.push_back(
        ComponentSpec::tensor(base_type(value.dtype()), PartialShape::scalar()));
  }
  return {Stage("CSVDataset")
              .in(names)
              .value(options.compression_type, "compression_type", DType::string)
              .value(options.buffer_size.value_or(kCsvBuffer), "buffer_size")
              .value(options.header, "header", DType::boolean)
              .value(options.field_delim, "field_delim", DType::string)
              .value(options.use_quote_delim, "use_quote_delim", DType::boolean)
              .value(options.na_value, "na_value", DType::string)
              .value(integer_tensor(options.select_cols), "select_cols")
              .in(defaults)
              .attr("output_shapes", element.shapes())
              .made(),
          element};
}

Dataset sql(const Input& driver_name, const Input& data_source_name, const Input& query,
            const std::vector<DType>& output_types) {
  ElementSpec element;
  for (const DType type : output_types)
    element.parts.push_back(ComponentSpec::tensor(type, PartialShape::scalar()));
  return {Stage("SqlDataset")
              .value(driver_name, "driver_name", DType::string)
              .value(data_source_name, "data_source_name", DType::string)
              .value(query, "query", DType::string)
              .element(element)
              .made(),
          element};
}

Dataset lmdb(const Input& filenames) {
  const ElementSpec element{ComponentSpec::tensor(DType::string, PartialShape::scalar()),
                            ComponentSpec::tensor(DType::string, PartialShape::scalar())};
  return {Stage("LMDBDataset").value(filenames, "filenames", DType::string).element(element).made(),
          element};
}

bool is_autotune(const Input& calls) {
  return !calls.is_output() && calls.value(DType::i64).scalar_value<std::int64_t>() == kAutotune;
}

}  // namespace

Dataset read_files(const FileNames& filenames, const std::function<Dataset(Output filename)>& read,
                   const OptionalInput& num_parallel_reads) {
  const Dataset names = names_dataset(filenames);
  const ElementFunction one{"read_one_file", [read](const Components& parts) {
                              return ElementFunction::Result{{read(parts.at(0).tensor())}};
                            }};
  if (!num_parallel_reads) return names.flat_map(one);
  if (is_autotune(*num_parallel_reads))
    return names.interleave(one, {.num_parallel_calls = num_parallel_reads});
  return experimental::parallel_interleave(names, one, *num_parallel_reads);
}

TFRecordDataset::TFRecordDataset(const FileNames& filenames, const ReaderOptions& options)
    : Dataset(lines_or_records("TFRecordDataset", filenames, options)) {}
TextLineDataset::TextLineDataset(const FileNames& filenames, const ReaderOptions& options)
    : Dataset(lines_or_records("TextLineDataset", filenames, options)) {}
FixedLengthRecordDataset::FixedLengthRecordDataset(const FileNames& filenames,
                                                   const Input& record_bytes,
                                                   const FixedLengthRecordOptions& options)
    : Dataset(fixed_length(filenames, record_bytes, options)) {}

namespace experimental {

CsvDataset::CsvDataset(const Input& filenames, const std::vector<RecordDefault>& record_defaults,
                       const CsvOptions& options)
    : Dataset(csv(filenames, record_defaults, options)) {}
SqlDataset::SqlDataset(const Input& driver_name, const Input& data_source_name, const Input& query,
                       const std::vector<DType>& output_types)
    : Dataset(sql(driver_name, data_source_name, query, output_types)) {}
LMDBDataset::LMDBDataset(const Input& filenames) : Dataset(lmdb(filenames)) {}

}  // namespace experimental
}  // namespace rill::data
