#include "rill/serve/core/manager.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rill/base/background.h"
#include "rill/base/log.h"
#include "rill/base/thread_limit.h"
#include "rill/serve/core/quiet_thread.h"

namespace rill::serve {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kEndedKept = 1000;

enum class Phase {
  kNew,
  kLoading,
  kRetrying,   // waits for the next attempt
  kReady,      // serves
  kQuiescing,  // found no more; requests may still use it
  kReleased,   // and none does
  kUnloading,
  kDone,
  kFailed,
};

struct Version {
  ServableId id;
  LoaderRef loader;
  Phase phase = Phase::kNew;
  bool is_aspired = true;
  std::optional<Error> error;
  int attempts = 0;
  Clock::time_point retry_at;
  std::shared_ptr<Servable> servable;

  bool is_done() const { return phase == Phase::kDone || phase == Phase::kFailed; }
};
using VersionRef = std::shared_ptr<Version>;

struct Stream {
  std::vector<VersionRef> versions;
  std::optional<std::vector<Aspired<LoaderRef>>> pending;  // aspired to, and not yet looked at
  std::map<std::int64_t, VersionStatus, std::greater<>> statuses;
};

std::vector<VersionFacts> facts_of(const Stream& stream) {
  std::vector<VersionFacts> facts;
  for (const VersionRef& version : stream.versions)
    facts.push_back(
        {.version = version->id.version,
         .name = version->id.name,
         .is_aspired = version->is_aspired,
         .is_new = version->phase == Phase::kNew,
         .is_ready = version->phase == Phase::kReady,
         .is_done = version->is_done(),
         .is_failed = version->phase == Phase::kFailed,
         .is_loading = version->phase == Phase::kLoading || version->phase == Phase::kRetrying});
  return facts;
}

}  // namespace

struct Handle::Lease {
  ServableId id;
  std::shared_ptr<Servable> servable;
  std::function<void()> released;
  ~Lease() {
    servable.reset();
    released();
  }
};

const ServableId& Handle::id() const { return lease_->id; }
Servable& Handle::any() const { return *lease_->servable; }

// One thread decides; loading and unloading are done on others. `mutex` guards everything but the
// leases that are handed out, which have a lock of their own, held for moments.
struct Manager::Impl : std::enable_shared_from_this<Manager::Impl> {
  using LeaseRef = std::shared_ptr<Handle::Lease>;

  explicit Impl(const ManagerOptions& given) : options(given), load_threads(given.load_threads) {}

  void work();
  void step(Stream& stream);
  bool take_pending(Stream& stream);
  void drop_unwanted(Stream& stream);
  void act(Stream& stream);
  std::optional<Action> next(const Stream& stream) const;
  void start_load(const VersionRef& version);
  bool is_to_be_quiet(const Loader& loader) const;
  void finish_load(const VersionRef& version, std::shared_ptr<Servable> servable,
                   std::optional<Error> error);
  void start_unload(const VersionRef& version);
  void quiesce(const VersionRef& version);
  void publish(const VersionRef& version);
  void set_status(const ServableId& id, State state, std::optional<Error> error = std::nullopt);
  void wake() {
    dirty = true;
    changed.notify_all();
  }

  const ManagerOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, Stream> streams;
  std::vector<LeaseRef> dropped;  // let go of when nothing is locked
  std::vector<std::pair<ServableId, VersionStatus>> events;
  int load_threads, loads_running = 0, unloads_running = 0;
  bool dirty = false, stopping = false;
  bool telling = false;  // on_status is being called
  std::thread worker;

  mutable std::mutex lookup_mutex;
  std::map<std::string, std::map<std::int64_t, LeaseRef>> serving;
};

void Manager::Impl::work() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    dirty = false;
    for (auto& [name, stream] : streams) step(stream);
    auto leases = std::exchange(dropped, {});
    const auto news = std::exchange(events, {});
    auto until = Clock::now() + std::chrono::seconds(1);
    for (const auto& [name, stream] : streams)
      for (const VersionRef& version : stream.versions)
        if (version->phase == Phase::kRetrying) until = std::min(until, version->retry_at);
    telling = !news.empty();
    lock.unlock();
    leases.clear();
    for (const auto& [id, status] : news) options.on_status(id, status);
    lock.lock();
    if (std::exchange(telling, false)) changed.notify_all();
    changed.wait_until(lock, until, [&] { return dirty || stopping; });
  }
}

