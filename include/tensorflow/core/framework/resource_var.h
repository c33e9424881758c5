#ifndef TENSORFLOW_CORE_FRAMEWORK_RESOURCE_VAR_H_
#define TENSORFLOW_CORE_FRAMEWORK_RESOURCE_VAR_H_

#include <atomic>
#include <memory>

#include "tensorflow/core/framework/resource_mgr.h"

namespace tensorflow {

// A resource variable, as LookupResource finds it. What is written through tensor() is the
// variable's value; a tensor that takes its place becomes the value when the Var is given up.
class Var : public ResourceBase {
 public:
  explicit Var(DataType dtype);
  mutex* mu() { return mu_; }
  Tensor* tensor() { return &tensor_; }
  string DebugString() const override;
  std::atomic<bool> copy_on_read_mode{false};
  bool is_initialized = false;

  struct Impl;
  explicit Var(std::unique_ptr<Impl> impl);

 private:
  ~Var() override;
  std::unique_ptr<Impl> impl_;
  mutex* mu_;
  Tensor tensor_;
};

template <>
Status LookupResource<Var, false>(OpKernelContext* ctx, const ResourceHandle& p, Var** value);

}  // namespace tensorflow

#endif
