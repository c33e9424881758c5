#include "rill/base/postponed_syncs.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "rill/base/durable_files.h"
#include "rill/base/files.h"

namespace rill {
namespace {

std::string listed_name(const std::string& directory) {
  return directory.empty() ? "." : directory;
}

struct Postponed {
  std::mutex mutex;
  std::vector<std::string> prefixes;  // guarded by mutex
  std::atomic<bool> is_any = false;
};
Postponed& postponed() {
  static auto& all = *new Postponed;  // files may be written until the very end
  return all;
}

}  // namespace

PostponedSyncs::PostponedSyncs(std::string prefix) : prefix_(std::move(prefix)) {
  const std::lock_guard lock(postponed().mutex);
  postponed().prefixes.push_back(prefix_);
  postponed().is_any = true;
}

PostponedSyncs::~PostponedSyncs() {
  const std::lock_guard lock(postponed().mutex);
  auto& prefixes = postponed().prefixes;
  prefixes.erase(std::ranges::find(prefixes, prefix_));
  postponed().is_any = !prefixes.empty();
}

bool PostponedSyncs::covers(const std::string& path) {
  if (!postponed().is_any) return false;
  const std::lock_guard lock(postponed().mutex);
  return std::ranges::any_of(postponed().prefixes, [&](const std::string& prefix) {
    return path.starts_with(prefix) || path == listed_name(parent_path(prefix));
  });
}

void sync_files_of(const std::string& prefix) {
  const std::string directory = parent_path(prefix);
  const std::string_view base = base_name(prefix);
  for (const std::string& name : file_system_of(prefix).list(listed_name(directory))) {
    const std::string path = join_path(directory, name);
    if (name.starts_with(base) && !is_directory(path)) sync_file(path);
  }
  sync_directory(directory);
}

}  // namespace rill
