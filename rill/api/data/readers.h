#pragma once

#include <functional>
#include <variant>

#include "rill/api/data/experimental.h"

// Datasets of what files hold. File names are a tensor of strings of any shape, or a dataset of
// such scalars; another one throws InvalidArgument. A file is opened when its first element is
// asked for: NotFound, DataLoss and the like fail that step.
//
//   data::TFRecordDataset records(Input("train.tfrecord"), {.compression_type = "GZIP"});
//   auto lines = data::TextLineDataset(data::Dataset::list_files("logs/*.txt"));
namespace rill::data {

using FileNames = std::variant<Input, Dataset>;

struct ReaderOptions {
  Input compression_type = "";  // "ZLIB", "GZIP"
  OptionalInput buffer_size = {};
  OptionalInput num_parallel_reads = {};  // none: one file after the other
};
// Records of TFRecord files; lines of text files, without their ends. Scalars of strings.
struct TFRecordDataset : Dataset {
  explicit TFRecordDataset(const FileNames& filenames, const ReaderOptions& options = {});
};
struct TextLineDataset : Dataset {
  explicit TextLineDataset(const FileNames& filenames, const ReaderOptions& options = {});
};

struct FixedLengthRecordOptions {
  Input header_bytes = 0, footer_bytes = 0;
  OptionalInput buffer_size = {};
  Input compression_type = "";
  OptionalInput num_parallel_reads = {};
};
// Scalars of `record_bytes` bytes each. The step fails where what lies between header and footer is
// no multiple of them.
struct FixedLengthRecordDataset : Dataset {
  FixedLengthRecordDataset(const FileNames& filenames, const Input& record_bytes,
                           const FixedLengthRecordOptions& options = {});
};

// `read` for each file, several at once where `num_parallel_reads` says so.
Dataset read_files(const FileNames& filenames, const std::function<Dataset(Output filename)>& read,
                   const OptionalInput& num_parallel_reads);

namespace experimental {

// What a field is where it is missing; a type: every line must have it.
using RecordDefault = std::variant<DType, Input>;

struct CsvOptions {
  Input compression_type = "";
  OptionalInput buffer_size = {};
  Input header = false;
  Input field_delim = ",";
  Input use_quote_delim = true;
  Input na_value = "";
  std::vector<std::int64_t> select_cols = {};  // empty: all
};
// Rows as elements with one scalar for each of record_defaults, which says its type. The step fails
// for rows of another number of fields, fields that are no numbers, and missing ones without a
// default.
struct CsvDataset : Dataset {
  CsvDataset(const Input& filenames, const std::vector<RecordDefault>& record_defaults,
             const CsvOptions& options = {});
};

// Rows that a query of an SQLite database gives; driver_name is "sqlite".
struct SqlDataset : Dataset {
  SqlDataset(const Input& driver_name, const Input& data_source_name, const Input& query,
             const std::vector<DType>& output_types);
};

struct RandomDataset : Dataset {
  explicit RandomDataset(const OptionalInput& seed = {}) : Dataset(random(seed)) {}
};

// Pairs of key and value of LMDB files.
struct LMDBDataset : Dataset {
  explicit LMDBDataset(const Input& filenames);
};

}  // namespace experimental
}  // namespace rill::data
