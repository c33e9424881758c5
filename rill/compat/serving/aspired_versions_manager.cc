#include "rill/compat/serving/aspired_versions_manager.h"

#include <algorithm>

namespace tensorflow {
namespace serving {
namespace {

LoaderHarness::State state_of(const rill::serve::VersionFacts& facts) {
  if (facts.is_new) return LoaderHarness::State::kNew;
  if (facts.is_ready) return LoaderHarness::State::kReady;
  if (facts.is_failed) return LoaderHarness::State::kError;
  if (facts.is_done) return LoaderHarness::State::kDisabled;
  return facts.is_loading ? LoaderHarness::State::kLoading : LoaderHarness::State::kUnloading;
}

}  // namespace

rill::serve::NextAction to_rill(std::shared_ptr<const AspiredVersionPolicy> policy) {
  return [policy](std::span<const rill::serve::VersionFacts> versions)
             -> std::optional<rill::serve::Action> {
    std::vector<AspiredServableStateSnapshot> snapshots;
    for (const rill::serve::VersionFacts& facts : versions)
      snapshots.push_back({{facts.name, facts.version}, state_of(facts), facts.is_aspired});
    const auto action = policy->GetNextAction(snapshots);
    if (!action) return std::nullopt;
    return rill::serve::Action{action->action == AspiredVersionPolicy::Action::kLoad
                                   ? rill::serve::Action::Kind::kLoad
                                   : rill::serve::Action::Kind::kUnload,
                               action->id.version};
  };
}

Status find_handle(rill::serve::Manager& manager, const ServableRequest& request,
                   std::unique_ptr<UntypedServableHandle>* handle) {
  return guarded([&] {
    const std::optional<std::int64_t> version =
        request.version ? std::optional<std::int64_t>(*request.version) : std::nullopt;
    const rill::serve::Handle found = manager.find(request.name, version);
    *handle = untyped(found);
    if (*handle == nullptr)
      raise(rill::Code::kInvalidArgument, found.id(), " was loaded by the model server itself");
  });
}

std::map<ServableId, std::unique_ptr<UntypedServableHandle>> all_handles(
    rill::serve::Manager& manager) {
  std::map<ServableId, std::unique_ptr<UntypedServableHandle>> handles;
  for (const rill::serve::ServableId& id : manager.available()) {
    std::unique_ptr<UntypedServableHandle> handle;
    // One that has gone meanwhile is none of those that are available.
    if (find_handle(manager, ServableRequest::Specific(id.name, id.version), &handle).ok())
      handles[from_rill(id)] = std::move(handle);
  }
  return handles;
}

std::vector<ServableId> all_ids(const std::vector<rill::serve::ServableId>& ids) {
  std::vector<ServableId> all;
  for (const rill::serve::ServableId& id : ids) all.push_back(from_rill(id));
  return all;
}

Status AspiredVersionsManager::Create(Options options,
                                      std::unique_ptr<AspiredVersionsManager>* manager) {
  if (options.aspired_version_policy == nullptr)
    return errors::InvalidArgument(
        "AspiredVersionsManager::Options aspired_version_policy must be set");
  return guarded([&] {
    rill::serve::ManagerOptions how;
    how.own_policy = to_rill(
        std::shared_ptr<const AspiredVersionPolicy>(std::move(options.aspired_version_policy)));
    how.load_threads = static_cast<int>(std::clamp<uint32>(options.num_load_threads, 1, 256));
    how.max_load_retries =
        static_cast<int>(std::min<uint32>(options.max_num_load_retries, 1'000'000));
    how.load_retry_interval_micros = options.load_retry_interval_micros;
    if (EventBus<ServableState>* const bus = options.servable_event_bus)
      how.on_status = [bus](const rill::serve::ServableId& id,
                            const rill::serve::VersionStatus& status) {
        bus->Publish(from_rill(id, status));
      };
    auto impl = std::make_shared<Impl>();
    impl->owned = std::make_unique<rill::serve::Manager>(how);
    impl->manager = impl->owned.get();
    impl->pre_load_hook = options.pre_load_hook;
    manager->reset(new AspiredVersionsManager(std::move(impl)));
  });
}

AspiredVersionsManager::~AspiredVersionsManager() = default;

std::vector<ServableId> AspiredVersionsManager::ListAvailableServableIds() const {
  return all_ids(impl_->manager->available());
}

Source<std::unique_ptr<Loader>>::AspiredVersionsCallback
AspiredVersionsManager::GetAspiredVersionsCallback() {
  // A source may outlive the manager: what it says then is not heard.
  return [impl = std::weak_ptr<Impl>(impl_)](const StringPiece name, Loaders versions) {
    if (const auto alive = impl.lock())
      alive->manager->set_aspired(string(name), to_rill(std::move(versions), alive->pre_load_hook));
  };
}

void AspiredVersionsManager::SetNumLoadThreads(uint32 count) {
  impl_->manager->set_load_threads(static_cast<int>(std::min<uint32>(count, 256)));
}

Status AspiredVersionsManager::GetUntypedServableHandle(
    const ServableRequest& request, std::unique_ptr<UntypedServableHandle>* untyped_handle) {
  return find_handle(*impl_->manager, request, untyped_handle);
}

std::map<ServableId, std::unique_ptr<UntypedServableHandle>>
AspiredVersionsManager::GetAvailableUntypedServableHandles() const {
  return all_handles(*impl_->manager);
}

}  // namespace serving
}  // namespace tensorflow
