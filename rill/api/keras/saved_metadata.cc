#include "rill/api/keras/saved_metadata.h"

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::keras {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Keras' own file beside the model, since 2.5: objects (1), each with its path (3) and JSON (5).
constexpr const char* kFile = "/keras_metadata.pb";
constexpr int kObject = 1, kPath = 3, kJson = 5;

std::string text_of(const UnknownFieldSet& fields, int number) {
  for (int i = 0; i < fields.field_count(); ++i)
    if (const UnknownField& field = fields.field(i);
        field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED)
      return field.length_delimited();
  return {};
}

std::optional<std::string> root_of_file(const std::string& path) {
  google::protobuf::Empty message;  // whose fields are all unknown
  require(parse_message(read_file(path), &message), path, " cannot be read");
  const UnknownFieldSet& objects = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < objects.field_count(); ++i) {
    const UnknownField& object = objects.field(i);
    UnknownFieldSet parts;
    if (object.number() != kObject || object.type() != UnknownField::TYPE_LENGTH_DELIMITED ||
        !parts.ParseFromString(object.length_delimited()))
      continue;
    if (text_of(parts, kPath) == "root") return text_of(parts, kJson);
  }
  return {};
}

}  // namespace

std::optional<std::string> saved_model_metadata(const std::string& export_dir) {
  if (const std::string path = export_dir + kFile; file_exists(path)) return root_of_file(path);
  const tensorflow::SavedModel model = saved_model::read_saved_model(export_dir);
  for (const auto& graph : model.meta_graphs()) {
    if (graph.object_graph_def().nodes_size() == 0) continue;
    const std::string& json = graph.object_graph_def().nodes(0).user_object().metadata();
    if (!json.empty()) return json;
  }
  return {};
}

}  // namespace rill::keras
