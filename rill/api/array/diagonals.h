#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::linalg {

struct DiagOptions {
  Input k = 0;  // which diagonal, or the lowest and the highest of a band
  Input num_rows = -1, num_cols = -1, padding_value = 0;
  std::string name = "diag";
};
// Matrices with these diagonals and `padding_value` elsewhere.
Output diag(const Input& diagonal, const DiagOptions& options = {},
            std::source_location at = std::source_location::current());

struct DiagPartOptions {
  Input k = 0, padding_value = 0;
  std::string name = "diag_part";
};
// The diagonals of matrices.
Output diag_part(const Input& input, const DiagPartOptions& options = {},
                 std::source_location at = std::source_location::current());

struct SetDiagOptions {
  Input k = 0;
  std::string name = "set_diag";
};
// The matrices with other diagonals.
Output set_diag(const Input& input, const Input& diagonal, const SetDiagOptions& options = {},
                std::source_location at = std::source_location::current());

}  // namespace rill::linalg
