#include "rill/compat/serving/foreign.h"

namespace tensorflow {
namespace serving {
namespace {

using rill::serve::Aspired;
using rill::serve::LoaderRef;
using TheirLoader = Loader;

class ForeignLoader final : public rill::serve::Loader {
 public:
  ForeignLoader(const ServableId& id, std::shared_ptr<TheirLoader> loader, PreLoadHook hook)
      : id_(id), loader_(std::move(loader)), hook_(std::move(hook)) {}

  std::shared_ptr<rill::serve::Servable> load() override {
    if (hook_) hook_(id_);
    const Status status = loader_->LoadWithMetadata(TheirLoader::Metadata{id_});
    if (!status.ok()) throw to_error(status);
    return std::make_shared<ForeignServable>(loader_, loader_->servable());
  }

 private:
  const ServableId id_;
  const std::shared_ptr<TheirLoader> loader_;
  const PreLoadHook hook_;
};

class ForeignAdapter final : public rill::serve::PathAdapter {
 public:
  ForeignAdapter(std::unique_ptr<StoragePathSourceAdapter> adapter, PreLoadHook hook)
      : adapter_(std::move(adapter)), hook_(std::move(hook)) {}

  void connect(rill::serve::Target<LoaderRef> target) override {
    adapter_->SetAspiredVersionsCallback(
        [target, hook = hook_](const StringPiece name, Loaders versions) {
          target(string(name), to_rill(std::move(versions), hook));
        });
  }
  void take(const std::string& name, std::vector<Aspired<std::string>> versions) override {
    std::vector<ServableData<StoragePath>> paths;
    for (Aspired<std::string>& version : versions) {
      const ServableId id = from_rill(version.id);
      if (version.error)
        paths.emplace_back(id, to_status(*version.error));
      else
        paths.emplace_back(id, std::move(version.data));
    }
    adapter_->SetAspiredVersions(name, std::move(paths));
  }

 protected:
  // All versions are adapted together, by take().
  LoaderRef adapt(const rill::serve::ServableId&, std::string) override { return nullptr; }

 private:
  const std::unique_ptr<StoragePathSourceAdapter> adapter_;
  const PreLoadHook hook_;
};

class ForeignHandle final : public UntypedServableHandle {
 public:
  ForeignHandle(rill::serve::Handle handle, AnyPtr servable)
      : handle_(std::move(handle)), id_(from_rill(handle_.id())), servable_(servable) {}
  const ServableId& id() const override { return id_; }
  AnyPtr servable() override { return servable_; }

 private:
  const rill::serve::Handle handle_;
  const ServableId id_;
  const AnyPtr servable_;
};

}  // namespace

ServableId from_rill(const rill::serve::ServableId& id) { return {id.name, id.version}; }
rill::serve::ServableId to_rill(const ServableId& id) { return {id.name, id.version}; }

ServableState from_rill(const rill::serve::ServableId& id,
                        const rill::serve::VersionStatus& status) {
  return {from_rill(id), static_cast<ServableState::ManagerState>(status.state),
          status.error ? to_status(*status.error) : Status::OK()};
}

ForeignServable::~ForeignServable() {
  const Status status = guarded([&] { loader_->Unload(); });
  if (!status.ok()) LOG(ERROR) << "Unloading failed: " << status;
}

std::vector<Aspired<LoaderRef>> to_rill(Loaders loaders, const PreLoadHook& hook) {
  std::vector<Aspired<LoaderRef>> versions;
  for (auto& version : loaders) {
    Aspired<LoaderRef> aspired{to_rill(version.id()), nullptr, {}};
    std::shared_ptr<Loader> loader;
    if (version.status().ok()) loader = version.ConsumeDataOrDie();
    if (!version.status().ok())
      aspired.error = to_error(version.status());
    else if (loader == nullptr)
      aspired.error = rill::Error(rill::Code::kInternal, "A source adapter gave no loader");
    else
      aspired.data = std::make_shared<ForeignLoader>(version.id(), std::move(loader), hook);
    versions.push_back(std::move(aspired));
  }
  return versions;
}

rill::serve::PathAdapterRef to_rill(std::unique_ptr<StoragePathSourceAdapter> adapter,
                                    const PreLoadHook& hook) {
  return std::make_shared<ForeignAdapter>(std::move(adapter), hook);
}

std::unique_ptr<UntypedServableHandle> untyped(const rill::serve::Handle& handle) {
  auto& servable = handle.as<rill::serve::Servable>();
  if (const auto* foreign = dynamic_cast<ForeignServable*>(&servable))
    return std::unique_ptr<UntypedServableHandle>(new ForeignHandle(handle, foreign->get()));
  return nullptr;
}

}  // namespace serving
}  // namespace tensorflow
