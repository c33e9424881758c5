#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/tensor/dtype.h"

namespace rill::data::experimental {

// All files that match one of the patterns, sorted. Throws InvalidArgument where there are none, or
// no pattern.
std::vector<std::string> matching_files(const std::vector<std::string>& patterns);

// `na_value` is a field that counts as missing, and so does an empty one: they do not widen a type.
// `field_delim` is one character, else InvalidArgument.
struct CsvFormat {
  std::string field_delim = ",";
  bool quotes = true;  // fields may stand in double quotes
  std::string na_value = {};
  bool header = true;
  std::optional<std::int64_t> row_count = 100;  // how many rows are looked at; none: all
  std::string compression = {};                 // or "GZIP"; others throw InvalidArgument
};
// What the first lines say. The files are read now, not in a step. Throws InvalidArgument where
// files differ or one is empty, and what reading throws.
std::vector<std::string> csv_column_names(const std::vector<std::string>& files,
                                          const CsvFormat& format = {});
// The narrowest type of int32, int64, float, double and string that holds every value of a column;
// string for a column without values. `columns`: only these, by position; empty: all of them.
// Throws InvalidArgument for a row of another number of fields.
std::vector<DType> csv_column_types(const std::vector<std::string>& files, std::size_t column_count,
                                    const CsvFormat& format = {},
                                    const std::vector<std::int64_t>& columns = {});

}  // namespace rill::data::experimental
