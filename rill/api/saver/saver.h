#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/saveable.h"
#include "rill/base/lock_file.h"
#include "rill/runtime/session/session.h"

namespace rill::train {

class RestOfSave;
// tensorflow::SaverDef::V2
inline constexpr auto kSaverDefV2 = static_cast<tensorflow::SaverDef_CheckpointFormatVersion>(2);

// keep_checkpoint_every_n_hours: of those that would be deleted, one in so many hours stays.
struct SaverOptions {
  bool reshape = false;  // tensors of a checkpoint take the variables' shapes
  bool sharded = false;  // one file for each device
  int max_to_keep = 5;   // 0: all
  double keep_checkpoint_every_n_hours = 10000.0;
  std::string name = {};  // "save"
  bool restore_sequentially =
      false;  // TensorFlow's; one op reads all tensors, so there is no order
  BoxedMessage<tensorflow::SaverDef> saver_def = {};  // nodes that are there already
  bool defer_build = false;                           // nodes are made by build()
  bool allow_empty = false;                           // nothing to save is no error
  tensorflow::SaverDef_CheckpointFormatVersion write_version = kSaverDefV2;
  bool pad_step_number = false;
  bool save_relative_paths = false;
  std::string filename = {};  // "model"
};

struct SaverSaveOptions {
  std::optional<std::int64_t> global_step = {};  // appended to the path
  std::string latest_filename = {};              // "checkpoint"
  std::string meta_graph_suffix = "meta";
  bool write_meta_graph = true;
  bool write_state = true;
  bool strip_default_attrs = false;
};

struct SaverExportOptions {
  std::string filename = {};  // empty: no file
  std::optional<std::vector<std::string>> collection_list = {};
  bool as_text = false;
  std::string export_scope = {};
  bool clear_devices = false, clear_extraneous_savers = false, strip_default_attrs = false;
};

// Writes variables to checkpoints and reads them back, and keeps the newest checkpoints.
//
//   tf::train::Saver saver;
//   saver.save(session, "/tmp/model", {.global_step = 100});
//   saver.restore(session, *tf::train::latest_checkpoint("/tmp"));
class Saver : public Collectable {
 public:
  // All variables and other things that are saved by default. Throws InvalidArgument when there are
  // none and that is not allowed.
  explicit Saver(const SaverOptions& options = {},
                 std::source_location at = std::source_location::current());
  // What is to be saved: Saver({w, b}), Saver(trainable_variables()) under the variables' names, or
  // under others, Saver({{"w", w}}), Saver(ema.variables_to_restore()).
  explicit Saver(NamedToSave var_list, const SaverOptions& options = {},
                 std::source_location at = std::source_location::current());
  explicit Saver(std::initializer_list<std::pair<std::string, ToSave>> var_list,
                 const SaverOptions& options = {},
                 std::source_location at = std::source_location::current());
  explicit Saver(std::initializer_list<Variable> var_list, const SaverOptions& options = {},
                 std::source_location at = std::source_location::current());
  template <class T>
  requires std::constructible_from<ToSave, const T&>
  explicit Saver(const std::vector<T>& var_list, const SaverOptions& options = {},
                 std::source_location at = std::source_location::current())
      : Saver(named_to_save({var_list.begin(), var_list.end()}), options, at) {}
  template <class T>
  requires std::constructible_from<ToSave, const T&>
  explicit Saver(const std::map<std::string, T>& var_list, const SaverOptions& options = {},
                 std::source_location at = std::source_location::current())
      : Saver(under_names({var_list.begin(), var_list.end()}), options, at) {}

  // What build() will make nodes for.
  void set_to_save(NamedToSave var_list);
  void build(
      std::source_location at = std::source_location::current());  // once; later ones do nothing

