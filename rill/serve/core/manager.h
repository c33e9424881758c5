#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rill/serve/core/source.h"
#include "rill/serve/core/version_policy.h"

namespace rill::serve {

struct ManagerOptions {
  TransitionPolicy policy = TransitionPolicy::kAvailabilityPreserving;
  NextAction own_policy;   // instead of `policy`, when there is one
  int load_threads = 1;    // versions that are loaded at the same time, of all models together
  int unload_threads = 0;  // the same of those that are unloaded; 0: as many as there are
  int max_load_retries = 5;
  std::int64_t load_retry_interval_micros = 60'000'000;
  // Called for every change, one after the other, on threads of the manager.
  std::function<void(const ServableId&, const VersionStatus&)> on_status;
};

// Keeps a version from being unloaded while a request uses it.
class Handle {
 public:
  Handle() = default;
  const ServableId& id() const;
  // The servable, as what it is; throws FailedPrecondition when it is something else.
  template <class T>
  T& as() const {
    if (T* servable = dynamic_cast<T*>(&any())) return *servable;
    raise(Code::kFailedPrecondition, id(), " is of another kind than this request is for");
  }

 private:
  friend class Manager;
  struct Lease;
  explicit Handle(std::shared_ptr<Lease> lease) : lease_(std::move(lease)) {}
  Servable& any() const;
  std::shared_ptr<Lease> lease_;
};

// Loads and unloads versions as they are aspired to, and finds those that serve. Safe from several
// threads at once; looking up never waits for loading.
class Manager {
 public:
  explicit Manager(const ManagerOptions& options);
  ~Manager();  // waits for loads and unloads that have begun
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  // The end of a chain of sources; must not outlive the manager.
  Target<LoaderRef> input();
  void set_aspired(const std::string& name, std::vector<Aspired<LoaderRef>> versions);
  void set_load_threads(int count);

  // The highest version that serves but for this one, or this one if there is no other. Throws
  // NotFound.
  Handle find_other(const std::string& name, std::int64_t version) const;
  // The version, or the highest that serves. Throws NotFound.
  Handle find(const std::string& name, std::optional<std::int64_t> version) const;
  std::vector<ServableId> available() const;
  // Every version that was ever aspired to, the highest first; of those at their end the last 1000.
  std::vector<VersionStatus> statuses(const std::string& name) const;

  // Waits until each of these has a version that serves, or only versions that failed, which are
  // returned; on_status has been called for all that by then. Ends early, with nothing, when
  // `give_up` says so; that is asked now and then. Without waiting for retries it is enough that
  // one of them serves and that of every other there was nothing to load, or a first attempt
  // failed.
  std::map<std::string, VersionStatus> wait_until_settled(const std::set<std::string>& names,
                                                          const std::function<bool()>& give_up,
                                                          bool waits_for_retries = true);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rill::serve
