#include "rill/api/layers/layer.h"

#include <algorithm>
#include <cctype>

#include "rill/api/core/made_here.h"
#include "rill/api/layers/keras_style.h"
#include "rill/api/variables/new_variables.h"

namespace rill::layers {
namespace {

struct LayerNames {
  std::map<std::string, int> used;
};

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_small(char c) { return is_lower(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string snake_case(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts_word =
        i > 0 && is_upper(name[i]) &&
        (is_lower(name[i - 1]) || (i + 1 < name.size() && is_small(name[i + 1])));
    if (starts_word) text += '_';
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return text.starts_with('_') ? "private" + text : text;
}

std::string unique_layer_name(const std::string& base, bool from_zero) {
  int& used = default_graph()->attached<LayerNames>().used[base];
  const int number = from_zero ? used++ : ++used;
  return number == 0 ? base : str_cat(base, "_", number);
}

void forget_layer_names(Graph& graph) { graph.attached<LayerNames>().used.clear(); }

Layer::Layer(std::string class_name, LayerOptions options)
    : class_name_(std::move(class_name)),
      options_(std::move(options)),
      graph_(default_graph()),
      dtype_(options_.dtype) {
  if (experimental::is_keras_style()) {
    require(!options_.scope, "scope argument not allowed when keras style layers are enabled");
    options_.style = Style::kOwned;
  }
  base_name_ = options_.name.empty() ? snake_case(class_name_) : options_.name;
  name_ = options_.name.empty()
              ? unique_layer_name(base_name_,
                                  options_.counts_from_zero.value_or(style() == Style::kOwned))
              : options_.name;
  if (style() != Style::kScoped || !options_.scope) return;
  scope_ = options_.scope.open({}, std::source_location::current())->scope();
}

Output Layer::operator()(Output x, const CallArguments& arguments, std::source_location at) {
  const std::vector<Output> outputs = run({x}, arguments, at);
  require(outputs.size() == 1, "the layer ", name_, " has ", outputs.size(), " outputs");
  return outputs[0];
}

std::vector<Output> Layer::operator()(const std::vector<Output>& inputs,
                                      const CallArguments& arguments, std::source_location at) {
  return run(inputs, arguments, at);
}

std::vector<Output> Layer::run(const std::vector<Output>& inputs, const CallArguments& arguments,
                               std::source_location at) {
  Calling in(*this, inputs, arguments, at);
  if (in.first()) {
    std::vector<PartialShape> shapes;
    for (const Output& input : inputs) shapes.push_back(input.shape());
    build_all(shapes);
    in.now_built();
    notice_new_variables();
  }
  return in.end(call_all(inputs, in.arguments()));
}

void Layer::build(const PartialShape&) { built = true; }

Output Layer::call(Output x, const CallArguments&) { return x; }

PartialShape Layer::compute_output_shape(const PartialShape&) const {
  raise(Code::kUnimplemented, "the layer ", name_, " does not say the shape of its output");
}

void Layer::build_all(const std::vector<PartialShape>& inputs) {
  build(inputs.empty() ? PartialShape() : inputs[0]);
}

std::vector<Output> Layer::call_all(const std::vector<Output>& inputs,
                                    const CallArguments& arguments) {
  require(inputs.size() == 1, "the layer ", name_, " takes one input, not ", inputs.size());
  return {call(inputs[0], arguments)};
}

std::vector<Output> Layer::compute_masks(const std::vector<Output>&,
                                         const std::vector<Output>& masks) {
  return supports_masking ? masks : std::vector<Output>();
}

std::string Layer::scope_name() const {
  require(scope_ != nullptr, "No name available for layer scope because the layer \"", name_,
          "\" has not been used yet. The scope name  is determined the first time the layer "
          "instance is called. You must therefore call the layer before querying `scope_name`.");
  return scope_->name;
}

// --- parts ---------------------------------------------------------------------------------------

void Layer::add_layer(std::shared_ptr<Layer> part) {
  if (std::ranges::find(parts_, part) != parts_.end()) return;
  part->use_resources = true;
  parts_.push_back(std::move(part));
}

void Layer::remove_layer(const Layer& part) {
  std::erase_if(parts_, [&](const auto& known) { return known.get() == &part; });
}

void Layer::set_trainable(bool trainable) {
  options_.trainable = trainable;
  for (const auto& part : parts_) part->set_trainable(trainable);
}

void Layer::set_activity_regularizer(std::function<Output(Output)> regularizer) {
  options_.activity_regularizer = std::move(regularizer);
}

std::vector<const Layer*> Layer::with_parts() const {
  std::vector<const Layer*> found, open{this};
  while (!open.empty()) {
    const Layer* layer = open.back();
    open.pop_back();
    if (std::ranges::find(found, layer) != found.end()) continue;
    found.push_back(layer);
    for (auto part = layer->parts_.rbegin(); part != layer->parts_.rend(); ++part)
      open.push_back(part->get());
  }
  return found;
}

}  // namespace rill::layers
