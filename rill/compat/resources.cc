#include "tensorflow/core/framework/resource_mgr.h"

#include "rill/compat/convert.h"
#include "rill/compat/kernel_state.h"
#include "rill/kernel/resource_manager.h"
#include "rill/kernel/variable.h"
#include "tensorflow/core/framework/resource_var.h"

namespace tensorflow {
namespace {

// One of TensorFlow's resources among the library's own.
class HeldResource final : public rill::Resource {
 public:
  explicit HeldResource(ResourceBase* taken) : base(taken) {}
  ~HeldResource() override { base->Unref(); }
  std::string describe() const override { return base->DebugString(); }
  std::int64_t memory_bytes() const override { return base->MemoryUsed(); }
  ResourceBase* const base;
};

Status give(const std::shared_ptr<rill::Resource>& found, const string& container, const char* type,
            const string& name, ResourceBase** resource) {
  const auto* kept = dynamic_cast<const HeldResource*>(found.get());
  if (kept == nullptr)
    return errors::NotFound("Resource ", container, "/", name, "/", type, " does not exist.");
  kept->base->Ref();
  *resource = kept->base;
  return Status::OK();
}

}  // namespace

struct ResourceHandleAccess {
  static std::shared_ptr<rill::Resource> resource(const ResourceHandle& handle) {
    return handle.resource_;
  }
};

const string& ResourceMgr::default_container() const { return manager_->default_container(); }

Status ResourceMgr::DoCreate(const string& container, const char* type, const string& name,
                             ResourceBase* resource) {
  auto kept = std::make_shared<HeldResource>(resource);
  return guarded([&] {
    const auto found = manager_->find_or_add(container, type, name, [&] { return kept; });
    if (found != kept)
      raise(rill::Code::kAlreadyExists, "Resource ", container, "/", name, "/", type);
  });
}
Status ResourceMgr::DoLookup(const string& container, const char* type, const string& name,
                             ResourceBase** resource) const {
  return give(manager_->find(container, type, name), container, type, name, resource);
}
Status ResourceMgr::DoLookupOrCreate(const string& container, const char* type, const string& name,
                                     ResourceBase** resource,
                                     std::function<Status(ResourceBase**)> creator) {
  std::shared_ptr<rill::Resource> found;
  const Status status = guarded([&] {
    found = manager_->find(container, type, name);
    if (found != nullptr) return;
    ResourceBase* made = nullptr;
    const Status created = creator(&made);
    if (!created.ok()) throw to_error(created);
    rill::require(made != nullptr, "the creator of ", name, " made nothing");
    auto kept = std::make_shared<HeldResource>(made);
    found = manager_->find_or_add(container, type, name, [&] { return kept; });
  });
  TF_RETURN_IF_ERROR(status);
  return give(found, container, type, name, resource);
}
Status ResourceMgr::DoDelete(const string& container, const string& type, const string& name) {
  if (manager_->remove(container, type, name)) return Status::OK();
  return errors::NotFound("Resource ", container, "/", name, "/", type, " does not exist.");
}
Status ResourceMgr::Delete(const ResourceHandle& handle) {
  return DoDelete(handle.container(), handle.maybe_type_name(), handle.name());
}
Status ResourceMgr::Cleanup(const string& container) {
  return guarded([&] { manager_->clear(container); });
}

Status ContainerInfo::Init(ResourceMgr* rmgr, const NodeDef& ndef, bool use_node_name_as_default) {
  mgr_ = rmgr;
  string container, shared_name;
  if (HasNodeAttr(ndef, "container"))
    TF_RETURN_IF_ERROR(GetNodeAttr(ndef, "container", &container));
  if (HasNodeAttr(ndef, "shared_name"))
    TF_RETURN_IF_ERROR(GetNodeAttr(ndef, "shared_name", &shared_name));
  container_ = container.empty() ? rmgr->default_container() : container;
  if (!shared_name.empty() && shared_name[0] == '_')
    return errors::InvalidArgument("shared_name cannot start with '_':", shared_name);
  private_ = shared_name.empty() && !use_node_name_as_default;
  static std::atomic<int64> next = 0;
  name_ = !shared_name.empty()       ? shared_name
          : use_node_name_as_default ? ndef.name()
                                     : strings::StrCat("_", next++, "_", ndef.name());
  return Status::OK();
}
string ContainerInfo::DebugString() const {
  return strings::StrCat("[", container_, ",", name_, ",", private_ ? "private" : "public", "]");
}

const ResourceHandle& HandleFromInput(OpKernelContext* ctx, int input) {
  return *const_cast<Tensor&>(ctx->input(input)).flat<ResourceHandle>().data();
}
Status HandleFromInput(OpKernelContext* ctx, StringPiece input, ResourceHandle* handle) {
  const Tensor* tensor = nullptr;
  TF_RETURN_IF_ERROR(ctx->input(input, &tensor));
  return guarded([&] { *handle = tensor->flat<ResourceHandle>()(0); });
}

namespace internal {

ResourceHandle MakeHandle(OpKernelContext* ctx, const string& container, const string& name,
                          const std::type_info& type) {
  ResourceHandle handle;
  handle.set_device(ctx->device()->name());
  handle.set_container(container.empty() ? ctx->resource_manager()->default_container()
                                         : container);
  handle.set_name(name);
  handle.set_maybe_type_name(type.name());
  handle.set_hash_code(type.hash_code());
  return handle;
}

Status CheckHandle(OpKernelContext*, const ResourceHandle& handle, const std::type_info& type) {
  if (handle.maybe_type_name() == type.name()) return Status::OK();
  return errors::InvalidArgument("Trying to access resource using the wrong type. Expected ",
                                 handle.maybe_type_name(), " got ", type.name());
}

}  // namespace internal

ResourceHandle MakePerStepResourceHandle(OpKernelContext* ctx, const string& name) {
  return internal::MakeHandle(ctx, strings::StrCat("__per_step_", ctx->step_id()), name,
                              typeid(ResourceBase));
}
Status DeleteResource(OpKernelContext* ctx, const ResourceHandle& p) {
  return ctx->resource_manager()->Delete(p);
}

struct Var::Impl {
  std::shared_ptr<rill::VariableResource> variable;
  rill::Tensor original;
};

Var::Var(DataType dtype) : mu_(mutex_of(this)), tensor_(dtype) {}

Var::Var(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)), mu_(mutex_of(impl_->variable.get())) {
  impl_->variable->access([&](rill::Tensor& stored) {
    if (stored.has_value() && !stored.is_exclusive()) stored = stored.clone();
    impl_->original = stored;
  });
  is_initialized = impl_->original.has_value();
  tensor_ = is_initialized ? TensorAccess::wrap(impl_->original)
                           : Tensor(from_rill(impl_->variable->dtype()));
}

Var::~Var() {
  if (impl_ == nullptr) return;
  rill::Tensor now = TensorAccess::unwrap(tensor_);
  if (is_initialized && (!impl_->original.has_value() || !now.shares_storage(impl_->original)))
    impl_->variable->assign(std::move(now));
}

string Var::DebugString() const {
  return strings::StrCat(DataTypeString(tensor_.dtype()), "/", tensor_.shape().DebugString());
}

template <>
Status LookupResource<Var, false>(OpKernelContext* ctx, const ResourceHandle& p, Var** value) {
  return guarded([&] {
    auto variable =
        std::dynamic_pointer_cast<rill::VariableResource>(ResourceHandleAccess::resource(p));
    if (variable == nullptr)
      variable = KernelAccess::impl(*ctx).call.step().resources->find_as<rill::VariableResource>(
          p.container(), p.name());
    if (variable == nullptr)
      raise(rill::Code::kNotFound, "Resource ", p.container(), "/", p.name(),
            "/N10tensorflow3VarE does not exist.");
    std::unique_ptr<Var::Impl> impl(new Var::Impl);
    impl->variable = std::move(variable);
    *value = new Var(std::move(impl));
  });
}

}  // namespace tensorflow
