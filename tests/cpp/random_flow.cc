// Blocks in loops, branches and recurrent networks, on other devices, and that wait.
#include "tests/cpp/random_program.h"

#include <optional>

namespace rill {

using random_parts::ints;

// A variable that the step reads, changes and reads again, in an order that the graph states.
Output RandomProgram::counted(const Output& x) {
  story_ += " counted";
  changes_variables_ = true;
  const std::int64_t n = width(x);
  const Shape shape = one_in(2) ? Shape{} : Shape{n};
  const Variable v = variable(shape, -1, 1, false);
  const Output before = raw::Mul(x, one_in(2) ? v.value() : v.read_value());
  const Output more =
      one_in(2) ? constant(noise(shape)) : raw::Tanh(raw::Mul(v.value(), number(0.5)));
  Node* const first[] = {before.node, more.node};
  Node* changed = nullptr;
  {
    const ControlDependencies after(first);
    changed = one_in(2) ? &v.assign_add_op(more) : &v.assign_op(more);
  }
  Node* const then[] = {changed};
  const ControlDependencies after(then);
  const Output y = raw::AddV2(raw::Mul(x, v.read_value()), raw::Tanh(before));
  return known(y, n);
}

// Reads and writes of two variables, of which only those wait for each other whose order counts,
// and values that wait for others without need.
Output RandomProgram::acted(const Output& x) {
  if (rows_ == 0) return counted(x);
  story_ += " acted";
  changes_variables_ = true;
  const std::int64_t n = width(x);
  struct Kept {
    Variable v;
    Node* write = nullptr;
    std::vector<Node*> reads;
  };
  std::vector<Kept> all;
  for (int i = 0; i < 2; ++i) all.push_back({variable({n}, -1, 1, false), nullptr, {}});
  std::vector<Output> values{x};
  const int statements = 3 + below(6);
  for (int i = 0; i < statements; ++i) {
    Kept& one = all[static_cast<std::size_t>(below(2))];
    const bool reads = one_in(2);
    std::vector<Node*> waits;
    if (one.write != nullptr) waits.push_back(one.write);
    if (!reads) waits.insert(waits.end(), one.reads.begin(), one.reads.end());
    if (one_in(2)) waits.push_back(any_of(values).node);
    if (waits.empty()) waits.push_back(x.node);
    const Output from = any_of(values);
    const ControlDependencies after(waits);
    if (reads) {
      const bool first = one.write == nullptr && one_in(2);
      const Output product = raw::Mul(from, first ? one.v.value() : one.v.read_value());
      one.reads.push_back(product.node);
      values.push_back(one_in(2) ? raw::Tanh(product) : raw::Sub(raw::Sin(product), from));
    } else {
      const Output mean = raw::Mean(from, ints({0}));
      one.write = one_in(2)   ? &one.v.assign_op(raw::Tanh(mean))
                  : one_in(2) ? &one.v.assign_add_op(mean)
                              : &one.v.assign_sub_op(mean);
      one.reads.clear();
    }
  }
  std::vector<Node*> last{x.node};
  for (const Kept& one : all)
    if (one.write != nullptr) last.push_back(one.write);
  const ControlDependencies after(last);
  Output sum = raw::Identity(values.back());
  for (const Output& value : values)
    if (one_in(2)) sum = raw::AddV2(sum, raw::Tanh(value));
  return known(sum, n);
}

Output RandomProgram::looped(const Output& x) {
  story_ += " [loop";
  const std::int64_t n = width(x);
  ++depth_in_flow_;
  const auto made =
      while_loop([](const std::vector<Output>& v) { return raw::Less(v[0], 2); },
                 [&](const std::vector<Output>& v) {
                   Output y = known(v[1], n);
                   const int blocks = 1 + below(2);
                   for (int i = 0; i < blocks; ++i) y = block(y, 2);
                   if (width(y) != n) y = raw::MatMul(y, noise({width(y), n}));
                   y = raw::Tanh(y);
                   return std::vector<Output>{raw::Add(v[0], 1), raw::Reshape(y, raw::Shape(v[1]))};
                 },
                 {raw::Identity(Tensor::scalar(0)), raw::EnsureShape(x, PartialShape{-1, n})});
  --depth_in_flow_;
  story_ += "]";
  return known(made[1], n);
}

// A loop that begins with zeros and adds up what is computed outside of it, and is used there too.
Output RandomProgram::summed(const Output& x) {
  story_ += " [sum]";
  const std::int64_t n = width(x);
  const Output added = raw::Tanh(raw::Mul(x, operand(x)));
  const Output more = raw::Neg(raw::Exp(raw::Neg(raw::Square(added))));
  const bool keeps = one_in(2);
  const auto made = while_loop(
      [](const std::vector<Output>& v) { return raw::Less(v[0], 3); },
      [&](const std::vector<Output>& v) {
        const Output one = raw::Sum(keeps ? added : more, ints({0, 1}));
        const Output next = keeps ? raw::AddV2(v[1], one) : raw::Tanh(raw::AddV2(one, v[1]));
        return std::vector<Output>{raw::Add(v[0], 1), raw::Reshape(next, Tensor(DType::i32, {0}))};
      },
      {raw::Identity(Tensor::scalar(0)), constant(noise({}, 0, 0))});
  const Output y = raw::Tanh(raw::Mul(made[1], more));
  return known(raw::AddV2(y, one_in(2) ? added : x), n);
}

// tf.nn.dynamic_rnn of three steps.
Output RandomProgram::recurrent(const Output& x) {
  if (dtype_ == DType::f16 || rows_ == 0) return chain(x);
  const std::int64_t n = width(x), depth = any_of<std::int64_t>({1, 2, 4}), cells = 3;
  const int kind = below(3);
  story_ += str_cat(" recurrent", kind);
  const Output steps = raw::Reshape(raw::MatMul(x, weight({n, 3 * depth})),
                                    ints({-1, 3, static_cast<std::int32_t>(depth)}));
  OptionalInput lengths;
  if (one_in(2)) {
    Tensor given(DType::i32, {rows_});
    for (std::int32_t& length : given.flat<std::int32_t>()) length = below(4);
    lengths = Input(given);
  }
  const VariableScopeBlock scope(str_cat("rnn", graph_->node_count()));
  const nn::DynamicRnnOptions how{.sequence_length = lengths, .dtype = dtype_};
  nn::rnn_cell::LSTMCell lstm(cells);
  nn::rnn_cell::GRUCell gru(cells);
  nn::rnn_cell::BasicRNNCell plain(cells);
  const auto made = kind == 0   ? nn::dynamic_rnn(lstm, steps, how)
                    : kind == 1 ? nn::dynamic_rnn(gru, steps, how)
                                : nn::dynamic_rnn(plain, steps, how);
  const Output last = made.state.back();
  if (one_in(2)) return known(last, cells);
  return known(raw::AddV2(last, raw::Mean(made.output(), ints({1}))), cells);
}

// A block on another device.
Output RandomProgram::elsewhere(const Output& x, int depth) {
  story_ += " {";
  const DeviceScope device("/cpu:1");
  const Output y = block(x, depth + 1);
  story_ += "}";
  return y;
}

Output RandomProgram::branched(const Output& x) {
  story_ += " [cond";
  const std::int64_t n = width(x);
  const Output which = raw::Placeholder(DType::boolean, {.shape = PartialShape{}});
  feeds.push_back({which, Tensor::scalar(one_in(2))});
  ++depth_in_flow_;
  const auto branch = [&] {
    Output y = block(x, 2);
    if (width(y) != n) y = raw::MatMul(y, noise({width(y), n}));
    return std::vector<Output>{raw::Tanh(y)};
  };
  const auto made = cond(which, branch, branch);
  --depth_in_flow_;
  story_ += "]";
  return known(made[0], n);
}

// A block whose nodes all wait for one of the nodes before.
Output RandomProgram::waiting(const Output& x, int depth) {
  story_ += " (waiting";
  Node* const wait[] = {one_in(3) ? &variable({}, -1, 1, false).assign_add_op(number(1))
                                  : any_of(outside_)};
  const ControlDependencies after(wait);
  const Output y = block(x, depth + 1);
  story_ += ")";
  return y;
}

}  // namespace rill
