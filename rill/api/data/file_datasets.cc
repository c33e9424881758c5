#include "rill/api/data/file_datasets.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"

namespace rill::data::experimental {
namespace {

constexpr std::int64_t kChosenBySession = -1;

ShuffleOptions shuffling(const PipelineOptions& o) {
  ShuffleOptions options;
  if (o.shuffle_seed) options.seed = Input(*o.shuffle_seed);
  return options;
}

Dataset files_of(const std::vector<std::string>& patterns, const PipelineOptions& o) {
  const std::vector<std::string> files = matching_files(patterns);
  const Tensor names = Tensor::of<std::string>(Shape{static_cast<std::int64_t>(files.size())},
                                               std::span<const std::string>(files));
  const Dataset all = Dataset::from_tensor_slices({Input(names)});
  if (!o.shuffle) return all;
  return all.shuffle(static_cast<std::int64_t>(files.size()), shuffling(o));
}

Dataset shuffled_and_repeated(const Dataset& dataset, const PipelineOptions& o) {
  if (o.num_epochs == 1)
    return o.shuffle ? dataset.shuffle(o.shuffle_buffer_size, shuffling(o)) : dataset;
  const std::int64_t count = o.num_epochs.value_or(-1);
  return o.shuffle ? shuffle_and_repeat(dataset, o.shuffle_buffer_size, count, shuffling(o).seed)
                   : dataset.repeat(count);
}

Dataset read_at_once(const Dataset& files, const std::function<Dataset(Output)>& read,
                     std::int64_t number, bool sloppy) {
  return parallel_interleave(files, [read](Output name) { return Component(read(name)); }, number,
                             {.sloppy = sloppy});
}

template <class T>
void require_different(const std::vector<T>& all, const char* what) {
  require(std::set<T>(all.begin(), all.end()).size() == all.size(), what);
}

std::int64_t position_of(const ColumnChoice& column, const std::vector<std::string>& names) {
  if (const auto* name = std::get_if<std::string>(&column)) {
    const auto found = std::ranges::find(names, *name);
    require(found != names.end(), "Value '", *name, "' for column not in column names.");
    return found - names.begin();
  }
  const std::int64_t index = std::get<std::int64_t>(column);
  require(index >= 0 && index < static_cast<std::int64_t>(names.size()), "Column index ", index,
          " specified in select_columns out of valid range.");
  return index;
}

std::vector<std::int64_t> chosen_positions(const std::vector<ColumnChoice>& columns,
                                           const std::vector<std::string>& names) {
  std::vector<std::int64_t> positions;
  for (const ColumnChoice& column : columns) positions.push_back(position_of(column, names));
  require_different(positions, "select_columns contains duplicate columns");
  std::ranges::sort(positions);
  return positions;
}

std::vector<RecordDefault> defaults_of(const std::vector<std::string>& files,
                                       std::size_t column_count, const CsvDatasetOptions& o,
                                       const std::vector<std::int64_t>& positions) {
  std::vector<RecordDefault> defaults;
  for (const DType type : csv_column_types(files, column_count, o.format, positions))
    defaults.emplace_back(type == DType::string ? Input(Tensor::vector<std::string>({""}))
                                                : Input(Tensor::zeros(type, Shape{1})));
  return defaults;
}

// `names`, with the part of that name moved to the end.
Dataset with_label_last(const Dataset& dataset, std::vector<std::string>& names,
                        const std::optional<std::string>& label) {
  if (!label) return dataset;
  const auto found = std::ranges::find(names, *label);
  const std::ptrdiff_t at = found - names.begin();
  names.erase(found);
  return dataset.map([at](const Components& parts) {
    Components moved = parts;
    std::rotate(moved.begin() + at, moved.begin() + at + 1, moved.end());
    return moved;
  });
}

}  // namespace

std::size_t NamedDataset::index_of(const std::string& name) const {
  if (label == name) return names.size();
  const auto found = std::ranges::find(names, name);
  require(found != names.end(), "no part of the elements is called '", name, "'");
  return static_cast<std::size_t>(found - names.begin());
}

NamedDataset make_csv_dataset(const std::vector<std::string>& file_pattern, std::int64_t batch_size,
                              const CsvDatasetOptions& o) {
  const std::vector<std::string> files = matching_files(file_pattern);
  std::vector<std::string> names = o.column_names;
  require(!names.empty() || o.format.header, "Cannot infer column names without a header line.");
  if (names.empty()) names = csv_column_names(files, o.format);
  require_different(names, "Cannot have duplicate column names.");
  const std::vector<std::int64_t> positions = chosen_positions(o.select_columns, names);
  const std::vector<RecordDefault> defaults = o.column_defaults.empty()
                                                  ? defaults_of(files, names.size(), o, positions)
                                                  : o.column_defaults;
  if (!positions.empty()) {
    require(defaults.size() == positions.size(),
            "If specified, column_defaults and select_columns must have same length.");
    std::vector<std::string> chosen;
    for (const std::int64_t position : positions)
      chosen.push_back(names[static_cast<std::size_t>(position)]);
    names = chosen;
  }
  require(!o.label_name || std::ranges::find(names, *o.label_name) != names.end(),
          "`label_name` provided must be one of the columns.");
  const auto read = [&o, &defaults, &positions](Output filename) {
    const Dataset lines = CsvDataset(Input(filename), defaults,
                                     {.compression_type = o.format.compression,
                                      .header = o.format.header,
                                      .field_delim = o.format.field_delim,
                                      .use_quote_delim = o.format.quotes,
                                      .na_value = o.format.na_value,
                                      .select_cols = positions});
    return o.ignore_errors ? ignore_errors(lines) : lines;
  };
  Dataset dataset =
      read_at_once(files_of(file_pattern, o.pipeline), read, o.num_parallel_reads, o.sloppy);
  dataset = shuffled_and_repeated(dataset, o.pipeline)
                .batch(batch_size, {.drop_remainder = !o.pipeline.num_epochs});
  dataset = with_label_last(dataset, names, o.label_name);
  return {dataset.prefetch(o.pipeline.prefetch_buffer_size.value_or(kChosenBySession)), names,
          o.label_name};
}

NamedDataset make_batched_features_dataset(const std::vector<std::string>& file_pattern,
                                           std::int64_t batch_size, const Features& features,
                                           const BatchedFeaturesOptions& o) {
  const auto read = o.reader ? o.reader : [](Output filename) -> Dataset {
    return TFRecordDataset(Input(filename));
  };
  require(!o.label_key || features.contains(*o.label_key), "The `label_key` provided (",
          o.label_key.value_or(""), ") must be one of the `features` keys.");
  Dataset dataset = read_at_once(files_of(file_pattern, o.pipeline), read, o.reader_num_threads,
                                 o.sloppy_ordering);
  dataset =
      shuffled_and_repeated(dataset, o.pipeline)
          .batch(batch_size, {.drop_remainder = o.drop_final_batch || !o.pipeline.num_epochs});
  dataset = parse_example_dataset(dataset, features, o.parser_num_threads);
  std::vector<std::string> names;
  for (const auto& [name, feature] : features) names.push_back(name);
  dataset = with_label_last(dataset, names, o.label_key);
  return {dataset.prefetch(o.pipeline.prefetch_buffer_size.value_or(kChosenBySession)), names,
          o.label_key};
}

}  // namespace rill::data::experimental
