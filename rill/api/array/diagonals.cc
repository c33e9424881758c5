#include "rill/api/array/diagonals.h"

#include "rill/api/gen/array.h"

namespace rill::linalg {

Output diag(const Input& diagonal, const DiagOptions& options, std::source_location at) {
  return raw::MatrixDiagV2(diagonal, options.k, options.num_rows, options.num_cols,
                           options.padding_value, {.name = options.name}, at);
}

Output diag_part(const Input& input, const DiagPartOptions& options, std::source_location at) {
  return raw::MatrixDiagPartV2(input, options.k, options.padding_value, {.name = options.name}, at);
}

Output set_diag(const Input& input, const Input& diagonal, const SetDiagOptions& options,
                std::source_location at) {
  return raw::MatrixSetDiagV2(input, diagonal, options.k, {.name = options.name}, at);
}

}  // namespace rill::linalg
