#include "rill/api/saver/saved_model_builder.h"

#include <google/protobuf/text_format.h>

#include <map>
#include <optional>
#include <set>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/io/saved_model_parts.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {
namespace {

void check_signatures(const std::map<std::string, BoxedSignatureDef>& signatures) {
  for (const auto& [key, signature] : signatures) {
    require(key != kInitOpSignature && key != kTrainOpSignature, "SignatureDef map key \"", key,
            "\" is reserved for internal use");
    for (const auto* infos : {&signature->inputs(), &signature->outputs()})
      for (const auto& [name, info] : *infos) {
        require(info.encoding_case() != TensorInfo::ENCODING_NOT_SET,
                "Invalid `tensor_info`. Unable to find `encoding` for ", name, " of ", key);
        require(info.dtype() != tensorflow::DT_INVALID,
                "Invalid `tensor_info`. Unable to find `dtype` for ", name, " of ", key);
      }
  }
}

std::string text_of(Output constant) {
  require_type(constant.node->op().name == "Const", "Asset path tensor ", constant.name(),
               " must be of type constant. Has type ", constant.node->op().name, " instead.");
  const Tensor* value = constant_value(constant);
  require(value != nullptr && value->dtype() == DType::string && value->element_count() == 1,
          "Asset path tensor ", constant.name(), " must be one string.");
  return *value->data<std::string>();
}

bool same_content(const std::string& a, const std::string& b) {
  return file_system_of(a).facts(a).size == file_system_of(b).facts(b).size &&
         read_file(a) == read_file(b);
}

// A name below `directory` that is free, or holds the same content already.
std::string name_for(const std::string& source, const std::string& directory) {
  const std::string base(base_name(source));
  std::string name = base;
  for (int i = 1; file_exists(join_path(directory, name)); ++i) {
    if (same_content(join_path(directory, name), source)) break;
    name = str_cat(base, "_", i);
  }
  return name;
}

}  // namespace

Builder::Builder(std::string export_dir)
    : export_dir_(std::move(export_dir)), model_(std::make_shared<tensorflow::SavedModel>()) {
  model_->set_saved_model_schema_version(kSchemaVersion);
  if (file_exists(export_dir_)) {
    if (!is_directory(export_dir_) || !file_system_of(export_dir_).list(export_dir_).empty())
      raise(Code::kFailedPrecondition, "Export directory ", export_dir_,
            " already exists, and isn't empty. Please choose a different export directory, or "
            "delete all the contents of the specified directory.");
    return;
  }
  make_durable_directories(export_dir_);
}

tensorflow::AssetFileDef Builder::save_asset(Output path) {
  const std::string source = text_of(path), directory = join_path(export_dir_, kAssetsDirectory);
  make_durable_directories(directory);
  const std::string name = name_for(source, directory);
  if (const std::string target = join_path(directory, name); !file_exists(target)) {
    copy_file(source, target);
    sync_file(target);
    sync_parent(target);
  }
  tensorflow::AssetFileDef asset;
  asset.mutable_tensor_info()->set_name(path.name());
  asset.set_filename(name);
  google::protobuf::Any packed;
  packed.PackFrom(asset);
  auto item = std::make_shared<train::AnyItem>();
  item->message = packed;
  add_to_collection(kAssetsKey, std::shared_ptr<Collectable>(std::move(item)));
  return asset;
}

std::shared_ptr<train::Saver> Builder::prepare(const MetaGraphOptions& options) {
  check_signatures(options.signature_def_map);
  collections_of(*default_graph()).clear(kAssetsKey);
  assets_.clear();
  for (const Output& asset : options.assets) assets_.push_back(save_asset(asset));
  if (options.main_op != nullptr) {
    require(get_collection(kMainOpKey).empty(),
            "Graph already contains one or more main ops under the collection ", kMainOpKey, ".");
    add_to_collection(kMainOpKey, options.main_op);
  }
  if (options.saver) return options.saver;
  return std::make_shared<train::Saver>(train::SaverOptions{.sharded = true, .allow_empty = true});
}

void Builder::add(const train::Saver& saver, const std::vector<std::string>& tags,
                  const MetaGraphOptions& options) {
  tensorflow::MetaGraphDef graph = saver.export_meta_graph(
      {.clear_devices = options.clear_devices, .strip_default_attrs = options.strip_default_attrs});
  for (const std::string& tag : tags) graph.mutable_meta_info_def()->add_tags(tag);
  for (const auto& [key, signature] : options.signature_def_map)
    (*graph.mutable_signature_def())[key] = *signature;
  *model_->add_meta_graphs() = std::move(graph);
}

void Builder::add_meta_graph_and_variables(Session& session, const std::vector<std::string>& tags,
                                           const MetaGraphOptions& options) {
  add_meta_graph_and_variables_with(train::steps_of(session), tags, options);
}

