#ifndef TENSORFLOW_CORE_FRAMEWORK_RESOURCE_MGR_H_
#define TENSORFLOW_CORE_FRAMEWORK_RESOURCE_MGR_H_

#include <functional>
#include <string>
#include <typeinfo>

#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_handle.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/refcount.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/mutex.h"

namespace rill {
class ResourceManager;
}

namespace tensorflow {

// Something that outlives a step. Programs override one of the two DebugStrings.
class ResourceBase : public core::RefCounted {
 public:
  virtual string DebugString() const { return const_cast<ResourceBase*>(this)->DebugString(); }
  virtual string DebugString() { return "resource"; }
  virtual int64 MemoryUsed() const { return 0; }
};

// The named resources of a session, by container, C++ type and name.
class ResourceMgr {
 public:
  explicit ResourceMgr(::rill::ResourceManager* manager) : manager_(manager) {}
  const string& default_container() const;

  // AlreadyExists when there is one; takes the caller's reference either way.
  template <typename T>
  Status Create(const string& container, const string& name, T* resource) {
    return DoCreate(container, typeid(T).name(), name, resource);
  }
  // NotFound when there is none; the caller gets a reference of its own.
  template <typename T, bool use_dynamic_cast = false>
  Status Lookup(const string& container, const string& name, T** resource) const {
    ResourceBase* found = nullptr;
    TF_RETURN_IF_ERROR(DoLookup(container, typeid(T).name(), name, &found));
    *resource = static_cast<T*>(found);
    return Status::OK();
  }
  template <typename T, bool use_dynamic_cast = false>
  Status LookupOrCreate(const string& container, const string& name, T** resource,
                        std::function<Status(T**)> creator) {
    ResourceBase* found = nullptr;
    TF_RETURN_IF_ERROR(DoLookupOrCreate(container, typeid(T).name(), name, &found,
                                        [&creator](ResourceBase** made) {
                                          T* typed = nullptr;
                                          const Status status = creator(&typed);
                                          *made = typed;
                                          return status;
                                        }));
    *resource = static_cast<T*>(found);
    return Status::OK();
  }
  template <typename T>
  Status Delete(const string& container, const string& name) {
    return DoDelete(container, typeid(T).name(), name);
  }
  Status Delete(const ResourceHandle& handle);
  Status Cleanup(const string& container);

 private:
  Status DoCreate(const string& container, const char* type, const string& name,
                  ResourceBase* resource);
  Status DoLookup(const string& container, const char* type, const string& name,
                  ResourceBase** resource) const;
  Status DoLookupOrCreate(const string& container, const char* type, const string& name,
                          ResourceBase** resource, std::function<Status(ResourceBase**)> creator);
  Status DoDelete(const string& container, const string& type, const string& name);

  ::rill::ResourceManager* manager_;
};

// Where a node's resource is kept, from its attributes "container" and "shared_name".
class ContainerInfo {
 public:
  ContainerInfo() : mgr_(nullptr), private_(false) {}
  Status Init(ResourceMgr* rmgr, const NodeDef& ndef, bool use_node_name_as_default);
  Status Init(ResourceMgr* rmgr, const NodeDef& ndef) { return Init(rmgr, ndef, false); }
  ResourceMgr* resource_manager() const { return mgr_; }
  const string& container() const { return container_; }
  const string& name() const { return name_; }
  bool resource_is_private_to_kernel() const { return private_; }
  string DebugString() const;

