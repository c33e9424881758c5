#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/data/csv_columns.h"
#include "rill/api/data/iterator.h"
#include "rill/api/data/readers.h"

// Whole pipelines for files of examples and of comma-separated values.
namespace rill::data::experimental {

// A dataset, and what the parts of its elements are called: TensorFlow's dicts by name. A label is
// the last part, and not among the names.
struct NamedDataset {
  Dataset dataset;
  std::vector<std::string> names;
  std::optional<std::string> label;
  std::size_t index_of(const std::string& name) const;  // of a part; throws InvalidArgument
};

using ColumnChoice = std::variant<std::string, std::int64_t>;  // by name or position

// Without a number of epochs the data comes again and again, and all batches are full.
struct PipelineOptions {
  std::optional<std::int64_t> num_epochs = {};
  bool shuffle = true;
  std::int64_t shuffle_buffer_size = 10000;
  std::optional<std::int64_t> shuffle_seed = {};
  std::optional<std::int64_t> prefetch_buffer_size = {};  // none: what turns out to be good
};
struct CsvDatasetOptions {
  std::vector<std::string> column_names = {};       // empty: those of the files' first lines
  std::vector<RecordDefault> column_defaults = {};  // empty: types are told from the first lines
  std::optional<std::string> label_name = {};
  std::vector<ColumnChoice> select_columns = {};  // empty: all
  CsvFormat format = {};
  PipelineOptions pipeline = {};
  std::int64_t num_parallel_reads = 1;
  bool sloppy = false, ignore_errors = false;
};
// Batches of the lines of CSV files: a vector for each column. Throws InvalidArgument where no file
// matches, and for columns that are not there or come twice.
//
//   const auto data = make_csv_dataset({"train-*.csv"}, 32, {.label_name = "price"});
NamedDataset make_csv_dataset(const std::vector<std::string>& file_pattern, std::int64_t batch_size,
                              const CsvDatasetOptions& options = {});

struct BatchedFeaturesOptions {
  std::optional<std::string> label_key = {};
  PipelineOptions pipeline = {};
  std::function<Dataset(Output filename)> reader = {};  // none: TFRecordDataset
  std::int64_t reader_num_threads = 1, parser_num_threads = 2;
  bool sloppy_ordering = false, drop_final_batch = false;
};
// Batches of what the Examples of files hold, in the order of the features' names.
NamedDataset make_batched_features_dataset(const std::vector<std::string>& file_pattern,
                                           std::int64_t batch_size, const Features& features,
                                           const BatchedFeaturesOptions& options = {});

// Methods of Dataset and Iterator, as functions.
inline Output cardinality(const Dataset& dataset) { return dataset.cardinality(); }
inline Components get_single_element(const Dataset& dataset) {
  return dataset.get_single_element();
}
inline Dataset enumerate_dataset(const Dataset& dataset, const Input& start = 0) {
  return dataset.enumerate(start);
}
inline Component get_next_as_optional(const Iterator& iterator) {
  return iterator.get_next_as_optional();
}
inline Dataset unbatch(const Dataset& dataset) { return dataset.unbatch(); }
inline const ElementSpec& get_structure(const Dataset& dataset) { return dataset.element(); }
inline Output to_variant(const Dataset& dataset) { return dataset.variant(); }
inline Dataset from_variant(Output variant, ElementSpec structure) {
  return {variant, std::move(structure)};
}

}  // namespace rill::data::experimental
