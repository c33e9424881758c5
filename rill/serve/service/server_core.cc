#include "rill/serve/service/server_core.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/serve/config/model_config.h"

namespace rill::serve {

using tensorflow::serving::ModelServerConfig;
using tensorflow::serving::ModelSpec;

struct ServerCore::Impl {
  explicit Impl(const ServerCoreOptions& given)
      : options(given),
        manager(with_first_threads(given, *this)),
        source(with_broken(given, *this)) {
    {
      const std::lock_guard lock(source_mutex);
      has_source = true;
    }
    for (const auto& [platform, adapter] : options.platforms) adapter->connect(manager.input());
    source.connect([this](const std::string& name, std::vector<Aspired<std::string>> versions) {
      route(name, std::move(versions));
    });
  }

  ~Impl() {
    const std::lock_guard lock(source_mutex);
    has_source = false;
  }

  static ManagerOptions with_first_threads(const ServerCoreOptions& given, Impl& self) {
    ManagerOptions options = given.manager;
    options.on_status = [before = std::move(options.on_status), &self](
                            const ServableId& id, const VersionStatus& status) {
      if (before) before(id, status);
      if (status.state != State::kEnd || !status.error) return;
      // Perhaps there is an older version to serve.
      const std::lock_guard lock(self.source_mutex);
      if (self.has_source) self.source.look_again();
    };
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.load_threads = given.first_load_threads > 0 ? given.first_load_threads : 4 * cores;
    return options;
  }

  static FileSystemSourceOptions with_broken(const ServerCoreOptions& given, Impl& self) {
    FileSystemSourceOptions options = given.source;
    options.is_broken = [&self](const std::string& name, std::int64_t version) {
      return std::ranges::any_of(self.manager.statuses(name), [&](const VersionStatus& status) {
        return status.version == version && status.state == State::kEnd && status.error;
      });
    };
    return options;
  }

  void route(const std::string& name, std::vector<Aspired<std::string>> versions);
  void check_platforms(const ConfiguredModels& wanted) const;
  void check_labels(const ConfiguredModels& wanted) const;
  // For the models that configuration `number` added.
  void wait_for(const std::set<std::string>& names, std::int64_t number,
                const std::function<bool()>& give_up, bool is_first);
  std::int64_t labelled(const std::string& name, const std::string& label) const;
  void watch_all();

