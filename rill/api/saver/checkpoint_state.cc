#include "rill/api/saver/checkpoint_state.h"

#include <google/protobuf/text_format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/glob.h"
#include "rill/base/log.h"
#include "rill/base/no_answer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/parse_text.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {
namespace {

constexpr double kNanosPerSecond = 1e9;

bool is_absolute(const std::string& path) {
  return path.starts_with('/') || !scheme_of(path).empty();
}

std::string relative_to(const std::string& path, const std::string& directory) {
  return std::filesystem::path(path).lexically_normal().lexically_relative(
      std::filesystem::path(directory.empty() ? "." : directory).lexically_normal());
}

std::string state_path(const std::string& directory, const std::string& latest_filename) {
  return join_path(directory,
                   latest_filename.empty() ? kCheckpointStateFile : latest_filename.c_str());
}

std::string absolute_path(const std::string& directory, const std::string& path) {
  return is_absolute(path) ? path : join_path(directory, path);
}

}  // namespace

tensorflow::CheckpointState generate_checkpoint_state_proto(
    const std::string& save_dir, const std::string& model_checkpoint_path,
    const CheckpointStateOptions& options) {
  std::vector<std::string> paths = options.all_model_checkpoint_paths;
  std::vector<double> times = options.all_model_checkpoint_timestamps;
  if (paths.empty() || paths.back() != model_checkpoint_path)
    paths.push_back(model_checkpoint_path);
  require(times.empty() || times.size() == paths.size(),
          "Checkpoint timestamps, if provided, must match checkpoint paths (got paths ",
          join(paths, ", "), " and ", times.size(), " timestamps)");
  const bool relative = options.save_relative_paths || !is_absolute(save_dir);
  const auto written = [&](const std::string& path) {
    // TensorFlow takes paths with schemes for relative ones.
    if (!scheme_of(path).empty() && path.starts_with(save_dir + "/"))
      return path.substr(save_dir.size() + 1);
    const bool change = options.save_relative_paths ? is_absolute(path) == is_absolute(save_dir)
                                                    : !is_absolute(path);
    return relative && change ? relative_to(path, save_dir) : path;
  };
  tensorflow::CheckpointState state;
  state.set_model_checkpoint_path(written(model_checkpoint_path));
  for (const std::string& path : paths) state.add_all_model_checkpoint_paths(written(path));
  for (const double time : times) state.add_all_model_checkpoint_timestamps(time);
  if (options.last_preserved_timestamp)
    state.set_last_preserved_timestamp(*options.last_preserved_timestamp);
  return state;
}

void update_checkpoint_state(const std::string& save_dir, const std::string& model_checkpoint_path,
                             const CheckpointStateOptions& options) {
  const auto state = generate_checkpoint_state_proto(save_dir, model_checkpoint_path, options);
  const std::string file = state_path(save_dir, options.latest_filename);
  for (const std::string& path : state.all_model_checkpoint_paths())
    require(path != file, "Save path '", path,
            "' conflicts with path used for checkpoint state.  "
            "Please use a different save path.");
  std::string text;
  google::protobuf::TextFormat::PrintToString(state, &text);
  publish_file(file, text);
}

std::optional<tensorflow::CheckpointState> get_checkpoint_state(
    const std::string& checkpoint_dir, const std::string& latest_filename) {
  const std::string file = state_path(checkpoint_dir, latest_filename);
  await_saves(checkpoint_dir);
  if (!file_exists(file)) return std::nullopt;
  tensorflow::CheckpointState state;
  try {
    if (!parse_text(read_file(file), &state)) {
      log(LogLevel::kWarning, file, ": Checkpoint ignored: it cannot be parsed");
      return std::nullopt;
    }
  } catch (const Error& error) {
    if (is_no_answer(error, file)) throw;
    log(LogLevel::kWarning, file, ": Checkpoint ignored: ", error.message());
    return std::nullopt;
  }
  require(!state.model_checkpoint_path().empty(), "Invalid checkpoint state loaded from ",
          checkpoint_dir);
  state.set_model_checkpoint_path(absolute_path(checkpoint_dir, state.model_checkpoint_path()));
  for (std::string& path : *state.mutable_all_model_checkpoint_paths())
    path = absolute_path(checkpoint_dir, path);
  return state;
}

