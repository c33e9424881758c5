#pragma once

#include <cstdint>

#include "rill/api/ragged/ragged_or_dense.h"

// What functions of ragged tensors are made of. All build in current_scope().
namespace rill::parts {

using ragged::RaggedOrDense;

inline const RaggedTensor* ragged_in(const RaggedOrDense& x) {
  return std::get_if<RaggedTensor>(&x);
}
PartialShape shape_of(const RaggedOrDense& x);
int known_rank(const RaggedOrDense& x);  // throws InvalidArgument where it is not known
// `axis` of a tensor of rank `rank`, counted from the start. Throws InvalidArgument where there is
// no such axis.
int positive_axis(int axis, int rank);

Output number(std::int64_t value, DType type);
// The numbers from 0 to before `limit`, in its type.
Output counted(const Output& limit);
Output row_starts(const RaggedTensor& x);
Output row_limits(const RaggedTensor& x);
Output row_count(const RaggedOrDense& x, DType type);

// The rows one after the other, and the other way round.
RaggedOrDense values_of(const RaggedTensor& x);
RaggedTensor under(Output splits, const RaggedOrDense& values);
RaggedTensor with_flat_values(const RaggedTensor& x, const RaggedOrDense& values);
// The same values with at least so many ragged dimensions.
RaggedTensor raised(const RaggedOrDense& x, int ragged_rank, DType splits);
// All with the ragged dimensions of the one that has most, and the splits type of the first ragged
// one, else int64.
std::vector<RaggedTensor> all_raised(const std::vector<RaggedOrDense>& all);

// Fails the step unless both have the same rows in their outermost dimension.
void check_same_rows(std::vector<Node*>& checks, const Output& splits, const Output& other);

// Several along the first dimension; rows by their numbers, a vector.
RaggedTensor joined(const std::vector<RaggedTensor>& all);
RaggedOrDense rows_at(const RaggedOrDense& x, const Output& rows);

}  // namespace rill::parts