  // The path of the checkpoint; "" when there is nothing to save but the graph. Throws
  // FailedPrecondition while another process saves to the directory, or anybody to the path;
  // nothing is changed then.
  std::string save(Session& session, const std::string& save_path,
                   const SaverSaveOptions& options = {});
  // Throws NotFound or InvalidArgument with what does not fit: a tensor that the checkpoint lacks,
  // or one of another shape or type. Needs no initialisation before.
  void restore(Session& session, const std::string& save_path);

  // The checkpoints that it keeps, oldest first.
  std::vector<std::string> last_checkpoints() const;
  void set_last_checkpoints(const std::vector<std::string>& paths);  // never deleted
  using PathAndTime = std::pair<std::string, double>;
  void set_last_checkpoints_with_time(std::vector<PathAndTime> paths);
  void recover_last_checkpoints(const std::vector<std::string>& paths);  // those that are there

  const BoxedMessage<tensorflow::SaverDef>& saver_def() const { return saver_def_; }
  tensorflow::SaverDef to_proto(const std::string& export_scope = {}) const;
  tensorflow::MetaGraphDef export_meta_graph(const SaverExportOptions& options = {}) const;
  bool is_empty() const { return is_empty_; }

  // The same for whoever runs steps in another way: gets the name of what to run, and of the tensor
  // that the path is fed to; answers with the path that the step gave.
  using RunStep = std::function<std::string(const std::string& what, const std::string& feed,
                                            const std::string& path)>;
  std::string save_with(const RunStep& run, Graph& graph, const std::string& save_path,
                        const SaverSaveOptions& options);
  void restore_with(const RunStep& run, const std::string& save_path);
  // What save() holds while it saves; null where nothing is recorded.
  std::shared_ptr<LockFile> lock_for(const std::string& save_path,
                                     const SaverSaveOptions& options) const;

 private:
  // False: the checkpoint is none of objects, or has what is asked for under its own name.
  bool restore_by_objects(const RunStep& run, const std::string& save_path);
  // How a checkpoint of objects was restored: the keys, the node, and the tensor of the path.
  struct ByObjects;
  std::shared_ptr<ByObjects> by_objects_;

  void use(tensorflow::SaverDef def);
  std::string checkpoint_file(const std::string& save_path, const SaverSaveOptions& options) const;
  std::string write(const RunStep& run, const std::string& file,
                    const std::string& directory) const;
  void keep(const std::string& path, const std::string& directory, const SaverSaveOptions& options);
  void keep_later(const std::string& path, const std::string& file, const std::string& directory,
                  const SaverSaveOptions& options, std::shared_ptr<LockFile> lock);
  void finish_last_save();
  void record(const std::string& path);
  // What is to be deleted now, if anything.
  std::optional<std::string> next_to_delete(const std::string& directory);

  SaverOptions options_;
  std::shared_ptr<const NamedToSave> to_save_;  // none: everything
  BoxedMessage<tensorflow::SaverDef> saver_def_;
  bool is_empty_ = false;
  double next_checkpoint_time_ = 0;  // a checkpoint later than this one is kept for good
  std::vector<PathAndTime> last_, to_delete_;
  std::set<std::string> recovered_;   // of last_: known from a state file
  std::shared_ptr<RestOfSave> rest_;  // of the last save, if it goes on in the background
  std::string rest_path_;             // its checkpoint
};

// Adds the graph of a file, and returns what saves it: its own Saver, else one for all variables;
// null when there is nothing to save.
std::shared_ptr<Saver> import_meta_graph(const std::string& meta_graph_file,
                                         const ImportMetaGraphOptions& options = {},
                                         std::source_location at = std::source_location::current());

Saver::RunStep steps_of(Session& session);
// What a failed restore says: its most likely reason, where the code tells one, before the message.
std::string restore_failure_text(Code code, const std::string& message);

// The nodes of a Saver for `saveables` in the default graph; saver_builder.cc.
tensorflow::SaverDef build_saver(const std::vector<SaveableRef>& saveables,
                                 const SaverOptions& options, std::source_location at);

}  // namespace rill::train
