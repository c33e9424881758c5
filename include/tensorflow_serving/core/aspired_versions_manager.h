#ifndef TENSORFLOW_SERVING_CORE_ASPIRED_VERSIONS_MANAGER_H_
#define TENSORFLOW_SERVING_CORE_ASPIRED_VERSIONS_MANAGER_H_

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "tensorflow/core/platform/env.h"
#include "tensorflow_serving/core/aspired_version_policy.h"
#include "tensorflow_serving/core/loader.h"
#include "tensorflow_serving/core/manager.h"
#include "tensorflow_serving/core/servable_state.h"
#include "tensorflow_serving/core/target.h"
#include "tensorflow_serving/util/event_bus.h"

namespace tensorflow {
namespace serving {

// Loads and unloads versions as sources aspire to them. Safe from several threads at once; looking
// up never waits for loading.
class AspiredVersionsManager : public Manager, public Target<std::unique_ptr<Loader>> {
 public:
  typedef std::function<void(const ServableId&)> PreLoadHook;

  struct Options {
    std::unique_ptr<AspiredVersionPolicy> aspired_version_policy;  // required
    EventBus<ServableState>* servable_event_bus = nullptr;         // hears of every change
    int64 manage_state_interval_micros = 100 * 1000;  // without effect: changes are seen at once
    uint32 num_load_threads = 0;                      // versions loaded at the same time; 0: one
    uint32 num_unload_threads = 0;                    // without effect: unloading never waits
    uint32 max_num_load_retries = 5;
    int64 load_retry_interval_micros = 1LL * 60 * 1000 * 1000;
    bool flush_filesystem_caches = false;  // without effect
    Env* env = Env::Default();
    PreLoadHook pre_load_hook;  // called before a version is loaded
  };
  static Status Create(Options options, std::unique_ptr<AspiredVersionsManager>* manager);
  ~AspiredVersionsManager() override;

  std::vector<ServableId> ListAvailableServableIds() const override;
  Source<std::unique_ptr<Loader>>::AspiredVersionsCallback GetAspiredVersionsCallback() override;
  void SetNumLoadThreads(uint32 count);

 private:
  friend class ServerCore;
  struct Impl;
  explicit AspiredVersionsManager(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  Status GetUntypedServableHandle(const ServableRequest& request,
                                  std::unique_ptr<UntypedServableHandle>* untyped_handle) override;
  std::map<ServableId, std::unique_ptr<UntypedServableHandle>> GetAvailableUntypedServableHandles()
      const override;
  std::shared_ptr<Impl> impl_;
};

}  // namespace serving
}  // namespace tensorflow

#endif
