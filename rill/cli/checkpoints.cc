#include <cstdio>
#include <ctime>

#include "rill/api/saver/checkpoint_directory.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/io/checkpoint_damage.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::cli {
namespace {

using train::StoredCheckpoint;

constexpr int kDamaged = 1;

// What the state file says, and what is wrong with that.
struct StateFile {
  std::string newest, damage;
  std::vector<std::string> recorded;
};

StateFile state_in(const std::string& directory) {
  StateFile state;
  if (!file_exists(join_path(directory, train::kCheckpointStateFile))) return state;
  try {
    const auto found = train::get_checkpoint_state(directory);
    if (!found) return {.newest = "", .damage = "the state file cannot be parsed", .recorded = {}};
    const auto& all = found->all_model_checkpoint_paths();
    state = {found->model_checkpoint_path(), "", {all.begin(), all.end()}};
  } catch (const Error& error) {
    state.damage = error.message();
    return state;
  }
  if (!train::checkpoint_exists(state.newest))
    state.damage = str_cat("the state file names ", state.newest, ", which is not there");
  return state;
}

std::string time_text(std::int64_t nanos) {
  const std::time_t seconds = nanos / 1'000'000'000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return text;
}

std::string size_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes);
  int unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", size, kUnits[unit]);
  return text;
}

struct ListedCheckpoint {
  StoredCheckpoint stored;
  bool is_recorded = false, is_newest = false, is_verified = false;
  std::string damage;
};