Maybe<std::string> latest_checkpoint(const std::string& checkpoint_dir,
                                     const std::string& latest_filename) {
  constexpr const char* kMissing = "the directory has no checkpoint";
  const auto state = recover_checkpoint_state(checkpoint_dir, latest_filename);
  if (!state) return {std::nullopt, kMissing};
  const std::string& path = state->model_checkpoint_path();
  if (checkpoint_exists(path)) return path;
  log(LogLevel::kError, "Couldn't match files for checkpoint ", path);
  return {std::nullopt, kMissing};
}

std::optional<std::string> wait_for_new_checkpoint(const std::string& checkpoint_dir,
                                                   const std::string& last,
                                                   const WaitOptions& options) {
  const auto seconds = [](double s) { return std::chrono::duration<double>(s); };
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    if (auto newest = latest_checkpoint(checkpoint_dir); newest && *newest != last) return newest;
    const auto next = std::chrono::steady_clock::now() + seconds(options.seconds_to_sleep);
    if (options.timeout && next > start + seconds(*options.timeout)) return std::nullopt;
    std::this_thread::sleep_for(seconds(options.seconds_to_sleep));
  }
}

bool checkpoint_exists(const std::string& prefix) { return CheckpointReader::exists(prefix); }

std::vector<double> get_checkpoint_mtimes(const std::vector<std::string>& prefixes) {
  std::vector<double> times;
  for (const std::string& prefix : prefixes) {
    std::vector<std::string> files;
    if (const std::string index = prefix + ".index"; file_exists(index))
      files.push_back(index);
    else
      files = matching_paths(prefix);
    if (files.empty()) continue;
    const FileFacts facts = file_system_of(files[0]).facts(files[0]);
    times.push_back(static_cast<double>(facts.modified_nanos) / kNanosPerSecond);
  }
  return times;
}

void remove_checkpoint(const std::string& prefix, int format_version,
                       const std::string& meta_graph_suffix) {
  const auto remove = [](const std::string& path) {
    if (file_exists(path)) file_system_of(path).remove_file(path);
  };
  remove(meta_graph_filename(prefix, meta_graph_suffix));
  if (format_version != 2) {  // the name of one file, or the pattern of several
    for (const std::string& path : matching_paths(prefix)) remove(path);
    return;
  }
  remove(prefix + ".index");
  const std::string directory = parent_path(prefix);
  const std::string_view base = base_name(prefix);
  for (const std::string& name : file_system_of(prefix).list(directory.empty() ? "." : directory))
    if (name.starts_with(base) &&  // the prefix is a name, whatever characters it has
        matches_glob(".data-*-of-*", std::string_view(name).substr(base.size())))
      remove(join_path(directory, name));
}

std::string meta_graph_filename(const std::string& checkpoint, const std::string& suffix) {
  // A shard's name ends with "-00000-of-00002"; the digits of the first number may be a pattern's.
  const auto digits = [](std::string_view text, std::string_view also) {
    return !text.empty() &&
           text.find_first_not_of("0123456789" + std::string(also)) == std::string_view::npos;
  };
  std::string base = checkpoint;
  if (const std::size_t of = base.rfind("-of-"); of != std::string::npos) {
    const std::size_t shard = base.rfind('-', of - 1);
    const std::string_view text = base;
    if (of > 0 && shard != std::string::npos && digits(text.substr(of + 4), "") &&
        digits(text.substr(shard + 1, of - shard - 1), "?"))
      base.resize(shard);
  }
  return base + "." + suffix;
}

}  // namespace rill::train
