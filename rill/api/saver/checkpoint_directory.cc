#include "rill/api/saver/checkpoint_directory.h"

#include <algorithm>
#include <map>
#include <set>

#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/save_lock.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/glob.h"
#include "rill/base/no_answer.h"
#include "rill/io/bundle_publish.h"
#include "rill/io/checkpoint_damage.h"
#include "rill/io/checkpoint_reader.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {
namespace {

constexpr std::string_view kDigits = "0123456789";
const std::string kShards = std::string("-?????") + "-of-?????";  // together they are a trigraph

std::string named(const std::string& directory) { return directory.empty() ? "." : directory; }

std::optional<std::int64_t> step_of_name(std::string_view prefix) {
  if (prefix.ends_with(kShards)) prefix.remove_suffix(kShards.size());
  const std::size_t dash = prefix.rfind('-');
  long long step = 0;
  if (dash == std::string_view::npos || dash + 1 == prefix.size() ||
      prefix.find_first_not_of(kDigits, dash + 1) != std::string_view::npos ||
      !parse_int(prefix.substr(dash + 1), &step))
    return std::nullopt;
  return step;
}

bool is_of_other_kind(std::string_view name) {
  for (const char* ending : {".meta", ".pb", ".pbtxt", ".json", ".lock"})
    if (name.ends_with(ending)) return true;
  return name == kCheckpointStateFile || name.find("tfevents") != std::string_view::npos;
}

// A file of version 1 says what it is in its bytes alone.
bool is_first_format(const std::string& path) {
  try {
    return !CheckpointReader::open(path)->tensors().empty();
  } catch (const Error& error) {
    if (is_no_answer(error, path)) throw;
    return false;
  }
}

bool is_temporary(std::string_view name) {
  return name.starts_with('.') || name.find(".tempstate") != std::string_view::npos ||
         matches_glob("*.tmp*_*_*", name);
}

// The name of the checkpoint that a file belongs to; "" for other files.
std::string checkpoint_of(const std::string& directory, std::string_view name) {
  if (is_temporary(name)) return "";
  if (name.ends_with(".index")) return std::string(name.substr(0, name.size() - 6));
  if (const std::size_t data = name.rfind(".data-"); data != std::string_view::npos)
    return matches_glob(kShards.substr(1), name.substr(data + 6))
               ? std::string(name.substr(0, data))
               : "";
  if (is_of_other_kind(name) || !is_first_format(join_path(directory, name))) return "";
  // Shards of version 1 are known by the pattern of their names.
  const bool is_shard = matches_glob("*" + kShards, name);
  return is_shard ? std::string(name.substr(0, name.size() - kShards.size())) + kShards
                  : std::string(name);
}

void add_file(StoredCheckpoint& checkpoint, const std::string& path) {
  if (!file_exists(path)) return;
  const FileFacts facts = file_system_of(path).facts(path);
  checkpoint.files.push_back(path);
  checkpoint.bytes += facts.size;
}

bool is_newer(const StoredCheckpoint& a, const StoredCheckpoint& b) {
  if (a.modified_nanos != b.modified_nanos) return a.modified_nanos > b.modified_nanos;
  if (a.step != b.step) return a.step > b.step;
  return a.prefix > b.prefix;
}

void remove_files(const std::vector<std::string>& files) {
  for (const std::string& path : files)
    if (file_exists(path)) file_system_of(path).remove_file(path);
}

// Oldest first, as state files have them.
void record(const std::string& directory, const std::vector<std::string>& newest_first) {
  update_checkpoint_state(
      directory, newest_first.front(),
      {.all_model_checkpoint_paths = {newest_first.rbegin(), newest_first.rend()},
       .save_relative_paths = true});
}

}  // namespace

std::string checkpoint_family(const std::string& prefix) {
  const bool is_sharded = prefix.ends_with(kShards);
  const std::string name = is_sharded ? prefix.substr(0, prefix.size() - kShards.size()) : prefix;
  return step_of_name(name) ? name.substr(0, name.rfind('-')) : name;
}

