#include "rill/api/keras/layer_config.h"

#include "rill/api/keras/custom_objects.h"
#include "rill/api/keras/layer_fields.h"
#include "rill/api/keras/layer_kinds.h"
#include "rill/api/keras/model_config.h"
#include "rill/base/error.h"

namespace rill::keras::layers {
namespace {

std::string dtype_of_layer(const Layer& layer) {
  return std::string(
      numpy_name(layer.dtype() == DType::invalid ? backend::floatx() : layer.dtype()));
}

Json sizes_json(const PartialShape& shape) {
  std::vector<Json> sizes;
  for (const std::int64_t dim : shape.dims()) sizes.push_back(dim < 0 ? Json() : json_of(dim));
  return json_array(std::move(sizes));
}

JsonMembers base_config(const Layer& layer, const std::optional<PartialShape>& input_shape = {}) {
  JsonMembers config = {{"name", json_of(layer.name())}, {"trainable", json_of(layer.trainable())}};
  if (input_shape) {
    std::vector<Json> sizes = sizes_json(*input_shape).items;
    sizes.insert(sizes.begin(), Json());
    config.emplace_back("batch_input_shape", json_array(std::move(sizes)));
  }
  config.emplace_back("dtype", json_of(dtype_of_layer(layer)));
  return config;
}

Json as_json(const std::string& class_name, JsonMembers config) {
  return json_object(
      {{"class_name", json_of(class_name)}, {"config", json_object(std::move(config))}});
}

Json input_layer_json(const InputLayer& layer) {
  const Output opened = layer.calls().at(0).outputs.at(0);
  return as_json("InputLayer", {{"batch_input_shape", sizes_json(opened.shape())},
                                {"dtype", json_of(std::string(numpy_name(opened.dtype())))},
                                {"sparse", json_of(false)},
                                {"ragged", json_of(false)},
                                {"name", json_of(layer.name())}});
}

Json configured_json(const Layer& layer, const Recipe& recipe) {
  JsonMembers config = base_config(layer, recipe.arguments.input_shape);
  for (const std::string& name : field_names(recipe.class_name))
    config.emplace_back(name, field_of(recipe, name));
  if (recipe.inner) config.emplace_back("layer", serialize(*recipe.inner));
  if (!recipe.merge_mode.empty()) config.emplace_back("merge_mode", json_of(recipe.merge_mode));
  return as_json(recipe.class_name, std::move(config));
}

// --- and back ------------------------------------------------------------------------------------

std::optional<PartialShape> input_shape_in(const Json& config) {
  const Json* const given = config.find("batch_input_shape");
  if (given == nullptr || is_null(*given)) return std::nullopt;
  require(!given->items.empty(), "batch_input_shape says no number of examples");
  PartialShape shape = PartialShape::scalar();
  for (std::size_t i = 1; i < given->items.size(); ++i)
    shape.add_dim(is_null(given->items[i]) ? -1 : int_of(given->items[i], "batch_input_shape"));
  return shape;
}

DType dtype_in(const Json& config) {
  const Json* const given = config.find("dtype");
  if (given == nullptr || is_null(*given)) return DType::invalid;
  DType dtype = DType::invalid;
  require(parse_dtype(text_of(*given, "dtype"), &dtype), "there is no type '", given->text, "'");
  return dtype;
}

LayerRef input_layer_of(const Json& config) {
  const Json& batch = member(config, "batch_input_shape");
  require(!batch.items.empty(), "batch_input_shape says no number of examples");
  const Output made =
      input(*input_shape_in(config),
            {.batch_size = is_null(batch.items[0]) ? -1 : int_of(batch.items[0], "batch size"),
             .name = text_of(member(config, "name"), "name"),
             .dtype = dtype_in(config)});
  Layer* const layer = rill::layers::made_by(made).layer;
  return LayerRef(std::static_pointer_cast<Layer>(layer->shared_from_this()));
}

const Recipe& recipe_of(const LayerRef& layer) {
  const auto* const known = dynamic_cast<const Configured*>(layer.layer.get());
  require(known != nullptr, "a wrapper takes layers that know what they are made of");
  return known->recipe;
}

LayerRef wrapper_of(const Recipe& recipe, const Json& config) {
  if (recipe.class_name == "TimeDistributed")
    return TimeDistributed(deserialize(member(config, "layer")), recipe.arguments);
  const Recipe inner = recipe_of(deserialize(member(config, "layer")));
  LayerArguments arguments = inner.arguments;
  arguments.input_shape = recipe.arguments.input_shape;
  return Bidirectional(
      [&inner](const LayerArguments& one_way) {
        return make(inner.class_name, inner.settings, one_way);
      },
      arguments,
      {.merge_mode = text_of(member(config, "merge_mode"), "merge_mode"),
       .name = recipe.arguments.name});
}

}  // namespace

Json serialize(const Layer& layer) {
  if (const auto* model = dynamic_cast<const Model*>(&layer)) return model_config(*model);
  if (const auto* opened = dynamic_cast<const InputLayer*>(&layer))
    return input_layer_json(*opened);
  if (const auto* known = dynamic_cast<const Configured*>(&layer))
    return configured_json(layer, known->recipe);
  const auto* const own = dynamic_cast<const HasConfig*>(&layer);
  require(own != nullptr, "the layer ", layer.name(), " of the class ", layer.class_name(),
          " cannot be written down: it does not say what it is made of (HasConfig)");
  JsonMembers config = base_config(layer);
  for (auto& setting : own->get_config()) config.push_back(std::move(setting));
  return as_json(layer.class_name(), std::move(config));
}

LayerRef deserialize(const Json& described) {
  const std::string& class_name = text_of(member(described, "class_name"), "class_name");
  const Json& config = member(described, "config");
  if (const CustomObject* custom = find_custom_object(class_name); custom && custom->make_layer)
    return custom->make_layer(config);
  if (class_name == "Model" || class_name == "Sequential" || class_name == "Functional")
    return LayerRef(model_from_config(described));
  if (class_name == "InputLayer") return input_layer_of(config);
  Recipe recipe{.class_name = class_name};
  recipe.arguments.name = text_of(member(config, "name"), "name");
  recipe.arguments.dtype = dtype_in(config);
  recipe.arguments.input_shape = input_shape_in(config);
  if (const Json* trainable = config.find("trainable"))
    recipe.arguments.trainable = bool_of(*trainable, "trainable");
  if (class_name == "TimeDistributed" || class_name == "Bidirectional")
    return wrapper_of(recipe, config);
  for (const std::string& name : field_names(class_name))
    if (const Json* value = config.find(name)) set_field(recipe, name, *value);
  return make(class_name, recipe.settings, recipe.arguments);
}

}  // namespace rill::keras::layers
