#include "rill/api/saver/eager_saver.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/graph/tape.h"
#include "tensorflow/core/protobuf/saver.pb.h"

namespace rill::train {

Saver::RunStep eager_steps(const NamedToSave& var_list) {
  return [var_list](const std::string& what, const std::string&, const std::string& path) {
    const AsDefault eagerly(eager_graph());
    const WithoutTapes unseen;
    const std::vector<SaveableRef> saveables = saveables_of(var_list);
    const bool saves = what.find(':') != std::string::npos;  // a tensor: the path that was written
    if (saves) return save_nodes(as_tensor(path), saveables).value().scalar_value<std::string>();
    restore_nodes(as_tensor(path), saveables);
    return std::string();
  };
}

SaverOptions eager_saver_options(SaverOptions options) {
  tensorflow::SaverDef def;
  def.set_filename_tensor_name("save/Const:0");
  def.set_save_tensor_name("save/Identity:0");
  def.set_restore_op_name("save/restore_all");
  def.set_max_to_keep(options.max_to_keep);
  def.set_keep_checkpoint_every_n_hours(static_cast<float>(options.keep_checkpoint_every_n_hours));
  def.set_version(tensorflow::SaverDef::V2);
  options.saver_def = std::move(def);
  options.name.clear();
  return options;
}

EagerSaver::EagerSaver(NamedToSave var_list, const SaverOptions& options)
    : var_list_(std::move(var_list)), saver_(eager_saver_options(options)) {}

std::string EagerSaver::save(const std::string& save_path, const SaverSaveOptions& options) {
  SaverSaveOptions without_graph = options;
  without_graph.write_meta_graph = false;
  return saver_.save_with(eager_steps(var_list_), *eager_graph(), save_path, without_graph);
}

void EagerSaver::restore(const std::string& save_path) {
  saver_.restore_with(eager_steps(var_list_), save_path);
}

}  // namespace rill::train
