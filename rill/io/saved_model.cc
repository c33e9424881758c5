#include "rill/io/saved_model.h"

#include <vector>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/parse_message.h"
#include "rill/io/parse_text.h"
#include "rill/io/saved_model_parts.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::saved_model {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::SavedModel;

std::string braced(const auto& tags) {
  std::string text;
  for (const std::string& tag : tags) text += (text.empty() ? "'" : ", '") + tag + "'";
  return "{" + text + "}";
}

}  // namespace

std::string asset_path(const std::string& export_dir, const std::string& filename) {
  require(!filename.empty() && filename != "." && filename != ".." &&
              filename.find('/') == std::string::npos && filename.find('\0') == std::string::npos,
          "The model names the asset '", filename, "', which is no file of its own");
  return join_path(join_path(export_dir, kAssetsDirectory), filename);
}

std::string variables_path(const std::string& export_dir) {
  return join_path(join_path(export_dir, kVariablesDirectory), kVariablesFilename);
}

bool contains_saved_model(const std::string& export_dir) {
  return file_exists(join_path(export_dir, kFilenamePb)) ||
         file_exists(join_path(export_dir, kFilenamePbtxt));
}

SavedModel read_saved_model(const std::string& export_dir) {
  SavedModel model;
  if (const std::string path = join_path(export_dir, kFilenamePb); file_exists(path)) {
    require(parse_message(read_file(path), &model), "Cannot parse file ", path,
            ": it is no SavedModel");
    return model;
  }
  const std::string path = join_path(export_dir, kFilenamePbtxt);
  if (!file_exists(path))
    raise(Code::kNotFound, "SavedModel file does not exist at: ", export_dir, "/{", kFilenamePbtxt,
          "|", kFilenamePb, "}");
  require(parse_text(read_file(path), &model), "Cannot parse file ", path,
          ": it is no SavedModel in text form");
  return model;
}

const MetaGraphDef& meta_graph_with(const SavedModel& model, const std::set<std::string>& tags) {
  std::vector<std::string> available;
  for (const MetaGraphDef& graph : model.meta_graphs()) {
    const std::set<std::string> own(graph.meta_info_def().tags().begin(),
                                    graph.meta_info_def().tags().end());
    if (own == tags) return graph;
    available.push_back(braced(own));
  }
  const std::string wanted = braced(tags);
  raise(Code::kNotFound, "MetaGraphDef associated with tags ", wanted.substr(1, wanted.size() - 2),
        " could not be found in SavedModel, with available tags '[", join(available, ", "),
        "]'. To inspect available tag-sets in the SavedModel, please use the SavedModel CLI: "
        "`saved_model_cli`.");
}

std::set<std::string> split_tag_set(const std::string& tag_set) {
  std::set<std::string> tags;
  for (const std::string_view tag : split(tag_set, ',')) tags.emplace(tag);
  return tags;
}

}  // namespace rill::saved_model
