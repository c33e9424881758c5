#ifndef TENSORFLOW_CORE_FRAMEWORK_TENSOR_UTIL_H_
#define TENSORFLOW_CORE_FRAMEWORK_TENSOR_UTIL_H_

#include <vector>

#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/array_slice.h"

namespace tensorflow {
namespace tensor {

// The same elements in storage of their own.
Tensor DeepCopy(const Tensor& other);
// Along the first dimension; InvalidArgument when types or other dimensions differ.
Status Concat(const gtl::ArraySlice<Tensor>& tensors, Tensor* result);
// The other way: parts of these sizes along the first dimension, which they must add up to.
Status Split(const Tensor& tensor, const gtl::ArraySlice<int64>& sizes,
             std::vector<Tensor>* result);

}  // namespace tensor
}  // namespace tensorflow

#endif
