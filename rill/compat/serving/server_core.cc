#include "tensorflow_serving/model_servers/server_core.h"

#include <algorithm>

#include "rill/compat/serving/adapters.h"
#include "rill/compat/serving/aspired_versions_manager.h"
#include "rill/serve/service/server_core.h"
#include "tensorflow_serving/model_servers/platform_config_util.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_source_adapter.pb.h"

namespace tensorflow {
namespace serving {

PlatformConfigMap CreateTensorFlowPlatformConfigMap(
    const SessionBundleConfig& session_bundle_config, bool) {
  SavedModelBundleSourceAdapterConfig adapter;
  *adapter.mutable_legacy_config() = session_bundle_config;
  PlatformConfigMap map;
  (*map.mutable_platform_configs())[kTensorFlowModelPlatform]
      .mutable_source_adapter_config()
      ->PackFrom(adapter);
  return map;
}

struct ServerCore::Impl {
  std::shared_ptr<EventBus<ServableState>> bus = EventBus<ServableState>::CreateEventBus();
  std::unique_ptr<ServableStateMonitor> monitor;
  CustomModelConfigLoader custom_loader;
  bool allow_labels = true, is_custom = false;
  std::unique_ptr<rill::serve::ServerCore> core;
  UniquePtrWithDeps<AspiredVersionsManager> manager;  // of the core; custom sources feed it
};

namespace {

rill::serve::ServerCoreOptions core_options(ServerCore::Options& options,
                                            std::shared_ptr<EventBus<ServableState>> bus) {
  rill::serve::ServerCoreOptions core;
  if (options.aspired_version_policy != nullptr)
    core.manager.own_policy = to_rill(
        std::shared_ptr<const AspiredVersionPolicy>(std::move(options.aspired_version_policy)));
  core.manager.load_threads = std::clamp<int>(options.num_load_threads, 1, 256);
  core.manager.max_load_retries = std::max<int>(0, options.max_num_load_retries);
  core.manager.load_retry_interval_micros = options.load_retry_interval_micros;
  core.manager.on_status = [bus](const rill::serve::ServableId& id,
                                 const rill::serve::VersionStatus& status) {
    bus->Publish(from_rill(id, status));
  };
  core.source.poll_wait_seconds = options.file_system_poll_wait_seconds;
  core.source.always_present = options.servable_versions_always_present;
  core.platforms = rill::serve::adapters_for(options.platform_config_map,
                                             adapters_of_tensorflow(options.pre_load_hook));
  core.allow_labels_for_unavailable = options.allow_version_labels_for_unavailable_models;
  core.first_load_threads = options.num_initial_load_threads;
  return core;
}

}  // namespace

ServerCore::ServerCore() : impl_(new Impl) {}
ServerCore::~ServerCore() = default;

Status ServerCore::Create(Options options, std::unique_ptr<ServerCore>* core) {
  std::unique_ptr<ServerCore> made(new ServerCore);
  Impl& impl = *made->impl_;
  if (options.servable_state_monitor_creator) {
    const Status status = options.servable_state_monitor_creator(impl.bus.get(), &impl.monitor);
    if (!status.ok()) return status;
  } else {
    impl.monitor.reset(new ServableStateMonitor(impl.bus.get()));
  }
  impl.custom_loader = options.custom_model_config_loader;
  impl.allow_labels = options.allow_version_labels;
  Status status = guarded([&] {
    impl.core = std::make_unique<rill::serve::ServerCore>(core_options(options, impl.bus));
    auto manager = std::make_shared<AspiredVersionsManager::Impl>();
    manager->manager = &impl.core->manager();
    manager->pre_load_hook = options.pre_load_hook;
    impl.manager.SetOwned(
        std::unique_ptr<AspiredVersionsManager>(new AspiredVersionsManager(std::move(manager))));
  });
  if (status.ok()) status = made->ReloadConfig(options.model_server_config);
  if (status.ok()) *core = std::move(made);
  return status;
}

Status ServerCore::ReloadConfig(const ModelServerConfig& config) {
  if (!config.has_custom_model_config()) {
    if (impl_->is_custom)
      return errors::FailedPrecondition(
          "Cannot transition to requested config. It is only legal to transition from one "
          "ModelConfigList to another.");
    if (config.config_case() == ModelServerConfig::CONFIG_NOT_SET)
      return Status::OK();  // nothing to serve yet
    return guarded([&] { impl_->core->reload(config); });
  }
  if (!impl_->custom_loader)
    return errors::InvalidArgument(
        "Missing custom_model_config_loader in ServerCore Options with custom_model_config");
  if (impl_->is_custom || impl_->core->config().has_model_config_list())
    return errors::FailedPrecondition(
        "Cannot transition to requested config. It is only legal to transition from one "
        "ModelConfigList to another.");
  impl_->is_custom = true;
  Status status;
  const Status caught = guarded([&] {
    status = impl_->custom_loader(config.custom_model_config(), impl_->bus.get(), &impl_->manager);
  });
  return caught.ok() ? status : caught;
}

ServableStateMonitor* ServerCore::servable_state_monitor() const { return impl_->monitor.get(); }

std::vector<ServableId> ServerCore::ListAvailableServableIds() const {
  return all_ids(impl_->core->available());
}

Status ServerCore::ServableRequestFromModelSpec(const ModelSpec& model_spec,
                                                ServableRequest* request) const {
  if (model_spec.version_choice_case() == ModelSpec::kVersionLabel && !impl_->allow_labels)
    return errors::InvalidArgument("Model labels are not allowed");
  return guarded([&] {
    const auto version = impl_->core->version_of(model_spec);
    request->name = model_spec.name();
    if (version) request->version = *version;
  });
}

Status ServerCore::GetUntypedServableHandle(
    const ServableRequest& request, std::unique_ptr<UntypedServableHandle>* untyped_handle) {
  return find_handle(impl_->core->manager(), request, untyped_handle);
}

std::map<ServableId, std::unique_ptr<UntypedServableHandle>>
ServerCore::GetAvailableUntypedServableHandles() const {
  return all_handles(impl_->core->manager());
}

}  // namespace serving
}  // namespace tensorflow