 private:
  ResourceMgr* mgr_;
  string container_, name_;
  bool private_;
};

const ResourceHandle& HandleFromInput(OpKernelContext* ctx, int input);
Status HandleFromInput(OpKernelContext* ctx, StringPiece input, ResourceHandle* handle);

namespace internal {
ResourceHandle MakeHandle(OpKernelContext* ctx, const string& container, const string& name,
                          const std::type_info& type);
Status CheckHandle(OpKernelContext* ctx, const ResourceHandle& handle, const std::type_info& type);
}  // namespace internal

template <typename T>
ResourceHandle MakeResourceHandle(OpKernelContext* ctx, const string& container,
                                  const string& name) {
  return internal::MakeHandle(ctx, container, name, typeid(T));
}
template <typename T>
Status MakeResourceHandleToOutput(OpKernelContext* context, int output_index,
                                  const string& container, const string& name,
                                  const std::type_info& type) {
  Tensor* handle = nullptr;
  TF_RETURN_IF_ERROR(context->allocate_output(output_index, TensorShape({}), &handle));
  handle->scalar<ResourceHandle>()() = internal::MakeHandle(context, container, name, type);
  return Status::OK();
}
ResourceHandle MakePerStepResourceHandle(OpKernelContext* ctx, const string& name);

template <typename T>
Status CreateResource(OpKernelContext* ctx, const ResourceHandle& p, T* value) {
  TF_RETURN_IF_ERROR(internal::CheckHandle(ctx, p, typeid(T)));
  return ctx->resource_manager()->Create(p.container(), p.name(), value);
}
template <typename T, bool use_dynamic_cast = false>
Status LookupResource(OpKernelContext* ctx, const ResourceHandle& p, T** value) {
  TF_RETURN_IF_ERROR(internal::CheckHandle(ctx, p, typeid(T)));
  return ctx->resource_manager()->Lookup(p.container(), p.name(), value);
}
template <typename T, bool use_dynamic_cast = false>
Status LookupResource(OpKernelContext* ctx, const ResourceHandle& p, core::RefCountPtr<T>* value) {
  T* found = nullptr;
  TF_RETURN_IF_ERROR(LookupResource(ctx, p, &found));
  value->reset(found);
  return Status::OK();
}
template <typename T>
Status LookupOrCreateResource(OpKernelContext* ctx, const ResourceHandle& p, T** value,
                              std::function<Status(T**)> creator) {
  TF_RETURN_IF_ERROR(internal::CheckHandle(ctx, p, typeid(T)));
  return ctx->resource_manager()->LookupOrCreate(p.container(), p.name(), value, creator);
}
template <typename T>
Status LookupOrCreateResource(OpKernelContext* ctx, const ResourceHandle& p,
                              core::RefCountPtr<T>* value, std::function<Status(T**)> creator) {
  T* found = nullptr;
  TF_RETURN_IF_ERROR(LookupOrCreateResource(ctx, p, &found, creator));
  value->reset(found);
  return Status::OK();
}
template <typename T>
Status DeleteResource(OpKernelContext* ctx, const ResourceHandle& p) {
  TF_RETURN_IF_ERROR(internal::CheckHandle(ctx, p, typeid(T)));
  return ctx->resource_manager()->Delete<T>(p.container(), p.name());
}
Status DeleteResource(OpKernelContext* ctx, const ResourceHandle& p);

// Makes a handle to a T under the node's names; for REGISTER_RESOURCE_HANDLE_KERNEL.
template <typename T>
class ResourceHandleOp : public OpKernel {
 public:
  explicit ResourceHandleOp(OpKernelConstruction* context) : OpKernel(context) {
    OP_REQUIRES_OK(context, context->GetAttr("container", &container_));
    OP_REQUIRES_OK(context, context->GetAttr("shared_name", &name_));
  }
  void Compute(OpKernelContext* ctx) override {
    Tensor* handle = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({}), &handle));
    handle->scalar<ResourceHandle>()() =
        MakeResourceHandle<T>(ctx, container_, name_.empty() ? this->name() : name_);
  }

 private:
  string container_, name_;
};

template <typename T>
class IsResourceInitialized : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    Tensor* output = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({}), &output));
    T* found = nullptr;
    const bool exists = LookupResource(ctx, HandleFromInput(ctx, 0), &found).ok();
    if (found != nullptr) found->Unref();
    output->scalar<bool>()() = exists;
  }
};

}  // namespace tensorflow

#define REGISTER_RESOURCE_HANDLE_OP(Type)                                \
  REGISTER_OP(#Type "HandleOp")                                          \
      .Attr("container: string = ''")                                    \
      .Attr("shared_name: string = ''")                                  \
      .Output("resource: resource")                                      \
      .SetIsStateful()                                                   \
      .SetShapeFn([](::tensorflow::shape_inference::InferenceContext*) { \
        return ::tensorflow::Status::OK();                               \
      })
#define REGISTER_RESOURCE_HANDLE_KERNEL(Type)                                      \
  REGISTER_KERNEL_BUILDER(Name(#Type "HandleOp").Device(::tensorflow::DEVICE_CPU), \
                          ::tensorflow::ResourceHandleOp<Type>)

#endif
