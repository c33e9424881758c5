#include "rill/api/saver/checkpoint_recovery.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <set>

#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_directory.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/base/no_answer.h"
#include "rill/base/text.h"
#include "rill/io/checkpoint_damage.h"
#include "rill/io/parse_text.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {
namespace {

using tensorflow::CheckpointState;

constexpr const char* kRefused =
    "; RILL_RECOVER=0 forbids going on from another checkpoint. `rill checkpoints` shows what "
    "there "
    "is and repairs it.";

std::atomic<bool>& wanted_recovery() {
  static std::atomic<bool> wanted = [] {
    const char* text = std::getenv("RILL_RECOVER");
    return text == nullptr || std::string_view(text) != "0";
  }();
  return wanted;
}

std::string in_directory(const std::string& directory, const std::string& path) {
  return path.starts_with('/') || !scheme_of(path).empty() ? path : join_path(directory, path);
}

// The lines of a damaged file that are whole.
CheckpointState readable_part(const std::string& directory, const std::string& file) {
  CheckpointState state;
  std::string text;
  try {
    text = read_file(file);
  } catch (const Error& error) {
    if (is_no_answer(error, file)) throw;
    return state;
  }
  for (const std::string_view line : split(text, '\n')) {
    CheckpointState part;
    if (parse_text(std::string(line), &part)) state.MergeFrom(part);
  }
  if (!state.model_checkpoint_path().empty())
    state.set_model_checkpoint_path(in_directory(directory, state.model_checkpoint_path()));
  return state;
}

// Checkpoints that are recorded in other files of the directory: positions of the input, say.
std::set<std::string> families_of_others(const std::string& directory, const std::string& own) {
  std::set<std::string> families;
  for (const std::string& name :
       file_system_of(directory).list(directory.empty() ? "." : directory)) {
    if (name == own || !name.starts_with(kCheckpointStateFile) ||
        is_directory(join_path(directory, name)))
      continue;
    CheckpointState state;
    try {
      if (!parse_text(read_file(join_path(directory, name)), &state)) continue;
    } catch (const Error& error) {
      if (is_no_answer(error, directory)) throw;
      continue;
    }
    families.insert(checkpoint_family(in_directory(directory, state.model_checkpoint_path())));
  }
  return families;
}

// Newest first: of the family of `like`, or of nobody else's if that is unknown.
std::vector<std::string> candidates(const std::string& directory, const std::string& own,
                                    const std::string& like) {
  std::vector<std::string> paths;
  const auto others = like.empty() ? families_of_others(directory, own) : std::set<std::string>{};
  for (const StoredCheckpoint& stored : checkpoints_in(directory)) {
    const std::string family = checkpoint_family(stored.prefix);
    if (like.empty() ? !others.contains(family) : family == checkpoint_family(like))
      paths.push_back(stored.prefix);
  }
  return paths;
}

// The newest that is whole; says of each that is not why.
std::string newest_whole(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string damage = checkpoint_damage(path);
    if (damage.empty()) return path;
    log(LogLevel::kError, "The checkpoint ", path, " is damaged: ", damage);
  }
  return "";
}

CheckpointState state_of(const std::vector<std::string>& newest_first, const std::string& chosen) {
  CheckpointState state;
  state.set_model_checkpoint_path(chosen);
  // Those that are newer than the chosen one are damaged.
  const auto at = std::find(newest_first.begin(), newest_first.end(), chosen);
  for (auto path = newest_first.end(); path != at;)
    if (*--path != chosen && checkpoint_family(*path) == checkpoint_family(chosen))
      state.add_all_model_checkpoint_paths(*path);
  state.add_all_model_checkpoint_paths(chosen);
  return state;
}

// A mount that has gone away is no reason to begin anew.
bool is_there(const std::string& file) {
  try {
    (void)file_system_of(file).facts(file);
    return true;
  } catch (const Error& error) {
    const bool is_below_a_file = error.code() == Code::kFailedPrecondition &&
                                 file_exists(parent_path(file)) && !is_directory(parent_path(file));
    if (error.code() != Code::kNotFound && !is_below_a_file) throw;
    return false;
  }
}

}  // namespace

bool checkpoint_recovery() { return wanted_recovery().load(std::memory_order_relaxed); }
void set_checkpoint_recovery(bool wanted) {
  wanted_recovery().store(wanted, std::memory_order_relaxed);
}

std::optional<CheckpointState> recover_checkpoint_state(const std::string& checkpoint_dir,
                                                        const std::string& latest_filename) {
  const std::string own = latest_filename.empty() ? kCheckpointStateFile : latest_filename;
  const std::string file = join_path(checkpoint_dir, own);
  await_saves(checkpoint_dir);
  if (!is_there(file)) return std::nullopt;
  std::string damage = "it cannot be read or parsed";
  try {
    if (auto state = get_checkpoint_state(checkpoint_dir, latest_filename)) return state;
  } catch (const Error& error) {
    if (is_no_answer(error, file)) throw;
    damage = error.message();
  }

  const CheckpointState readable = readable_part(checkpoint_dir, file);
  const auto paths = candidates(checkpoint_dir, own, readable.model_checkpoint_path());
  if (paths.empty()) return get_checkpoint_state(checkpoint_dir, latest_filename);
  if (!checkpoint_recovery()) raise(Code::kDataLoss, file, " is damaged: ", damage, kRefused);
  const std::string chosen = newest_whole(paths);
  if (chosen.empty())
    raise(Code::kDataLoss, file, " is damaged (", damage,
          "), and so are all checkpoints beside it. To begin anew, remove them.");
  log(LogLevel::kError, file, " is damaged: ", damage, ". Going on from ", chosen,
      ", the newest whole checkpoint of the directory.");
  return state_of(paths, chosen);
}

CheckpointState restore_newest(CheckpointState state,
                               FunctionRef<void(const std::string& path)> restore) {
  const std::string named = state.model_checkpoint_path();
  std::exception_ptr first;
  std::string damage;
  try {
    restore(named);
    return state;
  } catch (const std::exception&) {
    damage = checkpoint_damage(named);
    if (damage.empty()) throw;  // it is whole, and does not fit
    first = std::current_exception();
  }
  std::vector<std::string> paths;
  try {
    paths = candidates(parent_path(named), "", named);
  } catch (const Error& error) {  // there is no such directory
    if (is_no_answer(error, named)) throw;
  }
  std::erase(paths, named);
  if (paths.empty()) std::rethrow_exception(first);
  if (!checkpoint_recovery())
    raise(Code::kDataLoss, "The checkpoint ", named, " is damaged: ", damage, kRefused);
  log(LogLevel::kError, "The checkpoint ", named, " is damaged: ", damage);
  while (true) {
    const std::string chosen = newest_whole(paths);
    if (chosen.empty()) std::rethrow_exception(first);
    try {
      restore(chosen);
      log(LogLevel::kError, "Going on from ", chosen,
          ", the newest whole checkpoint of the directory. What was learnt since is lost.");
      return state_of(paths, chosen);
    } catch (const std::exception&) {  // of another model
      paths.erase(paths.begin(), std::find(paths.begin(), paths.end(), chosen) + 1);
    }
  }
}

}  // namespace rill::train
