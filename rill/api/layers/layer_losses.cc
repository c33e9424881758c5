#include <algorithm>
#include <unordered_set>

#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/layers/layer.h"
#include "rill/api/math/math.h"

namespace rill::layers {
namespace {

// Whether what `last` computes, or waits for, comes from any of `inputs`.
bool depends_on(Node& last, const std::vector<Output>& inputs) {
  std::vector<Node*> open{&last};
  std::unordered_set<Node*> seen{&last};
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    for (const Output& input : node->inputs()) {
      if (std::ranges::find(inputs, input) != inputs.end()) return true;
      if (seen.insert(input.node).second) open.push_back(input.node);
    }
    for (Node* waited : node->control_inputs())
      if (seen.insert(waited).second) open.push_back(waited);
  }
  return false;
}

bool holds(Output loss, const std::vector<Output>& inputs) {
  return std::ranges::find(inputs, loss) != inputs.end() || depends_on(*loss.node, inputs);
}

}  // namespace

void Layer::add_loss(Output loss, bool depends_on_inputs) {
  losses_.push_back({loss, {}, depends_on_inputs});
  collect(losses_.back());
}

void Layer::add_loss(std::function<Output()> loss, bool depends_on_inputs) {
  losses_to_make_.push_back({{}, std::move(loss), depends_on_inputs});
  collect(losses_to_make_.back());
}

void Layer::forget_eager_losses() {
  for (const Layer* layer : with_parts())
    std::erase_if(const_cast<Layer*>(layer)->losses_,
                  [](const Loss& loss) { return loss.made.node->is_executed(); });
}

void Layer::collect(const Loss& loss) {
  if (executing_eagerly()) return;  // there are no collections
  if (!options_.collects_losses.value_or(style() == Style::kScoped)) return;
  const Output made = loss.make ? loss.make() : loss.made;
  touch_collection(GraphKeys::REGULARIZATION_LOSSES);
  if (!made.node) return;
  for (const CollectionItem& item : get_collection(GraphKeys::REGULARIZATION_LOSSES))
    if (const auto* known = std::get_if<Output>(&item); known != nullptr && *known == made) return;
  add_to_collection(GraphKeys::REGULARIZATION_LOSSES, made);
}

void Layer::add_update(Node& update) {
  if (update.is_executed()) return;  // it has been run
  std::vector<Output> inputs;
  if (const Calling* around = Calling::current()) {
    inputs = around->inputs();
  } else {
    for (const LayerCall& call : calls_)
      inputs.insert(inputs.end(), call.inputs.begin(), call.inputs.end());
  }
  updates_.push_back({&update, depends_on(update, inputs)});
}

std::vector<std::pair<Output, bool>> Layer::tagged_losses() const {
  std::vector<std::pair<Output, bool>> all;
  for (const Layer* layer : with_parts()) {
    for (const Loss& loss : layer->losses_)
      if (loss.made.node->is_executed() == executing_eagerly())
        all.emplace_back(loss.made, loss.depends_on_inputs);
    for (const Loss& loss : layer->losses_to_make_)
      if (const Output made = loss.make(); made.node)
        all.emplace_back(made, loss.depends_on_inputs);
  }
  return all;
}

std::vector<Output> Layer::losses() const {
  std::vector<Output> all;
  for (const auto& loss : tagged_losses()) all.push_back(loss.first);
  return all;
}

std::vector<Output> Layer::losses_for(const std::vector<Output>& inputs) const {
  std::vector<Output> found;
  for (const auto& [loss, depends] : tagged_losses())
    if (inputs.empty() ? !depends : depends && holds(loss, inputs)) found.push_back(loss);
  return found;
}

std::vector<Node*> Layer::updates() const {
  std::vector<Node*> all;
  for (const Layer* layer : with_parts())
    if (layer->trainable() || layer->stateful)
      for (const Update& update : layer->updates_) all.push_back(update.node);
  return all;
}

std::vector<Node*> Layer::updates_for(const std::vector<Output>& inputs) const {
  std::vector<Node*> found;
  for (const Layer* layer : with_parts())
    if (layer->trainable() || layer->stateful)
      for (const Update& update : layer->updates_)
        if (inputs.empty() ? !update.depends_on_inputs
                           : update.depends_on_inputs && depends_on(*update.node, inputs))
          found.push_back(update.node);
  return found;
}

void Layer::add_activity_losses(const std::vector<Output>& outputs) {
  if (!options_.activity_regularizer) return;
  const NameScope named("ActivityRegularizer");
  for (const Output& output : outputs) {
    const Output loss = options_.activity_regularizer(output);
    const Output batch_size = cast(slice(shape(output), {Input(0)}), base_type(loss.dtype()));
    add_loss(truediv(loss, batch_size), true);
  }
}

}  // namespace rill::layers