void Manager::Impl::step(Stream& stream) {
  drop_unwanted(stream);
  if (take_pending(stream)) drop_unwanted(stream);
  for (const VersionRef& version : stream.versions) {
    if (version->phase == Phase::kReleased &&
        (options.unload_threads <= 0 || unloads_running < options.unload_threads))
      start_unload(version);
    if (version->phase == Phase::kRetrying && version->retry_at <= Clock::now() &&
        loads_running < load_threads)
      start_load(version);
  }
  act(stream);
}

// What is aspired to no more and needs no unloading goes at once.
void Manager::Impl::drop_unwanted(Stream& stream) {
  std::erase_if(stream.versions, [&](const VersionRef& version) {
    if (version->is_aspired) return false;
    if (version->phase == Phase::kNew || version->phase == Phase::kRetrying) {
      set_status(version->id, State::kEnd, version->error);
      return true;
    }
    return version->is_done();
  });
}

bool Manager::Impl::take_pending(Stream& stream) {
  if (!stream.pending) return false;
  std::map<std::int64_t, VersionRef> known;
  for (const VersionRef& version : stream.versions) known[version->id.version] = version;
  for (const auto& wanted : *stream.pending) {
    const auto same = known.find(wanted.id.version);
    // Its older self must have gone before it can come back.
    if (same != known.end() && !same->second->is_aspired) return false;
  }
  const auto pending = *std::exchange(stream.pending, std::nullopt);
  for (const VersionRef& version : stream.versions) version->is_aspired = false;
  for (const auto& wanted : pending) {
    if (const auto same = known.find(wanted.id.version); same != known.end()) {
      same->second->is_aspired = true;
      continue;
    }
    auto version = std::make_shared<Version>();
    version->id = wanted.id;
    version->loader = wanted.data;
    if (wanted.error) version->phase = Phase::kFailed;
    set_status(wanted.id, wanted.error ? State::kEnd : State::kStart, wanted.error);
    stream.versions.push_back(known[wanted.id.version] = std::move(version));
  }
  return true;
}

std::optional<Action> Manager::Impl::next(const Stream& stream) const {
  const auto facts = facts_of(stream);
  if (!options.own_policy) return next_action(options.policy, facts);
  const auto action = options.own_policy(facts);
  if (!action) return std::nullopt;
  const auto subject = std::ranges::find(facts, action->version, &VersionFacts::version);
  const bool loads = action->kind == Action::Kind::kLoad;
  if (subject != facts.end() && (loads ? subject->is_new : subject->is_ready)) return action;
  log(LogLevel::kError, "A policy would ", loads ? "load" : "unload", " version ", action->version,
      ", which cannot be done now");
  return std::nullopt;
}

void Manager::Impl::act(Stream& stream) {
  while (const auto action = next(stream)) {
    const auto version = *std::ranges::find(stream.versions, action->version,
                                            [](const VersionRef& v) { return v->id.version; });
    if (action->kind == Action::Kind::kUnload) {
      quiesce(version);
    } else {
      if (loads_running >= load_threads) return;
      set_status(version->id, State::kLoading);
      start_load(version);
    }
  }
}

void Manager::Impl::start_load(const VersionRef& version) {
  version->phase = Phase::kLoading;
  ++version->attempts;
  ++loads_running;
  // A thread of its own: none that was quiet serves others later.
  std::thread([self = shared_from_this(), version, quiet = is_to_be_quiet(*version->loader)] {
    std::optional<ThreadLimit> alone;
    if (quiet) {
      make_this_thread_quiet();
      alone.emplace(1);
    }
    std::shared_ptr<Servable> servable;
    std::optional<Error> error;
    try {
      servable = version->loader->load();
    } catch (...) {
      error = current_error();
    }
    self->finish_load(version, std::move(servable), std::move(error));
  }).detach();
}

// When nothing serves, nobody is held up.
bool Manager::Impl::is_to_be_quiet(const Loader& loader) const {
  const std::lock_guard lock(lookup_mutex);
  return loader.may_be_quiet() && !serving.empty();
}

