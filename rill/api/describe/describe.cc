#include "rill/api/describe/describe.h"

#include "rill/api/describe/record_compression.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/event_scan.h"
#include "rill/io/parse_message.h"
#include "rill/io/record_reader.h"
#include "rill/io/saved_model_parts.h"
#include "tensorflow/core/util/event.pb.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::describe {
namespace {

bool is_first_format_checkpoint(const std::string& path) {
  try {
    return CheckpointReader::open(path) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

bool is_event_file(const std::string& path) {
  std::string record;
  tensorflow::Event event;
  return RecordReader(path).read(&record) && parse_message(record, &event) &&
         (event.wall_time() > 1e8 || event.has_file_version());
}

// Of one run, or of runs in folders of their own as training and evaluation have them.
std::vector<std::string> event_files(const std::string& directory) {
  return matching_paths(
      std::vector{join_path(directory, "*tfevents*"), join_path(directory, "*/*tfevents*")});
}

std::string all_events(const std::string& directory, const Options& options) {
  std::string text;
  for (const std::string& file : event_files(directory))
    text += str_cat(file, "\n", events(file, options));
  return text;
}

std::string saved_model(const std::string& path, const Options& options) {
  const tensorflow::SavedModel model = saved_model::read_saved_model(path);
  if (options.all || (options.tag_set.empty() && options.signature_def.empty()))
    return options.all ? all_signatures(model) : tag_sets(model) + all_signatures(model);
  const auto& graph = saved_model::meta_graph_with(
      model, saved_model::split_tag_set(options.tag_set.empty() ? "serve" : options.tag_set));
  if (options.signature_def.empty()) return signature_keys(graph);
  const auto found = graph.signature_def().find(options.signature_def);
  require(found != graph.signature_def().end(), "There is no signature ", options.signature_def,
          ".\n", signature_keys(graph));
  return signature(found->second);
}

tensorflow::GraphDef graph_in_events(const std::string& path) {
  tensorflow::GraphDef graph;
  bool found = false;
  const std::string damage = scan_events(path, [&](const tensorflow::Event& event) {
    if (!event.has_graph_def()) return;
    require(parse_message(event.graph_def(), &graph), "The graph in ", path, " is broken");
    found = true;
  });
  require(found, "There is no graph in ", path, damage.empty() ? "" : ": ", damage);
  return graph;
}

// The graph of these tags, or the only one.
tensorflow::GraphDef graph_in_model(const std::string& path, const std::string& tag_set) {
  const tensorflow::SavedModel model = saved_model::read_saved_model(path);
  if (tag_set.empty() && model.meta_graphs_size() == 1) return model.meta_graphs(0).graph_def();
  return saved_model::meta_graph_with(
             model, saved_model::split_tag_set(tag_set.empty() ? "serve" : tag_set))
      .graph_def();
}

}  // namespace

tensorflow::GraphDef graph_in(const std::string& path, const std::string& tag_set) {
  switch (kind_of(path)) {
    case Kind::kSavedModel:
      return graph_in_model(path, tag_set);
    case Kind::kGraph:
      return graph_util::read_graph_def(path);
    case Kind::kMetaGraph:
      return train::read_meta_graph_file(path).graph_def();
    case Kind::kEvents:
      return graph_in_events(is_directory(path) ? event_files(path).back() : path);
    case Kind::kCheckpoint:
      if (const std::string meta = train::meta_graph_filename(checkpoint_prefix(path));
          file_exists(meta))
        return train::read_meta_graph_file(meta).graph_def();
      break;
    default:
      break;
  }
  raise(Code::kInvalidArgument, "There is no graph in ", path);
}

std::string checkpoint_prefix(const std::string& path) {
  for (const char* ending : {".index", ".meta"})
    if (path.ends_with(ending))
      return path.substr(0, path.size() - std::string_view(ending).size());
  const std::size_t data = path.rfind(".data-");
  return data == std::string::npos ? path : path.substr(0, data);
}

Kind kind_of(const std::string& path) {
  if (is_directory(path)) {
    if (saved_model::contains_saved_model(path)) return Kind::kSavedModel;
    if (train::recover_checkpoint_state(path)) return Kind::kCheckpoint;
    require(!event_files(path).empty(), path,
            " is a directory without a SavedModel, a checkpoint or event files");
    return Kind::kEvents;
  }
  if (path.ends_with(".meta")) return Kind::kMetaGraph;
  if (train::checkpoint_exists(checkpoint_prefix(path)) && !path.ends_with(".pb"))
    if (checkpoint_prefix(path) != path || !file_exists(path)) return Kind::kCheckpoint;
  if (!file_exists(path)) raise(Code::kNotFound, "There is nothing at ", path);
  if (path.ends_with(".pb") || path.ends_with(".pbtxt")) return Kind::kGraph;
  if (path.ends_with(".safetensors")) return Kind::kSafetensors;
  if (base_name(path).find(".tfevents.") != std::string_view::npos) return Kind::kEvents;
  if (const auto packed = record_compression(path))
    return *packed == Compression::none && is_event_file(path) ? Kind::kEvents : Kind::kRecords;
  if (is_first_format_checkpoint(path)) return Kind::kCheckpoint;
  raise(Code::kInvalidArgument, path,
        " is no SavedModel, checkpoint, graph, event file, record file or safetensors file");
}

std::string describe(const std::string& path, const Options& options) {
  if (const std::string_view name = base_name(path);
      name == saved_model::kFilenamePb || name == saved_model::kFilenamePbtxt)
    return saved_model(parent_path(path), options);
  switch (kind_of(path)) {
    case Kind::kSavedModel:
      return saved_model(path, options);
    case Kind::kCheckpoint:
      if (!is_directory(path)) return checkpoint(checkpoint_prefix(path), options);
      return checkpoint(path, options) + all_events(path, options);
    case Kind::kGraph:
      return graph(graph_util::read_graph_def(path), options);
    case Kind::kMetaGraph:
      return graph(train::read_meta_graph_file(path).graph_def(), options);
    case Kind::kEvents:
      return is_directory(path) ? all_events(path, options) : events(path, options);
    case Kind::kRecords:
      return records(path, options);
    case Kind::kSafetensors:
      return safetensors(path, options);
  }
  return {};
}

}  // namespace rill::describe