std::vector<StoredCheckpoint> checkpoints_in(const std::string& directory) {
  std::map<std::string, StoredCheckpoint> found;
  std::map<std::string, std::int64_t> indexes;
  for (const std::string& name : file_system_of(directory).list(named(directory))) {
    const std::string path = join_path(directory, name);
    const std::string checkpoint = is_directory(path) ? "" : checkpoint_of(directory, name);
    if (checkpoint.empty()) continue;
    StoredCheckpoint& stored = found[checkpoint];
    stored.prefix = join_path(directory, checkpoint);
    stored.step = step_of_name(checkpoint);
    if (checkpoint == name || checkpoint.ends_with(kShards)) stored.format_version = 1;
    add_file(stored, path);
    const std::int64_t modified = file_system_of(path).facts(path).modified_nanos;
    if (name.ends_with(".index")) {  // which is written last
      indexes[checkpoint] = modified;
    } else {
      stored.modified_nanos = std::max(stored.modified_nanos, modified);
    }
  }
  std::vector<StoredCheckpoint> list;
  for (auto& [name, stored] : found) {
    if (const auto index = indexes.find(name); index != indexes.end())
      stored.modified_nanos = index->second;
    add_file(stored, meta_graph_filename(stored.prefix));
    list.push_back(std::move(stored));
  }
  std::sort(list.begin(), list.end(), is_newer);
  return list;
}

std::vector<std::string> left_over_files(const std::string& directory) {
  std::vector<std::string> files;
  for (const std::string& name : file_system_of(directory).list(named(directory))) {
    const bool is_lock = name.starts_with('.') && name.ends_with(".lock");
    const std::string path = join_path(directory, name);
    if (!is_lock && is_temporary(name) && !is_directory(path) &&
        (name.find(".tempstate") != std::string::npos || matches_glob("*.tmp*_*_*", name)))
      files.push_back(path);
  }
  return files;
}

Repaired repair_checkpoints(const std::string& directory) {
  const auto lock = lock_state(directory, "", join_path(directory, "repair"));
  Repaired result;
  for (const StoredCheckpoint& stored : checkpoints_in(directory))
    (checkpoint_damage(stored.prefix).empty() ? result.whole : result.damaged)
        .push_back(stored.prefix);
  if (result.whole.empty())
    raise(Code::kDataLoss, "there is no whole checkpoint in ", named(directory));
  if (!lock) raise(Code::kNotFound, "there is no directory ", directory);
  result.newest = result.whole.front();
  // Others of the directory may be of another Saver, with a state file of its own.
  std::vector<std::string> family;
  for (const std::string& prefix : result.whole)
    if (checkpoint_family(prefix) == checkpoint_family(result.newest)) family.push_back(prefix);
  const auto before = [&]() -> std::optional<tensorflow::CheckpointState> {
    try {
      return get_checkpoint_state(directory);
    } catch (const Error&) {
      return std::nullopt;
    }
  }();
  const auto names = [&](const std::string& path) {
    return std::find(family.begin(), family.end(), path) != family.end();
  };
  const bool is_right = before && before->model_checkpoint_path() == result.newest &&
                        std::all_of(before->all_model_checkpoint_paths().begin(),
                                    before->all_model_checkpoint_paths().end(), names);
  if (!is_right) record(directory, family);
  result.state_changed = !is_right;
  remove_files(left_over_files(directory));
  return result;
}

Pruned prune_checkpoints(const std::string& directory, const PruneOptions& options) {
  require(options.keep > 0, "at least one checkpoint must be kept, not ", options.keep);
  const auto lock = lock_state(directory, "", join_path(directory, "prune"));
  std::vector<StoredCheckpoint> going;
  std::map<std::string, std::vector<std::string>> kept;  // by family, newest first
  std::string newest;
  for (const StoredCheckpoint& stored : checkpoints_in(directory)) {
    std::vector<std::string>& family = kept[checkpoint_family(stored.prefix)];
    const bool stays =
        static_cast<int>(family.size()) < options.keep && checkpoint_damage(stored.prefix).empty();
    if (!stays) {
      going.push_back(stored);
      continue;
    }
    family.push_back(stored.prefix);
    if (newest.empty()) newest = stored.prefix;
  }
  if (newest.empty())
    raise(Code::kFailedPrecondition, "there is no whole checkpoint in ", named(directory),
          "; nothing is removed");
  Pruned pruned{.checkpoints = {}, .files = left_over_files(directory), .bytes = 0};
  for (const std::string& path : pruned.files)
    pruned.bytes += file_system_of(path).facts(path).size;
  if (!options.dry_run) {
    record(directory, kept[checkpoint_family(newest)]);  // first: nothing that is named goes
    remove_files(pruned.files);
  }
  for (const StoredCheckpoint& stored : going) {
    if (!options.dry_run) remove_files(stored.files);
    pruned.checkpoints.push_back(stored.prefix);
    pruned.bytes += stored.bytes;
  }
  return pruned;
}

}  // namespace rill::train
