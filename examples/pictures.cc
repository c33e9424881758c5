#include "examples/pictures.h"

namespace tf = rill;

namespace pictures {

std::string tensor_name(const std::string& name) {
  return name.find(':') == std::string::npos ? name + ":0" : name;
}

std::string input_name(const tensorflow::GraphDef& graph, const std::string& name) {
  if (!name.empty()) return tensor_name(name);
  for (const auto& node : graph.node())
    if (node.op() == "Placeholder") return node.name() + ":0";
  tf::raise(tf::Code::kInvalidArgument, "the graph has no placeholder; name its input");
}

tf::Output as_input(const tf::Input& bytes, tf::Output source, double mean, double deviation) {
  const auto shape = source.shape();
  tf::require(shape.rank() == 4 && shape[1] > 0 && shape[2] > 0 && shape[3] > 0, source.name(),
              " takes no pictures of one size: ", shape);
  const auto decoded =
      tf::image::decode_image(bytes, {.channels = shape[3], .expand_animations = false});
  const auto size =
      tf::constant({static_cast<std::int32_t>(shape[1]), static_cast<std::int32_t>(shape[2])});
  const auto resized =
      tf::image::resize_bilinear(tf::expand_dims(tf::cast(decoded, tf::float32), 0), size);
  return (resized - mean) / deviation;
}

}  // namespace pictures
