#include "tensorflow/core/framework/tensor_util.h"

#include <random>

#include "rill/compat/convert.h"
#include "tensorflow/core/lib/random/random.h"

namespace tensorflow {
namespace tensor {

Tensor DeepCopy(const Tensor& other) {
  const rill::Tensor value = TensorAccess::unwrap(other);
  return value.has_value() ? TensorAccess::wrap(value.clone()) : other;
}

Status Concat(const gtl::ArraySlice<Tensor>& tensors, Tensor* result) {
  return guarded([&] {
    rill::require(!tensors.empty(), "Cannot concatenate zero tensors");
    TensorShape shape = tensors[0].shape();
    int64 rows = 0;
    for (const Tensor& part : tensors) {
      rill::require(part.dims() > 0, "Cannot concatenate a zero-dimensional tensor");
      TensorShape as_first = part.shape();
      rows += as_first.dim_size(0);
      as_first.set_dim(0, shape.dim_size(0));
      rill::require(part.dtype() == tensors[0].dtype() && as_first == shape,
                    "Cannot concatenate tensors of different types or shapes");
    }
    shape.set_dim(0, rows);
    const rill::Tensor all(to_rill(tensors[0].dtype()), to_rill(shape));
    std::int64_t at = 0;
    for (const Tensor& part : tensors) {
      rill::copy_elements(all.dtype(), all.slice(at, at + part.dim_size(0)).raw_data(), part.data(),
                          static_cast<size_t>(part.NumElements()));
      at += part.dim_size(0);
    }
    *result = TensorAccess::wrap(all);
  });
}

Status Split(const Tensor& tensor, const gtl::ArraySlice<int64>& sizes,
             std::vector<Tensor>* result) {
  return guarded([&] {
    rill::require(tensor.dims() > 0, "Cannot split a zero-dimensional tensor");
    int64 total = 0;
    for (const int64 size : sizes) {
      rill::require(size >= 0 && size <= tensor.dim_size(0) - total,
                    "The values in 'sizes' do not sum to the zeroth-dimension size of 'tensor'");
      total += size;
    }
    rill::require(total == tensor.dim_size(0),
                  "The values in 'sizes' do not sum to the zeroth-dimension size of 'tensor'");
    result->clear();
    int64 at = 0;
    for (const int64 size : sizes) {
      result->push_back(DeepCopy(tensor.Slice(at, at + size)));
      at += size;
    }
  });
}

}  // namespace tensor

namespace random {

uint64 New64() {
  thread_local std::mt19937_64 numbers{std::random_device()()};
  return numbers();
}

}  // namespace random
}  // namespace tensorflow
