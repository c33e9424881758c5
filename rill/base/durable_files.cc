#include "rill/base/durable_files.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/postponed_syncs.h"

namespace rill {
namespace {

std::atomic<bool>& wanted_durable() {
  static std::atomic<bool> wanted = [] {
    const char* text = std::getenv("RILL_FSYNC");
    return text == nullptr || std::string_view(text) != "0";
  }();
  return wanted;
}

std::string named(const std::string& directory) { return directory.empty() ? "." : directory; }

void remove_quietly(const std::string& path) {
  try {
    file_system_of(path).remove_file(path);
  } catch (const Error&) {  // the first error is the one to tell
  }
}

void sync_if_known(const std::string& path) {
  if (!durable_files() || PostponedSyncs::covers(path)) return;
  if (CrashSafeFiles* const files = crash_safe_files(path)) files->sync_path(path);
}

}  // namespace

bool durable_files() { return wanted_durable().load(std::memory_order_relaxed); }
void set_durable_files(bool wanted) { wanted_durable().store(wanted, std::memory_order_relaxed); }

CrashSafeFiles* crash_safe_files(const std::string& path) {
  return dynamic_cast<CrashSafeFiles*>(&file_system_of(path));
}

void sync_written(WritableFile& file) {
  if (durable_files() && !PostponedSyncs::covers(file.path()))
    file.sync();
  else
    file.flush();
}

void sync_file(const std::string& path) { sync_if_known(path); }
void sync_directory(const std::string& directory) { sync_if_known(named(directory)); }
void sync_parent(const std::string& path) { sync_directory(parent_path(path)); }

void publish_file(const std::string& path, std::string_view bytes) {
  replace_file(path, bytes, /*durable=*/true);
}

void replace_file(const std::string& path, std::string_view bytes, bool durable) {
  static std::atomic<std::uint64_t> number = 0;
  FileSystem& files = file_system_of(path);
  const bool is_whole = files.writes_whole_files();
  const std::string temporary =
      is_whole ? path : str_cat(path, ".tmp", ::getpid(), "_", wall_micros(), "_", number++);
  const auto file = files.create(temporary, WriteMode::truncate);
  try {
    file->append(bytes);
    if (durable) sync_written(*file);
    file->close();
    if (!is_whole) files.rename(temporary, path);
  } catch (const Error&) {
    if (!is_whole && file_exists(temporary)) remove_quietly(temporary);
    throw;
  }
  if (durable) sync_parent(path);
}

void publish_as(const std::string& temporary, const std::string& path) {
  sync_file(temporary);
  rename_file(temporary, path, /*overwrite=*/true);
  sync_parent(path);
}

void make_durable_directories(const std::string& path) {
  std::vector<std::string> changed;  // those that get a new name in them
  for (std::string at = path; !at.empty() && !is_directory(at);) {
    const std::string parent = parent_path(at);
    changed.push_back(parent);
    if (parent == at) break;
    at = parent;
  }
  make_directories(path);
  for (auto at = changed.rbegin(); at != changed.rend(); ++at) sync_directory(*at);
}

}  // namespace rill