void Manager::Impl::finish_load(const VersionRef& version, std::shared_ptr<Servable> servable,
                                std::optional<Error> error) {
  const std::lock_guard lock(mutex);
  --loads_running;
  wake();
  if (!error) {
    version->servable = std::move(servable);
    version->error.reset();
    version->phase = Phase::kReady;
    publish(version);
    set_status(version->id, State::kAvailable);
    return;
  }
  log(LogLevel::kError, "Loading servable: ", version->id, " failed: ", error->what());
  version->error = std::move(error);
  if (version->is_aspired && version->attempts <= options.max_load_retries) {
    version->phase = Phase::kRetrying;
    version->retry_at =
        Clock::now() + std::chrono::microseconds(options.load_retry_interval_micros);
    set_status(version->id, State::kLoading, version->error);  // for who asks meanwhile
    return;
  }
  version->phase = Phase::kFailed;
  version->loader.reset();
  set_status(version->id, State::kEnd, version->error);
}

void Manager::Impl::publish(const VersionRef& version) {
  auto lease = std::make_shared<Handle::Lease>();
  lease->id = version->id;
  lease->servable = version->servable;
  lease->released = [self = shared_from_this(), version] {
    const std::lock_guard lock(self->mutex);
    version->phase = Phase::kReleased;
    self->wake();
  };
  const std::lock_guard lock(lookup_mutex);
  serving[version->id.name][version->id.version] = std::move(lease);
}

void Manager::Impl::quiesce(const VersionRef& version) {
  version->phase = Phase::kQuiescing;
  set_status(version->id, State::kUnloading);
  const std::lock_guard lock(lookup_mutex);
  const auto model = serving.find(version->id.name);
  const auto lease = model->second.find(version->id.version);
  dropped.push_back(std::move(lease->second));
  model->second.erase(lease);
  if (model->second.empty()) serving.erase(model);
}

void Manager::Impl::start_unload(const VersionRef& version) {
  version->phase = Phase::kUnloading;
  ++unloads_running;
  run_in_background([self = shared_from_this(), version] {
    std::shared_ptr<Servable> servable;
    {
      const std::lock_guard lock(self->mutex);
      servable = std::move(version->servable);
    }
    servable.reset();
    const std::lock_guard lock(self->mutex);
    version->loader.reset();
    version->phase = Phase::kDone;
    self->set_status(version->id, State::kEnd);
    --self->unloads_running;
    self->wake();
  });
}

void Manager::Impl::set_status(const ServableId& id, State state, std::optional<Error> error) {
  auto& statuses = streams[id.name].statuses;
  VersionStatus status{id.version, state, std::move(error)};
  statuses[id.version] = status;
  if (statuses.size() > kEndedKept) {
    const auto oldest =
        std::ranges::find_if(statuses.rbegin(), statuses.rend(),
                             [](const auto& entry) { return entry.second.state == State::kEnd; });
    if (oldest != statuses.rend()) statuses.erase(oldest->first);
  }
  if (options.on_status) events.emplace_back(id, std::move(status));
  changed.notify_all();
}

Manager::Manager(const ManagerOptions& options) : impl_(std::make_shared<Impl>(options)) {
  impl_->worker = std::thread([impl = impl_.get()] { impl->work(); });
}

Manager::~Manager() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->changed.notify_all();
  }
  impl_->worker.join();
  decltype(impl_->serving) serving;
  {
    const std::lock_guard lock(impl_->lookup_mutex);
    serving.swap(impl_->serving);
  }
  serving.clear();
  std::map<std::string, Stream> streams;
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock,
                      [&] { return impl_->loads_running == 0 && impl_->unloads_running == 0; });
  streams.swap(impl_->streams);
  // What was loaded while this went on.
  const std::lock_guard lookup_lock(impl_->lookup_mutex);
  serving.swap(impl_->serving);
  lock.unlock();
}

Target<LoaderRef> Manager::input() {
  return [this](const std::string& name, std::vector<Aspired<LoaderRef>> versions) {
    set_aspired(name, std::move(versions));
  };
}

