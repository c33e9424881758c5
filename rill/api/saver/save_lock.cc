#include "rill/api/saver/save_lock.h"

#include <map>
#include <mutex>

#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/glob.h"
#include "rill/base/text.h"
#include "rill/io/bundle_publish.h"

namespace rill::train {
namespace {

constexpr std::string_view kWriterLock = ".save.lock";  // as lock_checkpoint names it

struct Held {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<LockFile>> locks;
};
Held& held_locks() {
  static auto& all = *new Held;
  return all;
}

std::string in_directory(const std::string& directory) {
  return directory.empty() ? "." : directory;
}

// What a sharded save writes before it is merged: "model_temp", with a number in older graphs.
bool is_parts_directory(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kMiddle = "_temp", kHexDigits = "0123456789abcdef";
  if (!name.starts_with(prefix) || !name.substr(prefix.size()).starts_with(kMiddle)) return false;
  const std::string_view rest = name.substr(prefix.size() + kMiddle.size());
  return rest.empty() || (rest.size() == 33 && rest[0] == '_' &&
                          rest.substr(1).find_first_not_of(kHexDigits) == std::string_view::npos);
}

// Only what such a save writes, and the directory when that was all.
void clear_parts(const std::string& directory) {
  FileSystem& files = file_system_of(directory);
  bool is_empty = true;
  for (const std::string& name : files.list(directory)) {
    const bool is_part = name.starts_with("part-") || name.starts_with(".part-");
    if (is_part) files.remove_file(join_path(directory, name));
    is_empty = is_empty && is_part;
  }
  if (is_empty) files.remove_directory(directory);
}

// What a process that was killed while it saved has said about itself.
struct Killed {
  explicit Killed(std::string_view notes) {
    for (const std::string_view line : split(notes, '\n')) {
      if (line.starts_with("process ")) process = split(line, ' ').at(1);
      if (line.starts_with("/") || line.starts_with("./")) prefixes.emplace_back(base_name(line));
    }
  }
  // Removes what it left under this name: parts of a checkpoint, or a file that it was replacing.
  void clear(const std::string& directory, const std::string& name) const {
    const std::string path = join_path(directory, name);
    for (const std::string& prefix : prefixes)
      if (is_parts_directory(name, prefix) && is_directory(path)) clear_parts(path);
    if (!process.empty() && matches_glob(str_cat("*.tmp", process, "_*_*"), name))
      file_system_of(path).remove_file(path);
  }

  std::string process;
  std::vector<std::string> prefixes;
};

void clear_killed(const std::string& directory, const std::string& state_lock) {
  const std::vector<std::string> names = file_system_of(directory).list(in_directory(directory));
  if (const auto found = LockFile::take_left(state_lock)) {
    const Killed killed(found->notes);
    for (const std::string& name : names) killed.clear(directory, name);
  }
  for (const std::string& name : names) {
    if (!name.starts_with('.') || !name.ends_with(kWriterLock)) continue;
    if (const auto found = LockFile::take_left(join_path(directory, name)))
      remove_left_over(join_path(directory, name.substr(1, name.size() - 1 - kWriterLock.size())));
  }
}

}  // namespace

std::shared_ptr<LockFile> lock_state(const std::string& directory,
                                     const std::string& latest_filename,
                                     const std::string& save_path) {
  const std::string name = latest_filename.empty() ? kCheckpointStateFile : latest_filename;
  const std::string path = join_path(directory, str_cat(".", name, ".state.lock"));
  const std::string note = save_path.starts_with('/') ? save_path : "./" + save_path;
  await_saves(directory);  // of other Savers of this process
  const std::lock_guard guard(held_locks().mutex);
  std::weak_ptr<LockFile>& known = held_locks().locks[path];
  std::shared_ptr<LockFile> lock = known.lock();
  if (lock == nullptr) {
    if (!is_directory(in_directory(directory))) return nullptr;  // nobody else can be there
    try {
      clear_killed(directory, path);
    } catch (const Error&) {  // it may not be ours to clear
    }
    lock = LockFile::take(path, str_cat("checkpoints are being saved, and recorded in ",
                                        join_path(directory, name), ","));
    known = lock;
  }
  lock->note(note);
  return lock;
}

}  // namespace rill::train