std::vector<ListedCheckpoint> rows_of(const std::string& directory, const StateFile& state,
                                      bool verify) {
  std::vector<ListedCheckpoint> rows;
  for (StoredCheckpoint& stored : train::checkpoints_in(directory)) {
    ListedCheckpoint row{.stored = stored, .is_verified = verify};
    for (const std::string& path : state.recorded) row.is_recorded |= path == stored.prefix;
    row.is_newest = state.newest == stored.prefix;
    if (verify) row.damage = checkpoint_damage(stored.prefix);
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_rows(const std::string& directory, const StateFile& state,
                const std::vector<ListedCheckpoint>& rows) {
  for (const ListedCheckpoint& row : rows) {
    std::string text = str_cat(row.stored.prefix, "  ", size_text(row.stored.bytes), "  ",
                               time_text(row.stored.modified_nanos));
    if (row.is_newest)
      text += "  newest";
    else if (row.is_recorded)
      text += "  recorded";
    if (row.is_verified) text += row.damage.empty() ? "  whole" : "  DAMAGED: " + row.damage;
    std::printf("%s\n", text.c_str());
  }
  if (rows.empty()) std::printf("%s has no checkpoints\n", directory.c_str());
  if (!state.damage.empty())
    std::printf("%s\n", state.damage.c_str());
  else if (state.newest.empty())
    std::printf("there is no state file\n");
  for (const std::string& path : train::left_over_files(directory))
    std::printf("left over by a process that was killed: %s\n", path.c_str());
}

std::string json_of(const ListedCheckpoint& row) {
  const char* const damaged = row.damage.empty() ? "null" : nullptr;
  std::string text = str_cat("{\"prefix\": ", json_quoted(row.stored.prefix), ", \"step\": ");
  text += row.stored.step ? str_cat(*row.stored.step) : "null";
  text += str_cat(", \"format\": ", row.stored.format_version, ", \"bytes\": ", row.stored.bytes,
                  ", \"modified\": ", row.stored.modified_nanos / 1'000'000'000,
                  ", \"newest\": ", row.is_newest ? "true" : "false",
                  ", \"recorded\": ", row.is_recorded ? "true" : "false",
                  ", \"files\": ", json_list(row.stored.files));
  if (row.is_verified)
    text += ", \"damage\": " + (damaged ? std::string(damaged) : json_quoted(row.damage));
  return text + "}";
}

void print_json(const std::string& directory, const StateFile& state,
                const std::vector<ListedCheckpoint>& rows) {
  std::string list;
  for (const ListedCheckpoint& row : rows) list += (list.empty() ? "" : ", ") + json_of(row);
  const auto or_null = [](const std::string& text) {
    return text.empty() ? std::string("null") : json_quoted(text);
  };
  std::printf(
      "{\"directory\": %s, \"newest\": %s, \"state_damage\": %s, \"checkpoints\": [%s], "
      "\"left_over\": %s}\n",
      json_quoted(directory).c_str(), or_null(state.newest).c_str(), or_null(state.damage).c_str(),
      list.c_str(), json_list(train::left_over_files(directory)).c_str());
}

int list_checkpoints(const std::string& directory, bool verify, bool json) {
  const StateFile state = state_in(directory);
  const std::vector<ListedCheckpoint> rows = rows_of(directory, state, verify);
  (json ? print_json : print_rows)(directory, state, rows);
  if (!verify) return 0;
  for (const ListedCheckpoint& row : rows)
    if (!row.damage.empty()) return kDamaged;
  return state.damage.empty() ? 0 : kDamaged;
}

int repair_directory(const std::string& directory, bool json) {
  const train::Repaired done = train::repair_checkpoints(directory);
  if (json) {
    std::printf("{\"newest\": %s, \"state_changed\": %s, \"whole\": %s, \"damaged\": %s}\n",
                json_quoted(done.newest).c_str(), done.state_changed ? "true" : "false",
                json_list(done.whole).c_str(), json_list(done.damaged).c_str());
    return 0;
  }
  for (const std::string& path : done.damaged) std::printf("%s is damaged\n", path.c_str());
  std::printf("%s is the newest whole checkpoint, and the state file %s\n", done.newest.c_str(),
              done.state_changed ? "says so now" : "said so already");
  return 0;
}

int prune_directory(const std::string& directory, const train::PruneOptions& options, bool json) {
  const train::Pruned done = train::prune_checkpoints(directory, options);
  if (json) {
    std::printf("{\"checkpoints\": %s, \"files\": %s, \"bytes\": %llu, \"dry_run\": %s}\n",
                json_list(done.checkpoints).c_str(), json_list(done.files).c_str(),
                static_cast<unsigned long long>(done.bytes), options.dry_run ? "true" : "false");
    return 0;
  }
  const char* const verb = options.dry_run ? "would remove" : "removed";
  for (const auto* paths : {&done.checkpoints, &done.files})
    for (const std::string& path : *paths) std::printf("%s %s\n", verb, path.c_str());
  std::printf("%s %s\n", verb, size_text(done.bytes).c_str());
  return 0;
}

int checkpoints(std::span<const std::string> arguments) {
  Options given(arguments);
  const bool json = given.flag("--json"), dry_run = given.flag("--dry-run");
  const auto keep = given.value("--keep");
  std::vector<std::string> words = given.positional();
  std::string action = "list";
  if (words.size() == 2) {
    action = words[0];
    words.erase(words.begin());
  }
  if (words.size() != 1) throw UsageError("checkpoints needs a directory");
  if (action != "prune" && (keep || dry_run))
    throw UsageError("--keep and --dry-run are options of prune");
  if (action == "list" || action == "verify")
    return list_checkpoints(words[0], action == "verify", json);
  if (action == "repair") return repair_directory(words[0], json);
  if (action != "prune")
    throw UsageError("checkpoints can list, verify, repair and prune, not " + action);
  train::PruneOptions options{.dry_run = dry_run};
  if (long long count = 0; keep) {
    if (!parse_int(*keep, &count) || count < 1 || count > 1'000'000)
      throw UsageError("--keep needs a number above 0");
    options.keep = static_cast<int>(count);
  }
  return prune_directory(words[0], options, json);
}

}  // namespace

const Command kCheckpoints{
    "checkpoints", "list, verify, repair or prune the checkpoints of a directory",
    "checkpoints [ACTION] DIRECTORY [OPTION...]\n\n"
    "  list          what there is, newest first; the action if none is given\n"
    "  verify        reads everything; status 1 when something is damaged\n"
    "  repair        makes the state file name the newest whole checkpoint, and no damaged one;\n"
    "                status 1 when there is no whole one\n"
    "  prune         removes damaged and old ones, and what killed processes left over\n"
    "  --keep COUNT  prune: how many of each name stay, 5 if left out\n"
    "  --dry-run     prune: only says what it would remove\n"
    "  --json        the same for programs",
    checkpoints};

}  // namespace rill::cli
