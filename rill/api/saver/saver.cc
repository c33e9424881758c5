#include "rill/api/saver/saver.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_times.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/saver/save_lock.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/api/train/misuse.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/base/postponed_syncs.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::train {
namespace {

std::string without_scope(const std::string& scope, const std::string& name) {
  return !scope.empty() && name.starts_with(scope + "/") ? name.substr(scope.size() + 1) : name;
}

}  // namespace

Saver::RunStep steps_of(Session& session) {
  return [&session](const std::string& what, const std::string& feed, const std::string& path) {
    const std::vector<std::pair<std::string, Tensor>> feeds{{feed, Tensor::scalar(path)}};
    if (what.find(':') == std::string::npos) {
      session.run(feeds, {}, {what});
      return std::string();
    }
    return session.run(feeds, {what}).at(0).scalar_value<std::string>();
  };
}

Saver::Saver(const SaverOptions& options, std::source_location at) : options_(options) {
  if (!options_.defer_build) build(at);
}

Saver::Saver(NamedToSave var_list, const SaverOptions& options, std::source_location at)
    : options_(options), to_save_(std::make_shared<const NamedToSave>(std::move(var_list))) {
  if (!options_.defer_build) build(at);
}

Saver::Saver(std::initializer_list<Variable> var_list, const SaverOptions& options,
             std::source_location at)
    : Saver(std::vector<Variable>(var_list), options, at) {}

void Saver::set_to_save(NamedToSave var_list) {
  to_save_ = std::make_shared<const NamedToSave>(std::move(var_list));
}

Saver::Saver(std::initializer_list<std::pair<std::string, ToSave>> var_list,
             const SaverOptions& options, std::source_location at)
    : Saver(under_names(var_list), options, at) {}

void Saver::build(std::source_location at) {
  if (saver_def_ || is_empty_) return;
  if (options_.saver_def) return use(in_scope(*options_.saver_def, options_.name));
  const NamedToSave named = to_save_ ? *to_save_ : named_to_save(all_to_save());
  if (named.empty()) {
    require(options_.allow_empty, "No variables to save");
    is_empty_ = true;
    return;
  }
  use(build_saver(saveables_of(named), options_, at));
}

void Saver::use(tensorflow::SaverDef def) {
  require(!def.save_tensor_name().empty(),
          "saver_def must specify the save_tensor_name: ", def.ShortDebugString());
  require(!def.restore_op_name().empty(),
          "saver_def must specify the restore_op_name: ", def.ShortDebugString());
  options_.max_to_keep = def.max_to_keep();
  options_.sharded = def.sharded();
  options_.keep_checkpoint_every_n_hours = def.keep_checkpoint_every_n_hours();
  options_.write_version = def.version();
  next_checkpoint_time_ = seconds_now() + def.keep_checkpoint_every_n_hours() * kSecondsPerHour;
  saver_def_ = std::move(def);
}

namespace {

// A plain checkpoint of version 2 makes its folder, though none above it; others make none.
void require_place(const tensorflow::SaverDef& def, const std::string& file,
                   const std::string& directory) {
  const FileSystem& files = file_system_of(file);
  if (&files != &local_files() && &files != &ram_files()) return;  // others make what is missing
  const auto is_there = [](const std::string& name) { return name.empty() || is_directory(name); };
  const bool makes_folder = !def.sharded() && def.version() == tensorflow::SaverDef::V2;
  require(is_there(directory) || (makes_folder && is_there(parent_path(directory))),
          "Parent directory of ", file, " doesn't exist, can't save.");
}

}  // namespace

// --- saving --------------------------------------------------------------------------------------

std::string Saver::checkpoint_file(const std::string& save_path,
                                   const SaverSaveOptions& options) const {
  const std::string latest =
      options.latest_filename.empty() ? kCheckpointStateFile : options.latest_filename;
  require(!save_path.empty(), "no path specified");
  require(parent_path(latest).empty(), "'latest_filename' must not contain path components");
  if (options.global_step) {
    char step[32];
    std::snprintf(step, sizeof step, options_.pad_step_number ? "%08lld" : "%lld",
                  static_cast<long long>(*options.global_step));
    return save_path + "-" + step;
  }
  require(options_.sharded || base_name(save_path) != latest,
          "'latest_filename' collides with 'save_path': '", latest, "' and '", save_path, "'");
  return save_path;
}

std::string Saver::save(Session& session, const std::string& save_path,
                        const SaverSaveOptions& options) {
  return save_with(steps_of(session), session.graph(), save_path, options);
}