void Builder::add_meta_graph_and_variables_with(const train::Saver::RunStep& run,
                                                const std::vector<std::string>& tags,
                                                const MetaGraphOptions& options) {
  check_next(true);
  const std::shared_ptr<train::Saver> saver = prepare(options);
  const std::string directory = join_path(export_dir_, kVariablesDirectory);
  make_durable_directories(directory);
  saver->save_with(run, *default_graph(), join_path(directory, kVariablesFilename),
                   {.write_meta_graph = false, .write_state = false});
  add(*saver, tags, options);
  has_variables_ = true;
}

namespace {

// How many branches a node of a function is in, by its name. Nothing where there are loops.
std::optional<std::map<std::string, int>> branch_depths(const tensorflow::FunctionDef& function) {
  std::map<std::string, int> depths;
  const auto source = [](std::string input) {
    if (input.starts_with('^')) input.erase(0, 1);
    return input.substr(0, input.find(':'));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& node : function.node_def()) {
      if (node.op() == "Enter") return {};
      int depth = 0;
      for (const std::string& input : node.input())
        if (const auto found = depths.find(source(input)); found != depths.end())
          depth = std::max(depth, found->second);
      depth += node.op() == "Switch" ? 1 : node.op() == "Merge" ? -1 : 0;
      const auto [known, is_new] = depths.try_emplace(node.name(), depth);
      changed |= is_new || known->second < depth;
      known->second = std::max(known->second, depth);
    }
  }
  return depths;
}

// Other runtimes leave out of a function what nothing waits for, unless it is said to be wanted. Of
// what is in a branch that is where the branches meet.
void want_effects(const Registry& ops, tensorflow::FunctionDefLibrary& library) {
  std::set<std::string> stateful;
  for (const auto& function : library.function())
    if (function.signature().is_stateful()) stateful.insert(function.signature().name());
  const auto has_effects = [&](const tensorflow::NodeDef& node) {
    const Op* op = ops.find(node.op());
    return op != nullptr ? op->has(kStateful) : stateful.contains(node.op());
  };
  for (auto& function : *library.mutable_function()) {
    const auto depths = branch_depths(function);
    if (function.control_ret_size() > 0 || !depths) continue;
    for (const auto& node : function.node_def()) {
      if (depths->at(node.name()) > 0 || (node.op() != "Merge" && !has_effects(node))) continue;
      function.mutable_signature()->add_control_output(node.name());
      (*function.mutable_control_ret())[node.name()] = node.name();
    }
  }
}

}  // namespace

void Builder::add_objects(const std::vector<std::string>& tags, const MetaGraphOptions& options,
                          tensorflow::SavedObjectGraph objects) {
  check_next(true);
  const std::shared_ptr<train::Saver> saver = prepare(options);
  make_durable_directories(join_path(export_dir_, kVariablesDirectory));
  add(*saver, tags, options);
  tensorflow::MetaGraphDef& graph = *model_->mutable_meta_graphs(0);
  for (const tensorflow::AssetFileDef& asset : assets_) *graph.add_asset_file_def() = asset;
  want_effects(default_graph()->registry(), *graph.mutable_graph_def()->mutable_library());
  *graph.mutable_object_graph_def() = std::move(objects);
  has_variables_ = true;
}

void Builder::add_meta_graph(const std::vector<std::string>& tags,
                             const MetaGraphOptions& options) {
  check_next(false);
  add(*prepare(options), tags, options);
}

void Builder::check_next(bool with_variables) const {
  if (with_variables && has_variables_)
    raise(Code::kFailedPrecondition,
          "Graph state including variables and assets has already been saved. Please invoke "
          "`add_meta_graph()` instead.");
  if (!with_variables && !has_variables_)
    raise(Code::kFailedPrecondition,
          "Graph state including variables and assets has not been saved yet. Please invoke "
          "`add_meta_graph_and_variables()` first.");
}

std::string Builder::save(bool as_text) {
  const std::string path = join_path(export_dir_, as_text ? kFilenamePbtxt : kFilenamePb);
  std::string bytes;
  if (as_text)
    google::protobuf::TextFormat::PrintToString(*model_, &bytes);
  else
    require(model_->SerializeToString(&bytes), "The model is larger than a message may be");
  make_durable_directories(export_dir_);
  publish_file(path, bytes);
  return path;
}

void simple_save(Session& session, const std::string& export_dir,
                 const std::map<std::string, Output>& inputs,
                 const std::map<std::string, Output>& outputs, const SimpleSaveOptions& options) {
  Builder builder(export_dir);
  builder.add_meta_graph_and_variables(
      session, {kServingTag},
      {.signature_def_map = {{kDefaultServingSignatureKey, predict_signature_def(inputs, outputs)}},
       .assets = get_tensor_collection(GraphKeys::ASSET_FILEPATHS),
       .main_op = options.legacy_init_op,
       .clear_devices = true});
  builder.save();
}

}  // namespace rill::saved_model
