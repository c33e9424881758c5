#include "rill/api/keras/stacked_cells.h"

#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/operators.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace layers {
namespace {

LayerOptions owned(const std::string& name) {
  LayerOptions options;
  options.name = name;
  options.style = rill::layers::Style::kOwned;
  return options;
}

}  // namespace

StackedCells::StackedCells(LayerOptions options, std::vector<CellRef> cells)
    : Cell("StackedRNNCells", std::move(options)), cells_(std::move(cells)) {
  require(!cells_.empty(), "StackedRNNCells needs a cell");
  for (const CellRef& cell : cells_) {
    require(cell != nullptr, "StackedRNNCells got an empty cell");
    add_layer(cell);
  }
}

void StackedCells::build_all(const std::vector<PartialShape>& inputs) {
  PartialShape shape = inputs.at(0);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const NameScope named(str_cat("cell_", i));
    if (!cells_[i]->built) cells_[i]->build_all({shape});
    cells_[i]->built = true;
    shape = PartialShape({shape.dim(0), cells_[i]->state_sizes().at(0)});
  }
}

std::vector<std::int64_t> StackedCells::state_sizes() const {
  std::vector<std::int64_t> all;
  for (const CellRef& cell : cells_)
    for (const std::int64_t size : cell->state_sizes()) all.push_back(size);
  return all;
}

std::vector<Output> StackedCells::call_all(const std::vector<Output>& inputs,
                                           const CallArguments& arguments) {
  require(inputs.size() == 1 + state_sizes().size(), "the cells ", name(), " take an input and ",
          state_sizes().size(), " states, not ", inputs.size(), " tensors");
  Output x = inputs[0];
  std::vector<Output> states;
  auto next = inputs.begin() + 1;
  for (const CellRef& cell : cells_) {
    const auto count = std::ssize(cell->state_sizes());
    std::vector<Output> given{x};
    given.insert(given.end(), next, next + count);
    next += count;
    const std::vector<Output> made = cell->call_all(given, arguments);
    x = made.at(0);
    states.insert(states.end(), made.begin() + 1, made.end());
  }
  states.insert(states.begin(), x);
  return states;
}

backend::StepResult StackedCells::step(Output x, const std::vector<Output>& states) {
  std::vector<Output> given{x};
  given.insert(given.end(), states.begin(), states.end());
  const std::vector<Output> made = call_all(given, {});
  return {made.at(0), {made.begin() + 1, made.end()}};
}

CellRef StackedRNNCells(const std::vector<CellRef>& cells, const std::string& name) {
  return std::make_shared<StackedCells>(owned(name), cells);
}

namespace {

LayerOptions wrapping(LayerOptions options) {
  options.style = rill::layers::Style::kOwned;
  return options;
}

}  // namespace

Wrapper::Wrapper(std::string class_name, const LayerRef& layer, LayerOptions options)
    : KerasLayer(std::move(class_name), wrapping(std::move(options))), layer_(layer) {
  require(layer.layer != nullptr, "a wrapper needs a layer");
  add_layer(layer.layer);
}

void Wrapper::build_all(const std::vector<PartialShape>& inputs) {
  if (!layer_->built) layer_->build_all(inputs);
  layer_->built = true;
}

}  // namespace layers

namespace experimental {

PeepholeLSTMCell::PeepholeLSTMCell(std::int64_t units, const LayerArguments& arguments)
    : LSTMCell("PeepholeLSTMCell", layers::owned(arguments.name)) {
  s = layers::make_cell("LSTMCell", units, arguments)->s;
}

void PeepholeLSTMCell::build_all(const std::vector<PartialShape>& inputs) {
  LSTMCell::build_all(inputs);
  const WeightRule like_kernel{s.kernel.initializer, {}, {}};
  input_gate_ = add("input_gate_peephole_weights", {s.units}, like_kernel);
  forget_gate_ = add("forget_gate_peephole_weights", {s.units}, like_kernel);
  output_gate_ = add("output_gate_peephole_weights", {s.units}, like_kernel);
}

backend::StepResult PeepholeLSTMCell::step(Output x, const std::vector<Output>& states) {
  const Output before = states.at(1);
  Output z = backend::dot(x, kernel) + backend::dot(states.at(0), recurrent_kernel);
  if (bias) z = backend::bias_add(z, bias);
  const Output in = gated(gate(z, 0) + as_tensor(input_gate_) * before);
  const Output forget = gated(gate(z, 1) + as_tensor(forget_gate_) * before);
  const Output c = forget * before + in * activated(gate(z, 2));
  const Output out = gated(gate(z, 3) + as_tensor(output_gate_) * c);
  const Output h = out * activated(c);
  return {h, {h, c}};
}

}  // namespace experimental
}  // namespace rill::keras
