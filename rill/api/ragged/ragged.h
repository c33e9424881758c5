#pragma once

#include "rill/api/ragged/ragged_math.h"
#include "rill/api/ragged/ragged_picking.h"
#include "rill/api/ragged/ragged_reduce.h"

// Ragged tensors under the names that plain tensors have: `concat({x, y}, 1)`. Where a plain tensor
// stands first, or among several, name the function of rill::ragged itself.
namespace rill {

inline ragged::RaggedOrDense concat(const std::vector<RaggedTensor>& values, int axis) {
  return ragged::concat({values.begin(), values.end()}, axis);
}
inline ragged::RaggedOrDense stack(const std::vector<RaggedTensor>& values, int axis = 0) {
  return ragged::stack({values.begin(), values.end()}, axis);
}
inline ragged::RaggedOrDense expand_dims(const RaggedTensor& input, int axis) {
  return ragged::expand_dims(input, axis);
}
inline ragged::RaggedOrDense squeeze(const RaggedTensor& input, const std::vector<int>& axes) {
  return ragged::squeeze(input, axes);
}
inline RaggedTensor tile(const RaggedTensor& input, const Input& multiples) {
  return ragged::tile(input, multiples);
}
inline RaggedTensor reverse(const RaggedTensor& input, const std::vector<int>& axes) {
  return ragged::reverse(input, axes);
}
inline Output rank(const RaggedTensor& input) { return ragged::rank(input); }
inline Output size(const RaggedTensor& input) { return ragged::size(input); }

inline ragged::RaggedOrDense slice(const RaggedTensor& x, const std::vector<SlicePart>& keys) {
  return ragged::slice(x, keys);
}
inline ragged::RaggedOrDense gather(const RaggedTensor& params,
                                    const ragged::RaggedOrDense& indices, int batch_dims = 0) {
  return ragged::gather(params, indices, batch_dims);
}
inline ragged::RaggedOrDense batch_gather(const RaggedTensor& params,
                                          const ragged::RaggedOrDense& indices) {
  return ragged::batch_gather(params, indices);
}
inline ragged::RaggedOrDense gather_nd(const RaggedTensor& params,
                                       const ragged::RaggedOrDense& indices) {
  return ragged::gather_nd(params, indices);
}
inline Output where(const RaggedTensor& condition) { return ragged::where(condition); }
inline ragged::RaggedOrDense where(const RaggedTensor& condition, const RaggedTensor& x,
                                   const RaggedTensor& y) {
  return ragged::where(condition, x, y);
}
inline ragged::RaggedOrDense boolean_mask(const RaggedTensor& data,
                                          const ragged::RaggedOrDense& mask) {
  return ragged::boolean_mask(data, mask);
}

inline ragged::RaggedOrDense reduce_sum(const RaggedTensor& input,
                                        const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kSum, input, options);
}
inline ragged::RaggedOrDense reduce_prod(const RaggedTensor& input,
                                         const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kProd, input, options);
}
inline ragged::RaggedOrDense reduce_mean(const RaggedTensor& input,
                                         const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kMean, input, options);
}
inline ragged::RaggedOrDense reduce_max(const RaggedTensor& input,
                                        const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kMax, input, options);
}
inline ragged::RaggedOrDense reduce_min(const RaggedTensor& input,
                                        const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kMin, input, options);
}
inline ragged::RaggedOrDense reduce_any(const RaggedTensor& input,
                                        const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kAny, input, options);
}
inline ragged::RaggedOrDense reduce_all(const RaggedTensor& input,
                                        const ragged::RaggedReduceOptions& options = {}) {
  return ragged::reduce(ragged::Reduction::kAll, input, options);
}

}  // namespace rill