std::string Saver::save_with(const RunStep& run, Graph& graph, const std::string& save_path,
                             const SaverSaveOptions& options) {
  if (!is_empty_ && !saver_def_)
    raise(Code::kFailedPrecondition, "`build()` should be called before save if defer_build==True");
  const std::string file = checkpoint_file(save_path, options), directory = parent_path(save_path);
  finish_last_save();
  std::string path;
  std::shared_ptr<LockFile> lock;
  std::optional<PostponedSyncs> postponed;
  if (!is_empty_) {
    require_place(*saver_def_, file, directory);
    lock = lock_for(save_path, options);
    // What is replaced must not go before the new one is on the disk.
    if (options.write_state && SavesInBackground::is_wanted() && !checkpoint_exists(file))
      postponed.emplace(file);
    path = write(run, file, directory);
  }
  if (options.write_meta_graph)
    train::export_meta_graph({.filename = meta_graph_filename(file, options.meta_graph_suffix),
                              .saver_def = saver_def_,
                              .graph = &graph,
                              .strip_default_attrs = options.strip_default_attrs});
  // Last: what the state file names is there with all that belongs to it.
  if (postponed) {
    postponed.reset();
    keep_later(path, file, directory, options, std::move(lock));
  } else if (!is_empty_ && options.write_state) {
    keep(path, directory, options);
  }
  return path;
}

std::string Saver::write(const RunStep& run, const std::string& file,
                         const std::string& directory) const {
  try {
    return run(saver_def_->save_tensor_name(), saver_def_->filename_tensor_name(), file);
  } catch (const Error& error) {
    if (error.code() != Code::kFailedPrecondition && error.code() != Code::kNotFound) throw;
    if (directory.empty() || is_directory(directory)) throw;
    raise(Code::kInvalidArgument, "Parent directory of ", file, " doesn't exist, can't save.");
  }
}

namespace {

void remove_quietly(const std::string& path, const tensorflow::SaverDef& def,
                    const std::string& meta_graph_suffix) {
  try {
    remove_checkpoint(path, def.version() == tensorflow::SaverDef::V2 ? 2 : 1, meta_graph_suffix);
  } catch (const Error& error) {  // the new checkpoint is what counts
    log(LogLevel::kWarning, "Ignoring: ", error.message());
  }
}

}  // namespace

void Saver::keep(const std::string& path, const std::string& directory,
                 const SaverSaveOptions& options) {
  record(path);
  update_checkpoint_state(directory, path,
                          {.all_model_checkpoint_paths = last_checkpoints(),
                           .latest_filename = options.latest_filename,
                           .save_relative_paths = options_.save_relative_paths});
  if (const auto oldest = next_to_delete(directory))
    remove_quietly(*oldest, *saver_def_, options.meta_graph_suffix);
}

// The same, once the files of the checkpoint are on the disk.
void Saver::keep_later(const std::string& path, const std::string& file,
                       const std::string& directory, const SaverSaveOptions& options,
                       std::shared_ptr<LockFile> lock) {
  record(path);
  const auto work =
      [path, file, directory, lock = std::move(lock),
       state = CheckpointStateOptions{.all_model_checkpoint_paths = last_checkpoints(),
                                      .latest_filename = options.latest_filename,
                                      .save_relative_paths = options_.save_relative_paths},
       oldest = next_to_delete(directory), def = *saver_def_, suffix = options.meta_graph_suffix] {
        sync_files_of(file);
        update_checkpoint_state(directory, path, state);
        if (oldest) remove_quietly(*oldest, def, suffix);
      };
  rest_ = std::make_shared<RestOfSave>(directory, work);
  rest_path_ = path;
}

// Its checkpoint is none of ours if it failed.
void Saver::finish_last_save() {
  const auto rest = std::exchange(rest_, nullptr);
  if (rest == nullptr) return;
  await_saves(parent_path(rest_path_));
  if (rest->has_failed())
    std::erase_if(last_, [&](const PathAndTime& item) { return item.first == rest_path_; });
  rest->finish();
}

std::shared_ptr<LockFile> Saver::lock_for(const std::string& save_path,
                                          const SaverSaveOptions& options) const {
  if (!options.write_state) return nullptr;
  return lock_state(parent_path(save_path), options.latest_filename,
                    checkpoint_file(save_path, options));
}

void Saver::record(const std::string& path) {
  if (options_.max_to_keep == 0) return;
  std::erase_if(last_, [&](const PathAndTime& item) { return item.first == path; });
  last_.emplace_back(path, seconds_now());
  if (static_cast<int>(last_.size()) <= options_.max_to_keep) return;
  to_delete_.push_back(last_.front());
  last_.erase(last_.begin());
}

