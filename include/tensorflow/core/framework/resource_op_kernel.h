#ifndef TENSORFLOW_CORE_FRAMEWORK_RESOURCE_OP_KERNEL_H_
#define TENSORFLOW_CORE_FRAMEWORK_RESOURCE_OP_KERNEL_H_

#include <string>

#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"

namespace tensorflow {

// A kernel that makes one resource and hands out a handle to it. A class of the program says how
// the resource is made (CreateResource) and whether one that is found will do (VerifyResource).
template <typename T>
class ResourceOpKernel : public OpKernel {
 public:
  explicit ResourceOpKernel(OpKernelConstruction* context) : OpKernel(context), resource_(nullptr) {
    has_resource_type_ = context->output_type(0) == DT_RESOURCE;
    OP_REQUIRES(context, has_resource_type_ || context->output_type(0) == DT_STRING_REF,
                errors::InvalidArgument("output 0 of ", def().op(), " must be a resource"));
    OP_REQUIRES(context, has_resource_type_,
                errors::Unimplemented("resources behind string references: ", def().op()));
  }
  ~ResourceOpKernel() override {
    if (resource_ == nullptr) return;
    resource_->Unref();
    if (cinfo_.resource_is_private_to_kernel())
      cinfo_.resource_manager()
          ->template Delete<T>(cinfo_.container(), cinfo_.name())
          .IgnoreError();
  }

  void Compute(OpKernelContext* context) override {
    ::tensorflow::mutex_lock l(mu_);
    if (resource_ == nullptr) {
      ResourceMgr* mgr = context->resource_manager();
      OP_REQUIRES_OK(context, cinfo_.Init(mgr, def(), true));
      T* resource = nullptr;
      OP_REQUIRES_OK(context,
                     mgr->LookupOrCreate<T>(cinfo_.container(), cinfo_.name(), &resource,
                                            [this](T** made) { return CreateResource(made); }));
      const Status status = VerifyResource(resource);
      if (!status.ok()) resource->Unref();
      OP_REQUIRES_OK(context, status);
      resource_ = resource;
    }
    Tensor* handle = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &handle));
    handle->scalar<ResourceHandle>()() =
        MakeResourceHandle<T>(context, cinfo_.container(), cinfo_.name());
  }

 protected:
  T* get_resource() const { return resource_; }
  mutex mu_;
  ContainerInfo cinfo_;
  T* resource_;

 private:
  virtual Status CreateResource(T** resource) = 0;
  virtual Status VerifyResource(T*) { return Status::OK(); }
  bool has_resource_type_;
};

}  // namespace tensorflow

#endif