void Manager::set_aspired(const std::string& name, std::vector<Aspired<LoaderRef>> versions) {
  const std::lock_guard lock(impl_->mutex);
  impl_->streams[name].pending = std::move(versions);
  impl_->wake();
}

void Manager::set_load_threads(int count) {
  const std::lock_guard lock(impl_->mutex);
  impl_->load_threads = std::max(1, count);
  impl_->wake();
}

Handle Manager::find(const std::string& name, std::optional<std::int64_t> version) const {
  {
    const std::lock_guard lock(impl_->lookup_mutex);
    if (const auto model = impl_->serving.find(name); model != impl_->serving.end()) {
      const auto& versions = model->second;
      if (!version) return Handle(versions.rbegin()->second);
      if (const auto found = versions.find(*version); found != versions.end())
        return Handle(found->second);
    }
  }
  if (version)
    raise(Code::kNotFound, "Servable not found for request: Specific(", name, ", ", *version, ")");
  raise(Code::kNotFound, "Servable not found for request: Latest(", name, ")");
}

Handle Manager::find_other(const std::string& name, std::int64_t version) const {
  {
    const std::lock_guard lock(impl_->lookup_mutex);
    if (const auto model = impl_->serving.find(name); model != impl_->serving.end())
      for (auto it = model->second.rbegin(); it != model->second.rend(); ++it)
        if (it->first != version) return Handle(it->second);
  }
  return find(name, version);
}

std::vector<ServableId> Manager::available() const {
  std::vector<ServableId> ids;
  const std::lock_guard lock(impl_->lookup_mutex);
  for (const auto& [name, versions] : impl_->serving)
    for (const auto& [version, lease] : versions) ids.push_back({name, version});
  return ids;
}

std::vector<VersionStatus> Manager::statuses(const std::string& name) const {
  std::vector<VersionStatus> all;
  const std::lock_guard lock(impl_->mutex);
  if (const auto stream = impl_->streams.find(name); stream != impl_->streams.end())
    for (const auto& [version, status] : stream->second.statuses) all.push_back(status);
  return all;
}

std::map<std::string, VersionStatus> Manager::wait_until_settled(
    const std::set<std::string>& names, const std::function<bool()>& give_up,
    bool waits_for_retries) {
  std::map<std::string, VersionStatus> failed;
  const auto settled = [&](const std::string& name) {
    const auto stream = impl_->streams.find(name);
    if (stream == impl_->streams.end() || stream->second.pending) return false;
    const auto& versions = stream->second.versions;
    const auto serves = [](const VersionRef& v) { return v->phase == Phase::kReady; };
    if (std::ranges::any_of(versions, serves)) return true;
    const bool all_failed = !versions.empty() && std::ranges::all_of(versions, &Version::is_done);
    if (all_failed) failed[name] = stream->second.statuses.at(versions.back()->id.version);
    return all_failed;
  };
  bool any_serves = false;
  const auto settled_for_now = [&](const std::string& name) {
    const auto stream = impl_->streams.find(name);
    if (stream == impl_->streams.end() || stream->second.pending) return false;
    const auto& versions = stream->second.versions;
    if (std::ranges::any_of(versions, [](const auto& v) { return v->phase == Phase::kReady; }))
      return any_serves = true;
    if (!std::ranges::all_of(versions, [](const VersionRef& v) {
          return v->is_done() || v->phase == Phase::kRetrying;
        }))
      return false;
    failed[name] =
        versions.empty()
            ? VersionStatus{0, State::kUnknown, Error(Code::kNotFound, "there is no version of it")}
            : stream->second.statuses.at(versions.back()->id.version);
    return true;
  };
  std::unique_lock lock(impl_->mutex);
  while (true) {
    failed.clear();
    any_serves = false;
    if (!waits_for_retries && impl_->events.empty() && !impl_->telling &&
        std::ranges::all_of(names, settled_for_now) && any_serves)
      return failed;
    failed.clear();
    const bool all_told = impl_->events.empty() && !impl_->telling;
    if (all_told && std::ranges::all_of(names, settled)) return failed;
    if (give_up && give_up()) return {};
    impl_->changed.wait_for(lock, std::chrono::milliseconds(50));
  }
}

}  // namespace rill::serve
