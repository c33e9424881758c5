#include "rill/base/file_system.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/file_system_registry.h"
#include "rill/base/files.h"

namespace rill {
namespace {

// Lives as long as the process, as do the file systems that it hands out.
struct FileSystems {
  std::mutex mutex;
  std::map<std::string, FileSystem*, std::less<>> by_scheme = {
      {"", &local_files()},    {"file", &local_files()}, {"ram", &ram_files()},
      {"http", &http_files()}, {"https", &http_files()},
  };
  std::map<std::string, FileSystem& (*)(), std::less<>> on_demand = {
      {"s3", s3_files},     {"gs", gcs_files},      {"webhdfs", webhdfs_files},
      {"hdfs", hdfs_files}, {"viewfs", hdfs_files}, {"swebhdfs", webhdfs_files},
      {"az", azure_files},
  };
};
FileSystems& file_systems() {
  static FileSystems& all = *new FileSystems;
  return all;
}

std::atomic<std::uint64_t> file_uses = 0;

}  // namespace

std::uint64_t file_system_uses() { return file_uses.load(std::memory_order_relaxed); }
void count_file_system_use() { file_uses.fetch_add(1, std::memory_order_relaxed); }

std::vector<NamedFacts> FileSystem::list_with_facts(const std::string& directory) {
  std::vector<NamedFacts> found;
  for (std::string& name : list(directory)) {
    FileFacts known;
    try {
      known = facts(join_path(directory, name));
    } catch (const Error&) {  // gone, or a link to nothing
    }
    found.push_back({std::move(name), known});
  }
  return found;
}

bool FileSystem::copy_within(const std::string&, const std::string&) { return false; }
bool FileSystem::remove_below(const std::string&) { return false; }

std::string_view scheme_of(std::string_view path) {
  const auto end = path.find("://");
  if (end == std::string_view::npos || end == 0) return {};
  for (const char c : path.substr(0, end)) {
    const bool ordinary = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!ordinary) return {};
  }
  return path.substr(0, end);
}

FileSystem& file_system_of(std::string_view path) {
  count_file_system_use();
  const std::string_view scheme = scheme_of(path);
  if (scheme.empty()) return local_files();
  FileSystems& all = file_systems();
  std::unique_lock lock(all.mutex);
  const auto found = all.by_scheme.find(scheme);
  if (found != all.by_scheme.end()) return *found->second;
  const auto maker = all.on_demand.find(scheme);
  if (maker == all.on_demand.end())
    raise(Code::kUnimplemented, "File system scheme '", scheme, "' not implemented (file: '", path,
          "')");
  lock.unlock();  // it reads files of settings
  FileSystem& made = maker->second();
  lock.lock();
  return *(all.by_scheme[maker->first] = &made);
}

void register_file_system(const std::string& scheme, std::unique_ptr<FileSystem> files) {
  require(!scheme.empty() && scheme_of(scheme + "://") == scheme && files != nullptr, "'", scheme,
          "' is no scheme of a file system");
  FileSystems& all = file_systems();
  const std::lock_guard lock(all.mutex);
  if (all.on_demand.contains(scheme) || !all.by_scheme.try_emplace(scheme, files.get()).second)
    raise(Code::kAlreadyExists, "File system for ", scheme, " already registered");
  files.release();
}

std::vector<std::string> file_system_schemes() {
  FileSystems& all = file_systems();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> schemes;
  for (const auto& [scheme, files] : all.by_scheme) schemes.push_back(scheme);
  for (const auto& [scheme, maker] : all.on_demand)
    if (!all.by_scheme.contains(scheme)) schemes.push_back(scheme);
  std::ranges::sort(schemes);
  return schemes;
}

}  // namespace rill
