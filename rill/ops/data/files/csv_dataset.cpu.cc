#include "rill/ops/data/files/csv_source.h"

namespace rill {

extern const OpDecl kCSVDataset, kExperimentalCSVDataset;

namespace {

std::vector<std::int64_t> columns_input(const KernelCall& call, int i, std::size_t wanted) {
  const Tensor& input = call.input_tensor(i);
  require(input.rank() == 1, "`select_cols` must be a vector.");
  const std::span<const std::int64_t> columns = input.flat<std::int64_t>();
  require(columns.empty() || columns.size() == wanted, "select_cols should match output size");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    require(columns[c] >= 0, "select_cols should be non-negative indices");
    require(c == 0 || columns[c] > columns[c - 1],
            "select_cols should be strictly increasing indices");
  }
  return {columns.begin(), columns.end()};
}

std::vector<Tensor> defaults_input(const KernelCall& call, int first) {
  std::vector<Tensor> defaults;
  for (int i = first; i < call.input_count(); ++i) {
    const Tensor& value = call.input_tensor(i);
    require(value.rank() <= 1, "Each record default should be at most rank 1");
    require(value.element_count() < 2, "There should only be 1 default per field but field ",
            i - first, " has ", value.element_count());
    defaults.push_back(value);
  }
  return defaults;
}

std::shared_ptr<Dataset> csv_dataset(KernelCall& call) {
  CsvOptions options;
  ElementSpec spec = stated_spec(call.node());
  const auto& compression = scalar_input<std::string>(call, 1, "compression_type");
  require(compression.empty() || compression == "ZLIB" || compression == "GZIP",
          "Unsupported compression_type: ", compression, ".");
  options.compression = compression_named(compression);
  const auto buffer_size = scalar_input<std::int64_t>(call, 2, "buffer_size");
  require(buffer_size > 0, "buffer_size should be positive");
  options.buffer_size = buffer_size_input(call, 2, "");
  options.header = scalar_input<bool>(call, 3, "header");
  const auto& delimiter = scalar_input<std::string>(call, 4, "field_delim");
  require(delimiter.size() == 1, "field_delim should be only 1 char");
  options.delimiter = delimiter[0];
  options.use_quotes = scalar_input<bool>(call, 5, "use_quote_delim");
  options.na_value = scalar_input<std::string>(call, 6, "na_value");
  options.defaults = defaults_input(call, 8);
  options.columns = columns_input(call, 7, options.defaults.size());
  return std::make_shared<FilesDataset>(
      std::move(spec), strings_input(call, 0, "filenames"),
      [options = std::make_shared<const CsvOptions>(std::move(options))](const std::string& path) {
        return std::make_unique<CsvSource>(path, *options);
      });
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<csv_dataset>(kCSVDataset),
    dataset_kernel<csv_dataset>(kExperimentalCSVDataset),
};

}  // namespace

extern const KernelTable kCsvDatasetCpu{kEntries};

}  // namespace rill
