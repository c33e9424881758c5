#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

// Diagonals of the innermost matrices; other dimensions are a batch. k = 0 is the main diagonal, k
// > 0 lies above it, k < 0 below. A band [low, high] has one dimension more in the diagonals'
// tensor: the highest diagonal first, each filled up to the longest.
namespace rill::linalg {

struct DiagOptions {
  Input k = 0;  // which diagonal, or the lowest and the highest of a band
  Input num_rows = -1, num_cols = -1, padding_value = 0;
  std::string name = "diag";
};
// Matrices with these diagonals and `padding_value` elsewhere. num_rows and num_cols of -1 are as
// small as the diagonals allow.
Output diag(const Input& diagonal, const DiagOptions& options = {},
            std::source_location at = std::source_location::current());

struct DiagPartOptions {
  Input k = 0, padding_value = 0;
  std::string name = "diag_part";
};
// The diagonals of matrices; padding_value fills the shorter ones of a band.
Output diag_part(const Input& input, const DiagPartOptions& options = {},
                 std::source_location at = std::source_location::current());

struct SetDiagOptions {
  Input k = 0;
  std::string name = "set_diag";
};
// The matrices with other diagonals; the rest stays.
Output set_diag(const Input& input, const Input& diagonal, const SetDiagOptions& options = {},
                std::source_location at = std::source_location::current());

}  // namespace rill::linalg