  const ServerCoreOptions options;
  std::atomic<bool> stopping = false;
  std::mutex reload_mutex;  // one at a time
  mutable std::mutex mutex;
  ConfiguredModels models;                       // guarded by mutex
  std::map<std::string, std::string> platforms;  // of every model there was; guarded by mutex
  ModelServerConfig config;                      // guarded by mutex
  std::int64_t configurations = 0;               // so far; guarded by mutex
  std::map<std::string, std::int64_t> added_by;  // which of them; guarded by mutex
  std::set<std::string> unloaded;                // models of it that do not serve; guarded by mutex
  bool has_config = false;                       // guarded by reload_mutex
  std::mutex source_mutex;                       // of who has it look again
  bool has_source = false;
  Manager manager;
  FileSystemSource source;  // goes first
};

void ServerCore::Impl::route(const std::string& name, std::vector<Aspired<std::string>> versions) {
  std::string platform;
  {
    const std::lock_guard lock(mutex);
    platform = platforms.at(name);
  }
  options.platforms.at(platform)->take(name, std::move(versions));
}

void ServerCore::Impl::check_platforms(const ConfiguredModels& wanted) const {
  for (const auto& [name, model] : wanted) {
    require(options.platforms.contains(model.platform), "PlatformConfigMap has no entry for ",
            "platform ", model.platform, " of model ", name);
    const auto before = models.find(name);
    if (before != models.end() && before->second.platform != model.platform)
      raise(Code::kFailedPrecondition, "Illegal to change a model's platform. For model ", name,
            " platform was ", before->second.platform, " and new platform requested is ",
            model.platform);
  }
}

void ServerCore::Impl::check_labels(const ConfiguredModels& wanted) const {
  std::set<ServableId> serving;
  for (ServableId& id : manager.available()) serving.insert(std::move(id));
  for (const auto& [name, model] : wanted) {
    const auto before = models.find(name);
    for (const auto& [label, version] : model.labels) {
      if (serving.contains({name, version})) continue;
      const Labels& old = before == models.end() ? Labels() : before->second.labels;
      const auto used = old.find(label);
      if (options.allow_labels_for_unavailable && (used == old.end() || used->second == version))
        continue;
      raise(Code::kFailedPrecondition, "Request to assign label to version ", version, " of model ",
            name, ", which is not currently available for inference");
    }
  }
}

void ServerCore::Impl::wait_for(const std::set<std::string>& names, std::int64_t number,
                                const std::function<bool()>& give_up, bool is_first) {
  // A third one may have brought back what the second took away.
  const auto is_replaced = [&] {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(names, [&](const auto& name) {
      const auto added = added_by.find(name);
      return added == added_by.end() || added->second != number;
    });
  };
  const auto failed = manager.wait_until_settled(
      names, [&] { return is_replaced() || stopping.load() || (give_up && give_up()); },
      !is_first || options.is_strict);
  if (is_replaced())
    raise(Code::kAborted, "Another configuration came before every new model was available");
  if (failed.empty()) return;
  std::string text;
  for (const auto& [name, status] : failed)
    text +=
        str_cat("{", ServableId{name, status.version},
                " due to error: ", status.error ? status.error->what() : "it was unloaded", "}, ");
  if (is_first && !options.is_strict && failed.size() < names.size())
    return log(LogLevel::kError, failed.size(), " model(s) are not served: ", text);
  raise(Code::kUnknown, failed.size(), " model(s) did not become available: ", text);
}

std::int64_t ServerCore::Impl::labelled(const std::string& name, const std::string& label) const {
  const std::lock_guard lock(mutex);
  if (const auto model = models.find(name); model != models.end())
    if (const auto found = model->second.labels.find(label); found != model->second.labels.end())
      return found->second;
  raise(Code::kInvalidArgument, "Unrecognized servable version label: ", label);
}

ServerCore::ServerCore(const ServerCoreOptions& options) : impl_(std::make_unique<Impl>(options)) {}
ServerCore::~ServerCore() { stop(); }
void ServerCore::stop() { impl_->stopping = true; }
Manager& ServerCore::manager() { return impl_->manager; }

void ServerCore::reload(const ModelServerConfig& config, const std::function<bool()>& give_up) {
  std::unique_lock one_at_a_time(impl_->reload_mutex);
  if (impl_->has_config && !config.has_model_config_list())
    raise(Code::kFailedPrecondition, "Cannot transition to requested config. It is only legal to ",
          "transition from one ModelConfigList to another.");
  ConfiguredModels wanted = checked_models(config);
  std::set<std::string> added;
  std::int64_t number = 0;
  WatchedModels watched;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->check_platforms(wanted);
    impl_->check_labels(wanted);
    if (impl_->options.on_config) impl_->options.on_config(config);
    for (const auto& [name, model] : wanted) {
      watched[name] = model.watched;
      impl_->platforms[name] = model.platform;
      if (!impl_->models.contains(name)) added.insert(name);
    }
    std::erase_if(impl_->added_by,
                  [&](const auto& known) { return !wanted.contains(known.first); });
    number = ++impl_->configurations;
    for (const std::string& name : added) impl_->added_by[name] = number;
    // What was taken out of service comes back with a configuration that has it.
    for (const std::string& name : std::exchange(impl_->unloaded, {}))
      if (impl_->added_by.contains(name)) {
        added.insert(name);
        impl_->added_by[name] = number;
      }
    impl_->models = std::move(wanted);
    impl_->config = config;
  }
  const bool is_first = !std::exchange(impl_->has_config, true);
  impl_->source.watch(std::move(watched));
  one_at_a_time.unlock();  // who waits does not keep others from correcting what is waited for
  impl_->wait_for(added, number, give_up, is_first);
  impl_->manager.set_load_threads(impl_->options.manager.load_threads);
}

