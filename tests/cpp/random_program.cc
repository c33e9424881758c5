#include "tests/cpp/random_program.h"

#include <algorithm>
#include <cmath>

#include "rill/graph/random_seed.h"

namespace rill {

using random_parts::converted;
using random_parts::ints;

namespace random_parts {

Tensor converted(DType dtype, const Shape& shape, const std::function<double()>& next) {
  Tensor t(dtype, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double value = next();
    if (dtype == DType::f64) t.data<double>()[i] = value;
    if (dtype == DType::f32) t.data<float>()[i] = static_cast<float>(value);
    if (dtype == DType::f16) t.data<half>()[i] = half(static_cast<float>(value));
  }
  return t;
}

}  // namespace random_parts

RandomProgram::RandomProgram(unsigned seed) : numbers_(seed) {
  for (int i = 0; i < 20; ++i) numbers_();
  set_graph_seed(*graph_, 1 + seed);
  const int type = below(10);
  dtype_ = type == 0 ? DType::f64 : type == 1 ? DType::f16 : DType::f32;
  rows_ = any_of<std::int64_t>({0, 1, 1, 2, 3, 3, 4, 5, 8, 17});
  story_ = str_cat(seed, ": ", dtype_, " ", rows_, " rows:");
  Output x = input({rows_, any_of<std::int64_t>({1, 2, 3, 4, 6, 8, 12, 16, 24})}, true);
  sources_.push_back(x);
  const int blocks = 1 + below(4);
  std::vector<Output> earlier;
  for (int i = 0; i < blocks; ++i) {
    outside_.push_back(x.node);
    const int before = graph_->node_count();
    const std::size_t story = story_.size();
    x = block(x, 0);
    // A skip to an earlier value of the same width.
    if (!earlier.empty() && one_in(3))
      if (const Output from = any_of(earlier); width(from) == width(x))
        x = known(raw::AddV2(x, from), width(x));
    earlier.push_back(x);
    if (story_.find_first_of("[r", story) != story_.npos) continue;
    for (int node = before; node < graph_->node_count(); ++node)
      if (graph_->node(node).output_count() > 0) outside_.push_back(&graph_->node(node));
  }
  last_ = x;
  fetches.push_back(x);
  const Output loss = one_in(3) ? raw::Sum(raw::Mul(x, raw::Sin(x)), ints({0, 1}))
                                : raw::L2Loss(raw::Mul(x, raw::Sin(x)));
  if (one_in(2)) {
    train(loss);
  } else if (!one_in(3)) {
    story_ += " gradients";
    for (const Gradient& g : gradients({loss}, sources_))
      if (!g.empty()) fetches.push_back(g.is_slices() ? g.slices().values : g.dense());
  }
  for (const Variable& v : global_variables())
    if (std::ranges::none_of(states, [&](const State& s) { return s.set == &v.initializer(); }))
      states.push_back({&v.initializer(), {}, v.read_value(), {}});
}

Tensor RandomProgram::noise(const Shape& shape, double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  return converted(dtype_, shape, [&] { return uniform(numbers_); });
}

Tensor RandomProgram::number(double value) {
  return converted(dtype_, {}, [&] { return value; });
}

Output RandomProgram::known(const Output& x, std::int64_t columns) {
  widths_[key(x)] = columns;
  return x;
}

// What is fed: as the graph knows it, in part, or not at all.
Output RandomProgram::input(const Shape& shape, bool may_be_wrong) {
  PartialShape said;
  const int how = below(4);
  if (how == 0) said = PartialShape(shape);
  if (how == 1 || how == 2) {
    std::vector<std::int64_t> dims;
    for (int i = 0; i < shape.rank(); ++i) dims.push_back(shape.dim(i));
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (i == 0 || (how == 2 && one_in(3))) dims[i] = -1;
    said = PartialShape(dims);
  }
  const Output x = raw::Placeholder(dtype_, {.shape = said});
  Shape fed = shape;
  if (may_be_wrong && how == 3 && one_in(15)) {
    std::vector<std::int64_t> dims;
    for (int i = 0; i < shape.rank(); ++i) dims.push_back(shape.dim(i));
    dims.back() += 1;
    fed = Shape(dims);
    story_ += " wrong";
  }
  feeds.push_back({x, noise(fed, -2, 2)});
  return shape.rank() == 2 ? known(x, shape.dim(1)) : x;
}

Variable RandomProgram::variable(const Shape& shape, double low, double high, bool trainable) {
  const ControlDependencies none({});
  const Output start = raw::Placeholder(dtype_, {.shape = PartialShape(shape)});
  const Variable v(start, {.trainable = trainable, .use_resource = one_in(2)});
  states.push_back({&v.initializer(), start, v.read_value(), noise(shape, low, high)});
  return v;
}

Output RandomProgram::weight(const Shape& shape, double low, double high) {
  const int kind = depth_in_flow_ > 0 ? below(2) : below(6);
  if (kind == 0 || dtype_ == DType::f16) return constant(noise(shape, low, high));
  if (kind == 1 && depth_in_flow_ == 0) {
    const Output x = raw::Placeholder(dtype_, {.shape = PartialShape(shape)});
    feeds.push_back({x, noise(shape, low, high)});
    return x;
  }
  if (kind == 1) return constant(noise(shape, low, high));
  const bool again = one_in(4);  // the same variable in two places
  for (const auto& [other, of] : weights_)
    if (again && of == shape) return other;
  const Variable v = variable(shape, low, high, true);
  sources_.push_back(v.value());
  if (depth_in_flow_ == 0) weights_.emplace_back(sources_.back(), shape);
  if (one_in(4)) return v.is_resource() ? v.read_value() : v.value();
  return sources_.back();
}

Output RandomProgram::block(const Output& x, int depth) {
  const bool flow = depth_in_flow_ > 0;
  switch (below(flow || depth > 1 ? 11 : 23)) {
    case 0:
    case 1:
      return dense(x, any_of<std::int64_t>({1, 2, 3, 4, 6, 8, 16}));
    case 2:
      return layer_norm(x);
    case 3:
      return gelu(x);
    case 4:
      return softmax(x);
    case 5:
    case 6:
      return chain(x);
    case 7:
      return lstm(x);
    case 8:
      return gru(x);
    case 9:
      return turned(x);
    case 10:
      return stacked(x);
    case 11:
    case 12:
      return images(x);
    case 13:
      return looked_up(x);
    case 14:
      return counted(x);
    case 15:
      return looped(x);
    case 16:
      return branched(x);
    case 17:
      return summed(x);
    case 18:
      return recurrent(x);
    case 19:
      return elsewhere(x, depth);
    case 20:
    case 21:
      return acted(x);
    default:
      return waiting(x, depth);
  }
}

void RandomProgram::train(const Output& loss) {
  if (states.empty() || dtype_ == DType::f16) return;
  std::vector<Variable> trained = trainable_variables();
  if (trained.empty()) return;
  const int kind = below(5);
  story_ += str_cat(" trained ", kind);
  // Without gates an update may come before a gradient that reads the variable still.
  const train::MinimizeOptions how{.gate_gradients = one_in(2) ? train::GateGradients::kOp
                                                               : train::GateGradients::kGraph};
  const auto minimize = [&]() -> Node& {
    if (kind == 0) return train::GradientDescentOptimizer(0.05).minimize(loss, how);
    if (kind == 1) return train::MomentumOptimizer(0.05, 0.9).minimize(loss, how);
    if (kind == 2) return train::AdagradOptimizer(0.05).minimize(loss, how);
    if (kind == 3)
      return train::RMSPropOptimizer(0.01, {.momentum = 0.5, .epsilon = 1e-2}).minimize(loss, how);
    return train::AdamOptimizer(0.01, {.epsilon = 1e-2}).minimize(loss, how);
  };
  try {
    targets.push_back(&minimize());
  } catch (const Error& error) {
    if (error.message().find("No gradients provided") == std::string::npos) throw;
    return;
  }
  fetches = {loss};
}

std::set<const Node*> RandomProgram::needed_for(const Node* last) {
  std::set<const Node*> found;
  std::vector<const Node*> open{last};
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!found.insert(node).second) continue;
    for (int i = 0; i < node->input_count(); ++i) open.push_back(node->input(i).node);
  }
  return found;
}

