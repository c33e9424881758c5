#pragma once

#include "rill/base/error.h"
#include "rill/tensor/tensor.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/lib/core/status.h"

namespace tensorflow {

struct Tensor::Storage {
  rill::Tensor value;
};

// Between the classes of include/tensorflow and the library's own. Tensors share their storage.
struct TensorAccess {
  static Tensor wrap(const rill::Tensor& tensor);
  // The same, with storage that Eigen may read in whole registers and that may be kept: copied when
  // it is not aligned, or borrowed for the step.
  static Tensor wrap_aligned(const rill::Tensor& tensor);
  static rill::Tensor unwrap(const Tensor& tensor);  // without value when `tensor` has none
};

inline rill::DType to_rill(DataType dtype) { return static_cast<rill::DType>(dtype); }
inline DataType from_rill(rill::DType dtype) { return static_cast<DataType>(dtype); }
rill::Shape to_rill(const TensorShape& shape);
TensorShape from_rill(const rill::Shape& shape);
rill::PartialShape to_rill(const PartialTensorShape& shape);
PartialTensorShape from_rill(const rill::PartialShape& shape);
inline std::string_view to_rill(StringPiece text) { return {text.data(), text.size()}; }

rill::Error to_error(const Status& status);
inline void throw_if_error(const Status& status) {
  if (!status.ok()) throw to_error(status);
}
Status to_status(const rill::Error& error);
// What is being handled, as a Status; for catch-all clauses at the boundary.
Status current_status();
// Runs `f` and turns what it throws into a Status.
template <class F>
Status guarded(F&& f) {
  try {
    f();
    return Status::OK();
  } catch (...) {
    return current_status();
  }
}

}  // namespace tensorflow