std::optional<std::string> Saver::next_to_delete(const std::string& directory) {
  if (to_delete_.empty()) return std::nullopt;
  const PathAndTime oldest = to_delete_.front();
  to_delete_.erase(to_delete_.begin());
  if (oldest.second > next_checkpoint_time_) {
    next_checkpoint_time_ += options_.keep_checkpoint_every_n_hours * kSecondsPerHour;
    return std::nullopt;
  }
  // A file named it: what lies elsewhere may not be ours.
  if (recovered_.contains(oldest.first) && parent_path(oldest.first) != directory)
    return std::nullopt;
  return oldest.first;
}

// --- restoring -----------------------------------------------------------------------------------

void Saver::restore(Session& session, const std::string& save_path) {
  try {
    restore_with(steps_of(session), save_path);
  } catch (const Error& error) {
    const bool in_step = error.code() == Code::kNotFound || !error.node().empty();
    if (!in_step) throw;
    raise(error.code(), restore_failure_text(error.code(), error.message()));
  }
}

std::string restore_failure_text(Code code, const std::string& message) {
  const char* reason = nullptr;
  if (code == Code::kNotFound)
    reason = "a Variable name or other graph key that is missing from the checkpoint";
  if (code == Code::kInvalidArgument)
    reason = "a mismatch between the current graph and the graph from the checkpoint";
  if (reason == nullptr) return message;
  return str_cat("Restoring from checkpoint failed. This is most likely due to ", reason,
                 ". Please ensure that you have not altered the graph expected based on the "
                 "checkpoint. Original error:\n\n",
                 message);
}

std::shared_ptr<Saver> import_meta_graph(const std::string& meta_graph_file,
                                         const ImportMetaGraphOptions& options,
                                         std::source_location at) {
  const ImportedMetaGraph imported =
      import_meta_graph(read_meta_graph_file(meta_graph_file), options, at);
  if (imported.saver_def)
    return std::make_shared<Saver>(SaverOptions{.saver_def = imported.saver_def});
  if (all_to_save().empty()) return nullptr;
  return std::make_shared<Saver>(SaverOptions{}, at);
}

void Saver::restore_with(const RunStep& run, const std::string& save_path) {
  if (is_empty_) return;
  if (!checkpoint_exists(save_path))
    misuse(Code::kInvalidArgument, "The passed save_path is not a valid checkpoint: ", save_path);
  if (!saver_def_)
    raise(Code::kFailedPrecondition,
          "`build()` should be called before restore if defer_build==True");
  logging::info("Restoring parameters from ", save_path);
  if (!options_.saver_def && restore_by_objects(run, save_path)) return;
  run(saver_def_->restore_op_name(), saver_def_->filename_tensor_name(), save_path);
}

// --- which there are -----------------------------------------------------------------------------

std::vector<std::string> Saver::last_checkpoints() const {
  std::vector<std::string> paths;
  for (const PathAndTime& item : last_) paths.push_back(item.first);
  return paths;
}

void Saver::set_last_checkpoints(const std::vector<std::string>& paths) {
  last_.clear();
  for (const std::string& path : paths)
    last_.emplace_back(path, std::numeric_limits<double>::infinity());
}

void Saver::set_last_checkpoints_with_time(std::vector<PathAndTime> paths) {
  last_ = std::move(paths);
}

void Saver::recover_last_checkpoints(const std::vector<std::string>& paths) {
  std::vector<PathAndTime> found;
  for (const std::string& path : paths)
    for (const double time : get_checkpoint_mtimes({path})) {
      found.emplace_back(path, time);
      recovered_.insert(path);
    }
  last_ = std::move(found);
}

// --- as messages ---------------------------------------------------------------------------------

tensorflow::SaverDef Saver::to_proto(const std::string& export_scope) const {
  tensorflow::SaverDef def = saver_def_ ? *saver_def_ : tensorflow::SaverDef();
  def.set_filename_tensor_name(without_scope(export_scope, def.filename_tensor_name()));
  def.set_save_tensor_name(without_scope(export_scope, def.save_tensor_name()));
  def.set_restore_op_name(without_scope(export_scope, def.restore_op_name()));
  return def;
}

tensorflow::MetaGraphDef Saver::export_meta_graph(const SaverExportOptions& options) const {
  return train::export_meta_graph({.filename = options.filename,
                                   .saver_def = saver_def_,
                                   .collection_list = options.collection_list,
                                   .as_text = options.as_text,
                                   .export_scope = options.export_scope,
                                   .clear_devices = options.clear_devices,
                                   .clear_extraneous_savers = options.clear_extraneous_savers,
                                   .strip_default_attrs = options.strip_default_attrs});
}

}  // namespace rill::train