void RandomProgram::disturb(
    const std::function<std::vector<Tensor>(const std::vector<Output>&)>& values_of) {
  std::vector<Output> all;
  for (int i = 0; i < graph_->node_count(); ++i) {
    Node& node = graph_->node(i);
    if (node.op().name == "Placeholder" || node.op().name == "Const") continue;
    for (int k = 0; k < node.output_count(); ++k)
      if (node.output_type(k) == dtype_) all.push_back(node.output(k));
  }
  if (all.empty()) return;
  const std::set<const Node*> before_updates = needed_for(last_.node);
  const auto candidate = [&]() -> Output {
    const Output value = any_of(all);
    try {
      values_of({value});
    } catch (const Error&) {
      return {};  // inside of a loop, or it has no value at all
    }
    return value;
  };
  const int looks = below(4);
  for (int i = 0; i < looks; ++i) {
    Output seen = candidate();
    if (seen.node == nullptr) continue;
    story_ += str_cat(" sees ", seen.name());
    // A read of a variable that the step changes happens before or after that, as it comes.
    const Op& op = seen.node->op();
    if (op.has(kForwards) || op.has(kIdentity) || op.name == "ReadVariableOp" ||
        (!targets.empty() && !before_updates.contains(seen.node)))
      continue;
    if (one_in(2)) seen = raw::Neg(raw::Square(seen));
    fetches.push_back(seen);
  }
  if (one_in(4)) {
    const Output fed = candidate();
    if (fed.node == nullptr) return;
    // A gradient that is fed opens the gate for the update of what others still read.
    if (!targets.empty() && !before_updates.contains(fed.node)) return;
    // What is made behind a wait waits for the write; what is fed in its place does not.
    if (changes_variables_ && std::ranges::any_of(needed_for(fed.node), [](const Node* node) {
          return !node->control_inputs().empty();
        }))
      return;
    Tensor value = values_of({fed})[0];
    const double by = std::uniform_real_distribution<double>(0.8, 1.2)(numbers_);
    const Tensor old = value;
    std::int64_t i = 0;
    value = converted(dtype_, old.shape(), [&]() -> double {
      const std::int64_t at = i++;
      if (dtype_ == DType::f64) return by * old.data<double>()[at];
      if (dtype_ == DType::f32) return by * static_cast<double>(old.data<float>()[at]);
      return by * static_cast<double>(static_cast<float>(old.data<half>()[at]));
    });
    story_ += str_cat(" feeds ", fed.name());
    feeds.push_back({fed, value});
  }
}

}  // namespace rill
