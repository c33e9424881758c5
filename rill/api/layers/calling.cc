#include <algorithm>
#include <unordered_map>

#include "rill/api/core/made_here.h"
#include "rill/api/gen/array.h"
#include "rill/api/layers/layer.h"
#include "rill/graph/executed_node.h"

namespace rill::layers {
namespace {

thread_local Calling* innermost = nullptr;

struct OutputHash {
  std::size_t operator()(const Output& o) const {
    return std::hash<const void*>()(o.node) * 31 + static_cast<std::size_t>(o.index);
  }
};

// What a graph knows of tensors that layers made.
struct Makers {
  std::unordered_map<Output, MadeBy, OutputHash> entries;
  std::unordered_map<Layer*, std::shared_ptr<void>> owners;
  std::unordered_map<Output, Output, OutputHash> masks;
};

Makers& makers_of(Output tensor) { return tensor.node->graph().attached<Makers>(); }

}  // namespace

void touch_collection(std::string_view name) {
  Collections& all = collections_of(*default_graph());
  const std::vector<std::string> names = all.names();
  if (std::ranges::find(names, name) != names.end()) return;
  all.add(name, std::string());
  all.clear(name);
}

namespace {

void collect_updates(const std::vector<Node*>& updates) {
  touch_collection(GraphKeys::UPDATE_OPS);
  const std::vector<CollectionItem> known = get_collection(GraphKeys::UPDATE_OPS);
  for (Node* update : updates)
    if (std::ranges::find(known, CollectionItem(update)) == known.end())
      add_to_collection(GraphKeys::UPDATE_OPS, update);
}

}  // namespace

std::function<OptionalInput()>& default_training() {
  static std::function<OptionalInput()> asked;
  return asked;
}

MadeBy made_by(Output tensor) {
  if (tensor.node->is_executed()) return {};
  const auto& entries = makers_of(tensor).entries;
  const auto found = entries.find(tensor);
  return found == entries.end() ? MadeBy() : found->second;
}

void visit_makers(Graph& graph, const std::function<void(Layer&)>& visit) {
  for (const auto& [layer, owner] : graph.attached<Makers>().owners)
    if (owner) visit(*layer);
}

void forget_makers(Graph& graph) {
  Makers& makers = graph.attached<Makers>();
  makers.entries.clear();
  const auto gone = std::exchange(makers.owners, {});
}

Output mask_of(Output tensor) {
  if (tensor.node->is_executed()) return executed(*tensor.node).mask(tensor.index);
  const auto& masks = makers_of(tensor).masks;
  const auto found = masks.find(tensor);
  return found == masks.end() ? Output() : found->second;
}

void set_mask(Output tensor, Output mask) {
  if (tensor.node->is_executed())
    executed(*tensor.node).set_mask(tensor.index, std::move(mask));
  else
    makers_of(tensor).masks[tensor] = mask;
}

Layer::~Layer() {
  const std::shared_ptr<Graph> graph = graph_.lock();
  if (!graph || calls_.empty()) return;
  std::erase_if(graph->attached<Makers>().entries,
                [&](const auto& entry) { return entry.second.layer == this; });
}

std::vector<Output> Layer::record(LayerCall call) {
  for (Output& output : call.outputs) {
    if (std::ranges::find(call.inputs, output) == call.inputs.end()) continue;
    const NameScope named(name_);
    output = raw::Identity(output);
  }
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    Makers& makers = makers_of(call.outputs[i]);
    makers.entries[call.outputs[i]] = {this, calls_.size(), i};
    if (!makers.owners.contains(this)) makers.owners[this] = owner();
  }
  calls_.push_back(std::move(call));
  return calls_.back().outputs;
}

void Layer::open_scope(const ScopeChoice& chosen, std::source_location at) {
  if (scope_) return;
  if (chosen) {
    scope_ = chosen.open({}, at)->scope();
  } else if (options_.reuse == Reuse::kYes || options_.reuse == Reuse::kAuto) {
    scope_ = VariableScopeBlock(base_name_, {}, at).scope();
  } else {
    scope_ = VariableScopeBlock::with_default_name(base_name_, {}, at)->scope();
  }
}

const Calling* Calling::current() { return innermost; }

const VariableScopeRef& Calling::scope() const {
  static const VariableScopeRef none;
  return variables_ ? variables_->scope() : none;
}

Calling::Calling(Layer& layer, std::vector<Output> inputs, CallArguments arguments,
                 std::source_location at)
    : layer_(layer), record_{std::move(inputs), {}, std::move(arguments)} {
  if (innermost == nullptr && executing_eagerly()) layer_.forget_eager_losses();
  if (layer_.style() == Style::kScoped) {
    layer_.open_scope(record_.arguments.scope, at);
    variables_ = std::make_unique<VariableScopeBlock>(
        layer_.scope_,
        VariableScopeOptions{.reuse = layer_.built ? Reuse::kYes : layer_.options_.reuse,
                             .auxiliary_name_scope = false},
        at);
  } else {
    require(!record_.arguments.scope,
            "scope argument not allowed when keras style layers are enabled");
  }
  OptionalInput& training = record_.arguments.training;
  if (!training && innermost != nullptr) training = innermost->record_.arguments.training;
  if (!training && default_training()) training = default_training()();
  collect_masks();
  check_inputs(layer_.input_spec, record_.inputs, layer_.name());
  const std::string prefix = variables_ ? variables_->scope()->original_name_scope : layer_.name();
  names_ = std::make_unique<Inside>(here(at).named(prefix));
  infer_dtype();
  outer_ = std::exchange(innermost, this);
}

void Calling::collect_masks() {
  std::vector<Output>& masks = record_.arguments.masks;
  if (!masks.empty()) return;
  for (const Output& input : record_.inputs) masks.push_back(mask_of(input));
  if (std::ranges::none_of(masks, [](const Output& mask) { return bool(mask.node); }))
    masks.clear();
}

void Calling::infer_dtype() {
  if (layer_.built || layer_.dtype_ != DType::invalid || record_.inputs.empty()) return;
  layer_.dtype_ = base_type(record_.inputs[0].dtype());
}

std::vector<Output> Calling::end(const std::vector<Output>& outputs) {
  record_.outputs = outputs;
  const bool from_layers = std::ranges::all_of(
      record_.inputs, [](const Output& input) { return made_by(input).layer != nullptr; });
  if (from_layers && !record_.inputs.empty()) record_.outputs = layer_.record(record_);
  layer_.add_activity_losses(record_.outputs);
  const std::vector<Output> masks = layer_.compute_masks(record_.inputs, record_.arguments.masks);
  for (std::size_t i = 0; i < std::min(masks.size(), record_.outputs.size()); ++i)
    if (masks[i].node) set_mask(record_.outputs[i], masks[i]);
  ended_ = true;
  return record_.outputs;
}

Calling::~Calling() {
  innermost = outer_;
  names_.reset();
  variables_.reset();
  if (ended_ && layer_.style() == Style::kScoped && layer_.options_.collects_updates)
    collect_updates(layer_.updates());
}

}  // namespace rill::layers
