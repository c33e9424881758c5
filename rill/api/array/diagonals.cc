#include "rill/api/array/diagonals.h"

#include "rill/api/gen/array.h"

namespace rill::linalg {
namespace {

// The number 0 pads bools, too, although numbers do not become bools otherwise.
Input padding_for(const Input& elements, const Input& padding) {
  if (elements.is_value() && elements.value(DType::invalid).dtype() != DType::boolean)
    return padding;
  if (elements.is_output() && base_type(elements.output().dtype()) != DType::boolean)
    return padding;
  if (!padding.is_value() || !(elements.is_value() || elements.is_output())) return padding;
  const Tensor given = padding.value(DType::invalid);
  const bool is_number = given.dtype() == DType::i32 && given.rank() == 0;
  return is_number ? Input(given.scalar_value<std::int32_t>() != 0) : padding;
}

}  // namespace

Output diag(const Input& diagonal, const DiagOptions& options, std::source_location at) {
  return raw::MatrixDiagV2(diagonal, options.k, options.num_rows, options.num_cols,
                           padding_for(diagonal, options.padding_value), {.name = options.name},
                           at);
}

Output diag_part(const Input& input, const DiagPartOptions& options, std::source_location at) {
  return raw::MatrixDiagPartV2(input, options.k, padding_for(input, options.padding_value),
                               {.name = options.name}, at);
}

Output set_diag(const Input& input, const Input& diagonal, const SetDiagOptions& options,
                std::source_location at) {
  return raw::MatrixSetDiagV2(input, diagonal, options.k, {.name = options.name}, at);
}

}  // namespace rill::linalg