// With reload_mutex.
void ServerCore::Impl::watch_all() {
  WatchedModels watched;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [name, model] : models)
      if (!unloaded.contains(name)) watched[name] = model.watched;
  }
  source.watch(std::move(watched));
}

void ServerCore::unload(const std::string& name) {
  const std::lock_guard one_at_a_time(impl_->reload_mutex);
  {
    const std::lock_guard lock(impl_->mutex);
    if (!impl_->models.contains(name)) raise(Code::kNotFound, "There is no model ", name);
    impl_->unloaded.insert(name);
  }
  impl_->watch_all();
}

void ServerCore::load(const std::string& name, const std::function<bool()>& give_up) {
  std::int64_t number = 0;
  {
    const std::lock_guard one_at_a_time(impl_->reload_mutex);
    {
      const std::lock_guard lock(impl_->mutex);
      if (!impl_->models.contains(name)) raise(Code::kNotFound, "There is no model ", name);
      impl_->unloaded.erase(name);
      number = impl_->added_by[name];
    }
    impl_->watch_all();
  }
  impl_->source.look_again();
  impl_->wait_for({name}, number, give_up, false);
}

void ServerCore::require_base_paths(const ModelServerConfig& config) const {
  const ConfiguredModels wanted = checked_models(config);
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [name, model] : wanted) {
    const std::string& path = model.watched.base_path;
    const auto before = impl_->models.find(name);
    const bool is_known = before != impl_->models.end() && before->second.watched.base_path == path;
    if (!is_known && !file_exists(path))
      raise(Code::kNotFound, "Could not find base path ", path, " for servable ", name,
            "; the configuration stays as it was");
  }
}

ModelServerConfig ServerCore::config() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->config;
}

std::optional<std::int64_t> ServerCore::version_of(const ModelSpec& spec) const {
  require(!spec.name().empty(), "ModelSpec has no name specified.");
  if (spec.has_version()) return spec.version().value();
  if (spec.version_choice_case() == ModelSpec::kVersionLabel)
    return impl_->labelled(spec.name(), spec.version_label());
  return std::nullopt;
}

Handle ServerCore::find(const ModelSpec& spec) const {
  const auto version = version_of(spec);
  if (!version && impl_->options.settings != nullptr)
    if (const auto canary = impl_->options.settings->canary(spec.name())) {
      if (!canary->is_its_turn) return impl_->manager.find_other(spec.name(), canary->version);
      try {
        return impl_->manager.find(spec.name(), canary->version);
      } catch (const Error&) {  // it does not serve, or no more
        return impl_->manager.find(spec.name(), std::nullopt);
      }
    }
  return impl_->manager.find(spec.name(), version);
}

std::vector<VersionStatus> ServerCore::statuses(const ModelSpec& spec) const {
  require(!spec.name().empty(), "ModelSpec has no name specified.");
  const auto all = impl_->manager.statuses(spec.name());
  if (all.empty()) raise(Code::kNotFound, "Could not find any versions of model ", spec.name());
  const auto version = version_of(spec);
  if (!version) return all;
  for (const VersionStatus& status : all)
    if (status.version == *version) return {status};
  raise(Code::kNotFound, "Could not find version ", *version, " of model ", spec.name());
}

std::vector<ServableId> ServerCore::available() const { return impl_->manager.available(); }

bool ServerCore::has_model(const std::string& name) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->models.contains(name);
}

bool ServerCore::is_ready() const {
  std::set<std::string> serving;
  for (const ServableId& id : available()) serving.insert(id.name);
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [name, model] : impl_->models)
    if (!serving.contains(name) && !impl_->unloaded.contains(name)) return false;
  return !impl_->models.empty();
}

}  // namespace rill::serve
