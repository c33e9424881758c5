#pragma once

#include <string>
#include <vector>

#include "rill/base/error.h"

namespace rill {

// How a tensor tells which rows of a ragged dimension values belong to.
enum class RowPartition { kFirstDimSize, kValueRowIds, kRowSplits };

// Reads the attribute of that name; throws InvalidArgument for kinds there are none of and for
// lists that describe no ragged tensor of `count` tensors.
inline std::vector<RowPartition> row_partitions(const std::vector<std::string>& names,
                                                std::size_t count) {
  std::vector<RowPartition> kinds;
  for (const std::string& name : names) {
    if (name == "FIRST_DIM_SIZE")
      kinds.push_back(RowPartition::kFirstDimSize);
    else if (name == "VALUE_ROWIDS")
      kinds.push_back(RowPartition::kValueRowIds);
    else if (name == "ROW_SPLITS")
      kinds.push_back(RowPartition::kRowSplits);
    else
      raise(Code::kInvalidArgument, "Unknown string for partition info type: ", name);
  }
  require(!kinds.empty(), "Partition info types should not be empty");
  require(kinds.size() == count, "Number of row partition tensors (", count,
          ") does not equal the number of row partition types(", kinds.size(), ").");
  require(kinds[0] != RowPartition::kValueRowIds, "VALUE_ROWIDS cannot be first");
  if (kinds[0] == RowPartition::kFirstDimSize)
    require(kinds.size() > 1 && kinds[1] == RowPartition::kValueRowIds,
            "FIRST_DIM_SIZE must be followed by VALUE_ROWIDS");
  for (std::size_t i = 1; i < kinds.size(); ++i)
    require(kinds[i] != RowPartition::kFirstDimSize, "FIRST_DIM_SIZE must be first");
  return kinds;
}

// Ragged dimensions: each tensor is one, except the number of rows.
inline int ragged_rank(const std::vector<RowPartition>& kinds) {
  return static_cast<int>(kinds.size()) - (kinds[0] == RowPartition::kFirstDimSize ? 1 : 0);
}

}  // namespace rill
