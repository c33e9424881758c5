#ifndef TENSORFLOW_SERVING_MODEL_SERVERS_SERVER_CORE_H_
#define TENSORFLOW_SERVING_MODEL_SERVERS_SERVER_CORE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

// Fields that are deprecated there are no reason for warnings here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "tensorflow_serving/config/model_server_config.pb.h"
#pragma GCC diagnostic pop

#include "tensorflow_serving/apis/model.pb.h"
#include "tensorflow_serving/config/platform_config.pb.h"
#include "tensorflow_serving/core/aspired_versions_manager.h"
#include "tensorflow_serving/core/servable_state_monitor.h"
#include "tensorflow_serving/core/source_adapter.h"
#include "tensorflow_serving/model_servers/model_platform_types.h"
#include "tensorflow_serving/util/unique_ptr_with_deps.h"

namespace tensorflow {
namespace serving {

// Sources, adapters and a manager, put together as a configuration says, which can be replaced.
// Safe from several threads at once.
class ServerCore : public Manager {
 public:
  typedef std::function<Status(EventBus<ServableState>* event_bus,
                               std::unique_ptr<ServableStateMonitor>* monitor)>
      ServableStateMonitorCreator;
  // Connects sources of its own to the manager, as a configuration of its own says.
  typedef std::function<Status(const ::google::protobuf::Any& any,
                               EventBus<ServableState>* event_bus,
                               UniquePtrWithDeps<AspiredVersionsManager>* manager)>
      CustomModelConfigLoader;
  typedef AspiredVersionsManager::PreLoadHook PreLoadHook;

  struct Options {
    ModelServerConfig model_server_config;
    // Must have every platform that the configuration names.
    PlatformConfigMap platform_config_map;
    // none: availability is preserved
    std::unique_ptr<AspiredVersionPolicy> aspired_version_policy;
    int32 num_initial_load_threads = 0;  // 0: 4 for each core
    int32 num_load_threads = 0;
    int32 num_unload_threads = 0;  // without effect: unloading never waits
    int32 max_num_load_retries = 5;
    int64 load_retry_interval_micros = 1LL * 60 * 1000 * 1000;
    int32 file_system_poll_wait_seconds = 30;
    bool flush_filesystem_caches = false;           // without effect
    uint64 total_model_memory_limit_bytes = ~0ULL;  // without effect
    bool fail_if_no_model_versions_found = false;   // without effect
    bool servable_versions_always_present = false;
    bool allow_version_labels = true;
    bool allow_version_labels_for_unavailable_models = false;
    PreLoadHook pre_load_hook;
    ServableStateMonitorCreator servable_state_monitor_creator;
    CustomModelConfigLoader custom_model_config_loader;
  };

  // Waits until every model of the configuration has a version that serves; fails when one cannot.
  static Status Create(Options options, std::unique_ptr<ServerCore>* core);
  ~ServerCore() override;

  // From one list of models to another; waits as Create does, for the models that are new.
  Status ReloadConfig(const ModelServerConfig& config);
  ServableStateMonitor* servable_state_monitor() const;
  std::vector<ServableId> ListAvailableServableIds() const override;

  // What a request asks for by name and version or label.
  template <typename T>
  Status GetServableHandle(const ModelSpec& model_spec, ServableHandle<T>* handle) {
    ServableRequest request;
    const Status status = ServableRequestFromModelSpec(model_spec, &request);
    if (!status.ok()) return status;
    return Manager::GetServableHandle(request, handle);
  }
  using Manager::GetServableHandle;

 private:
  struct Impl;
  ServerCore();
  Status ServableRequestFromModelSpec(const ModelSpec& model_spec, ServableRequest* request) const;
  Status GetUntypedServableHandle(const ServableRequest& request,
                                  std::unique_ptr<UntypedServableHandle>* untyped_handle) override;
  std::map<ServableId, std::unique_ptr<UntypedServableHandle>> GetAvailableUntypedServableHandles()
      const override;
  std::unique_ptr<Impl> impl_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
