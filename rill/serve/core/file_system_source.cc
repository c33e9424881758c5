#include "rill/serve/core/file_system_source.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/serve/core/directory_watch.h"

namespace rill::serve {

using Paths = std::map<std::int64_t, std::string>;

constexpr std::int64_t kLongestWait = 1'000'000;  // seconds

Paths versions_below(const std::string& base_path, std::string* clash) {
  Paths versions;
  for (const std::string& name : file_system_of(base_path).list(base_path)) {
    const bool digits = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    long long version = 0;
    if (!digits || !parse_int(name, &version)) continue;
    std::string& path = versions[version];
    if (!path.empty() && clash != nullptr)
      *clash = str_cat("Duplicate version directories detected. Version ", version,
                       " will be loaded from ", join_path(base_path, name), ", ", path,
                       " will be ignored");
    path = join_path(base_path, name);
  }
  return versions;
}

Paths chosen(const VersionChoice& choice, const Paths& versions,
             const std::function<bool(std::int64_t)>& is_broken) {
  if (std::holds_alternative<AllVersions>(choice)) return versions;
  Paths wanted;
  if (const auto* latest = std::get_if<LatestVersions>(&choice)) {
    std::size_t sound = 0;
    for (auto it = versions.rbegin(); it != versions.rend() && sound < latest->count; ++it) {
      wanted.insert(*it);
      if (!is_broken || !is_broken(it->first)) ++sound;
    }
    return wanted;
  }
  for (const std::int64_t version : std::get<SpecificVersions>(choice).versions)
    if (const auto found = versions.find(version); found != versions.end()) wanted.insert(*found);
  return wanted;
}

namespace {

// What changes when files of a version do; 0 where that cannot be told.
std::uint64_t fingerprint(const std::string& path) {
  constexpr std::size_t kMaxFiles = 10'000;
  FileSystem& files = file_system_of(path);
  std::uint64_t sum = 0;
  std::size_t count = 0;
  std::vector<std::string> directories{path};
  for (std::size_t i = 0; i < directories.size() && count < kMaxFiles; ++i) {
    std::vector<NamedFacts> found;
    try {
      found = files.list_with_facts(directories[i]);
    } catch (const Error&) {  // gone, or not ours to read
    }
    for (const auto& [name, facts] : found) {
      const std::string at = join_path(directories[i], name);
      const std::uint64_t size = facts.is_directory ? 0 : facts.size;
      sum += std::hash<std::string>()(str_cat(at, " ", facts.modified_nanos, " ", size)) | 1;
      if (facts.is_directory && ++count < kMaxFiles) directories.push_back(at);
    }
    count += found.size();
  }
  return sum;
}

}  // namespace

struct FileSystemSource::Impl {
  explicit Impl(const FileSystemSourceOptions& given) : options(given) {}

  void work();
  void look();
  void look_at(const std::string& name, const WatchedModel& model);
  // Leaves out, for one look, broken versions whose files have changed, so that they come anew.
  void forget_repaired(const std::string& name, Paths* found);
  // Said once until something else is to be said: a server may look for years.
  void tell(LogLevel level, const std::string& name, const std::string& what);

  const FileSystemSourceOptions options;
  Target<std::string> target;
  std::mutex look_mutex;  // one look at a time
  WatchedModels models;
  std::map<std::string, std::string> told;
  std::map<ServableId, std::uint64_t> broken;  // what their files were like

  DirectoryWatch changes;  // of the models' directories, where somebody looks again
  std::atomic<bool> stopping = false;
  std::thread worker;
};

void FileSystemSource::Impl::tell(LogLevel level, const std::string& name,
                                  const std::string& what) {
  if (std::exchange(told[name], what) != what && !what.empty()) log(level, what);
}

void FileSystemSource::Impl::forget_repaired(const std::string& name, Paths* found) {
  std::erase_if(*found, [&](const auto& entry) {
    const ServableId id{name, entry.first};
    if (!options.is_broken || !options.is_broken(name, entry.first)) {
      broken.erase(id);
      return false;
    }
    const std::uint64_t now = fingerprint(entry.second);
    const auto [known, is_new] = broken.emplace(id, now);
    if (known->second == now) return false;
    broken.erase(known);
    return true;
  });
}

void FileSystemSource::Impl::look_at(const std::string& name, const WatchedModel& model) {
  Paths found;
  std::string clash;
  try {
    const auto is_broken = [&](std::int64_t version) {
      return options.is_broken && options.is_broken(name, version);
    };
    found = chosen(model.choice, versions_below(model.base_path, &clash), is_broken);
    forget_repaired(name, &found);
  } catch (...) {
    tell(LogLevel::kError, name,
         str_cat("FileSystemStoragePathSource encountered a filesystem access error: Could not "
                 "find base path ",
                 model.base_path, " for servable ", name, ": ", current_error().what()));
    return;
  }
  if (const auto* specific = std::get_if<SpecificVersions>(&model.choice);
      specific != nullptr && found.size() < specific->versions.size())
    tell(LogLevel::kWarning, name,
         str_cat("Some of the requested versions of servable ", name, " are not below ",
                 model.base_path));
  else if (!clash.empty())
    tell(LogLevel::kWarning, name, clash);
  else
    tell(LogLevel::kWarning, name,
         found.empty()
             ? str_cat("No versions of servable ", name, " found under base path ", model.base_path)
             : "");
  if (found.empty() && options.always_present) return;
  std::vector<Aspired<std::string>> versions;
  for (auto& [version, path] : found) versions.push_back({{name, version}, path, {}});
  target(name, std::move(versions));
}

void FileSystemSource::Impl::look() {
  const std::lock_guard lock(look_mutex);
  if (!target) return;
  std::set<std::string> directories;
  for (const auto& [name, model] : models) directories.insert(model.base_path);
  if (options.poll_wait_seconds > 0) changes.set(directories);
  for (const auto& [name, model] : models) look_at(name, model);
}

void FileSystemSource::Impl::work() {
  while (true) {
    changes.wait(std::chrono::seconds(std::min(options.poll_wait_seconds, kLongestWait)));
    if (stopping) return;
    look();
  }
}

FileSystemSource::FileSystemSource(const FileSystemSourceOptions& options)
    : impl_(std::make_unique<Impl>(options)) {
  if (options.poll_wait_seconds > 0) impl_->worker = std::thread([this] { impl_->work(); });
}

FileSystemSource::~FileSystemSource() {
  impl_->stopping = true;
  impl_->changes.wake();
  if (impl_->worker.joinable()) impl_->worker.join();
}

void FileSystemSource::connect(Target<std::string> target) {
  const std::lock_guard lock(impl_->look_mutex);
  impl_->target = std::move(target);
}

void FileSystemSource::look_again() { impl_->look(); }

void FileSystemSource::watch(WatchedModels models) {
  {
    const std::lock_guard lock(impl_->look_mutex);
    for (const auto& [name, model] : impl_->models)
      if (!models.contains(name)) {
        impl_->told.erase(name);
        if (impl_->target) impl_->target(name, {});
      }
    impl_->models = std::move(models);
  }
  if (impl_->options.poll_wait_seconds >= 0) impl_->look();
}

}  // namespace rill::serve
