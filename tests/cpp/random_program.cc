#include "tests/cpp/random_program.h"

#include <algorithm>
#include <cmath>

#include "rill/graph/random_seed.h"

namespace rill {
namespace {

Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
Tensor axis(std::int32_t value) { return Tensor::scalar(value); }

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

}  // namespace

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

// --- values -------------------------------------------------------------------------------------

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
  const Variable v = variable(shape, low, high, true);
  sources_.push_back(v.value());
  if (one_in(4)) return v.is_resource() ? v.read_value() : v.value();
  return sources_.back();
}

// --- blocks -------------------------------------------------------------------------------------

Output RandomProgram::block(const Output& x, int depth) {
  const bool flow = depth_in_flow_ > 0;
  switch (below(flow || depth > 1 ? 11 : 21)) {
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
    default:
      return waiting(x, depth);
  }
}

Output RandomProgram::activated(const Output& x) {
  switch (below(9)) {
    case 0:
      return raw::Relu(x);
    case 1:
      return raw::Relu6(x);
    case 2:
      return raw::Tanh(x);
    case 3:
      return raw::Sigmoid(x);
    case 4:
      return raw::Elu(x);
    case 5:
      return raw::LeakyRelu(x, {.alpha = 0.3f});
    case 6:
      return raw::Softplus(x);
    case 7:
      return raw::Selu(x);
    default:
      return x;
  }
}

Output RandomProgram::dense(const Output& x, std::int64_t columns) {
  story_ += " dense";
  const std::int64_t n = width(x);
  const bool turned = one_in(4);
  const Output w = weight(turned ? Shape{columns, n} : Shape{n, columns});
  Output y = raw::MatMul(x, w, {.transpose_b = turned});
  if (one_in(4)) {  // as tf.tensordot does
    const Output flat =
        raw::Reshape(raw::Transpose(x, ints({0, 1})), ints({-1, static_cast<std::int32_t>(n)}));
    y = raw::Reshape(raw::MatMul(flat, w, {.transpose_b = turned}),
                     ints({-1, static_cast<std::int32_t>(columns)}));
  }
  const Output product = y;
  switch (below(6)) {
    case 0:
      y = raw::BiasAdd(y, weight({columns}));
      break;
    case 1:
      y = raw::AddV2(y, weight({columns}));
      break;
    case 2:
      y = raw::Add(weight({columns}), y);
      break;
    case 3:
      y = raw::AddV2(y, weight(one_in(2) ? Shape{} : Shape{1, columns}));
      break;
    case 4:
      y = raw::Mul(y, weight({columns}, 0.5, 1.5));
      break;
    default:
      break;
  }
  if (one_in(4)) y = raw::AddV2(y, one_in(2) ? product : raw::Sub(y, weight({columns})));
  if (n == columns && one_in(2)) y = one_in(2) ? raw::AddV2(y, x) : raw::Add(x, y);
  return known(activated(y), columns);
}

Output RandomProgram::layer_norm(const Output& x) {
  story_ += " layer_norm";
  const std::int64_t n = width(x);
  const auto mean = [&](const Output& of) {
    return raw::Mean(of, ints({-1}), {.keep_dims = true});
  };
  const Output gamma = weight({n}, 0.5, 1.5), beta = weight({n}), eps = constant(number(1e-2));
  const Output m = mean(x);
  const int form = below(4);
  if (form == 0) {
    const Output variance = mean(raw::SquaredDifference(x, raw::StopGradient(m)));
    const Output factor = raw::Mul(raw::Rsqrt(raw::AddV2(variance, eps)), gamma);
    return known(raw::AddV2(raw::Mul(x, factor), raw::Sub(beta, raw::Mul(m, factor))), n);
  }
  const Output centred = raw::Sub(x, m);
  const Output variance = mean(form == 1   ? raw::SquaredDifference(x, m)
                               : one_in(2) ? raw::Square(centred)
                                           : raw::Mul(centred, centred));
  const Output deviation = raw::AddV2(variance, eps);
  const Output normal = form == 2 ? raw::RealDiv(centred, raw::Sqrt(deviation))
                                  : raw::Mul(centred, raw::Rsqrt(deviation));
  return known(raw::AddV2(one_in(2) ? raw::Mul(normal, gamma) : raw::Mul(gamma, normal), beta), n);
}

Output RandomProgram::gelu(const Output& x) {
  story_ += " gelu";
  const std::int64_t n = width(x);
  const int form = below(3);
  Output inner;
  if (form == 0) {
    inner = raw::Erf(raw::RealDiv(x, number(one_in(8) ? 1.4142 : std::sqrt(2.0))));
  } else {
    const Output cube = form == 1 ? raw::Pow(x, number(3)) : raw::Mul(x, raw::Square(x));
    const Output sum = raw::AddV2(x, raw::Mul(number(0.044715), cube));
    inner = raw::Tanh(raw::Mul(sum, number(one_in(8) ? 0.7979 : std::sqrt(2 / M_PI))));
  }
  const Output factor = raw::AddV2(number(1), inner);
  const Output y = one_in(2) ? raw::Mul(x, raw::Mul(number(0.5), factor))
                             : raw::Mul(raw::Mul(number(0.5), x), factor);
  return known(y, n);
}

Output RandomProgram::softmax(const Output& x) {
  story_ += " softmax";
  const std::int64_t n = width(x);
  Output y = x;
  if (one_in(2)) y = one_in(2) ? raw::Mul(y, number(0.3)) : raw::RealDiv(y, number(3));
  if (one_in(2)) y = raw::AddV2(y, operand(y.node == x.node ? x : known(y, n)));
  y = raw::Softmax(y);
  if (one_in(3)) y = raw::Mul(y, number(2));
  return known(y, n);
}

// Something of another shape that may stand beside x.
Output RandomProgram::operand(const Output& x) {
  const std::int64_t n = width(x);
  switch (below(6)) {
    case 0:
      return constant(number(0.7));
    case 1:
      return weight({n});
    case 2:
      return raw::Mean(x, ints({1}), {.keep_dims = true});
    case 3:
      return weight({1, 1});
    case 4:
      return weight({});
    default:
      return x;
  }
}

Output RandomProgram::chain(const Output& x) {
  story_ += " chain";
  const std::int64_t n = width(x);
  std::vector<Output> made{x};
  const int length = 2 + below(6);
  for (int i = 0; i < length; ++i) {
    const Output a = one_in(3) ? any_of(made) : made.back();
    const Output b = one_in(2) ? any_of(made) : operand(x);
    Output y;
    switch (below(12)) {
      case 0:
        y = raw::AddV2(a, b);
        break;
      case 1:
        y = raw::Sub(b, a);
        break;
      case 2:
        y = raw::Mul(a, b);
        break;
      case 3:
        y = raw::RealDiv(a, raw::AddV2(raw::Square(b), number(1)));
        break;
      case 4:
        y = raw::Maximum(a, b);
        break;
      case 5:
        y = raw::Tanh(a);
        break;
      case 6:
        y = raw::Sigmoid(a);
        break;
      case 7:
        y = raw::Neg(a);
        break;
      case 8:
        y = raw::SquaredDifference(a, b);
        break;
      case 9:
        y = raw::Exp(raw::Neg(raw::Square(a)));
        break;
      case 10:
        y = raw::Log1p(raw::Square(a));
        break;
      default:
        y = raw::Minimum(raw::Abs(a), b);
        break;
    }
    made.push_back(raw::Tanh(y));
  }
  return known(raw::AddV2(made.back(), one_in(2) ? x : any_of(made)), n);
}

Output RandomProgram::lstm(const Output& x) {
  story_ += " lstm";
  const std::int64_t n = width(x), cells = any_of<std::int64_t>({1, 3, 4, 8});
  const auto state = [&](std::int64_t seed) -> Output {
    if (depth_in_flow_ == 0 && one_in(2)) return input({rows_, cells});
    if (one_in(3) && rows_ > 0) return constant(noise({one_in(2) ? 1 : rows_, cells}));
    return known(raw::Tanh(raw::MatMul(x, noise({n, cells}))), seed);
  };
  Output c = state(cells), h = depth_in_flow_ == 0 && one_in(2)
                                   ? input({rows_, cells})
                                   : known(raw::Tanh(raw::MatMul(x, noise({n, cells}))), cells);
  const Output w = weight({n + cells, 4 * cells}), b = weight({4 * cells});
  const int steps = 1 + below(3);
  Output gate;
  for (int i = 0; i < steps; ++i) {
    const Output both = raw::ConcatV2({x, h}, axis(1));
    const auto parts = raw::Split(axis(1), raw::BiasAdd(raw::MatMul(both, w), b), 4);
    const Output f = raw::Sigmoid(raw::Add(parts[2], number(1)));
    gate = raw::Sigmoid(parts[0]);
    c = raw::Add(raw::Mul(c, f), raw::Mul(gate, raw::Tanh(parts[1])));
    h = raw::Mul(raw::Tanh(c), raw::Sigmoid(parts[3]));
  }
  return known(one_in(4) ? raw::AddV2(h, gate) : one_in(3) ? raw::AddV2(h, c) : h, cells);
}

Output RandomProgram::gru(const Output& x) {
  story_ += " gru";
  const std::int64_t n = width(x), cells = any_of<std::int64_t>({1, 3, 4, 8});
  Output h = depth_in_flow_ == 0 && one_in(2) ? input({rows_, cells})
                                              : raw::Tanh(raw::MatMul(x, noise({n, cells})));
  const Output w = weight({n + cells, 2 * cells}), b = weight({2 * cells});
  const Output v = weight({n + cells, cells}), d = weight({cells});
  const int steps = 1 + below(3);
  for (int i = 0; i < steps; ++i) {
    const Output both = raw::ConcatV2({x, h}, axis(1));
    const auto parts = raw::Split(axis(1), raw::Sigmoid(raw::BiasAdd(raw::MatMul(both, w), b)), 2);
    const Output reset = raw::ConcatV2({x, raw::Mul(parts[0], h)}, axis(1));
    const Output made = raw::Tanh(raw::BiasAdd(raw::MatMul(reset, v), d));
    h = raw::Add(raw::Mul(parts[1], h), raw::Mul(raw::Sub(number(1), parts[1]), made));
  }
  return known(h, cells);
}

Output RandomProgram::convolved(const Output& image, std::int64_t channels) {
  const std::int64_t in = image.shape().dim(3);
  const std::int64_t size = any_of<std::int64_t>({1, 2, 3, 3});
  const std::string padding = one_in(3) && size < 3 ? "VALID" : "SAME";
  Output y;
  if (one_in(4)) {
    y = raw::DepthwiseConv2dNative(image, weight({size, size, in, 1}), {1, 1, 1, 1}, padding);
    channels = in;
  } else {
    const std::int64_t stride = one_in(3) ? 2 : 1;
    y = raw::Conv2D(image, weight({size, size, in, channels}), {1, stride, stride, 1}, padding);
  }
  const Output plain = y;
  switch (below(6)) {
    case 0:
      y = raw::BiasAdd(y, weight({channels}));
      break;
    case 1:
    case 2: {
      const bool training = one_in(2);
      // A statistic of float goes with images of half, too.
      const Tensor none(DType::f32, {0});
      const auto statistic = [&](double low, double high) -> Output {
        if (dtype_ == DType::f16) {
          std::uniform_real_distribution<double> uniform(low, high);
          return constant(converted(DType::f32, {channels}, [&] { return uniform(numbers_); }));
        }
        return weight({channels}, low, high);
      };
      if (dtype_ == DType::f64) {
        y = raw::Mul(y, weight({channels}, 0.5, 1.5));
        break;
      }
      y = raw::FusedBatchNormV3(y, statistic(0.5, 1.5), statistic(-0.5, 0.5),
                                training ? constant(none) : statistic(-0.5, 0.5),
                                training ? constant(none) : statistic(0.5, 1.5),
                                {.epsilon = 0.01f, .is_training = training})
              .y;
      break;
    }
    case 3:
      y = raw::AddV2(raw::Mul(y, weight({channels}, 0.5, 1.5)), weight({channels}));
      break;
    default:
      break;
  }
  if (one_in(3)) y = one_in(2) ? raw::AddV2(y, plain) : raw::Add(raw::Tanh(plain), y);
  if (in == channels && one_in(2) && plain.shape().is_compatible(image.shape()) &&
      plain.shape().dim(1) == image.shape().dim(1) && plain.shape().dim(1) > 0)
    y = raw::AddV2(image, y);
  return activated(y);
}

Output RandomProgram::images(const Output& x) {
  story_ += " images";
  const std::int64_t n = width(x), side = any_of<std::int64_t>({2, 3, 4, 5});
  const std::int64_t in = any_of<std::int64_t>({1, 2, 3});
  // A picture for each row.
  Output y = raw::MatMul(x, weight({n, side * side * in}));
  y = raw::Reshape(
      y, ints({static_cast<std::int32_t>(rows_ == 0 ? 0 : -1), static_cast<std::int32_t>(side),
               static_cast<std::int32_t>(side), static_cast<std::int32_t>(in)}));
  const int layers = 1 + below(3);
  for (int i = 0; i < layers; ++i) {
    if (y.shape().dim(1) > 1 && one_in(4)) {
      const std::vector<std::int64_t> window{1, 2, 2, 1};
      y = one_in(2) ? raw::MaxPool(y, window, window, one_in(2) ? "SAME" : "VALID")
                    : raw::AvgPool(y, window, window, "SAME");
      continue;
    }
    if (y.shape().dim(1) < 2) break;
    y = convolved(y, any_of<std::int64_t>({1, 2, 4, 5}));
  }
  const std::int64_t channels = y.shape().dim(3);
  return known(raw::Mean(y, ints({1, 2})), channels);
}

Output RandomProgram::turned(const Output& x) {
  story_ += " turned";
  const std::int64_t n = width(x);
  Output y = raw::Transpose(x, one_in(2) ? ints({0, 1}) : ints({1, 0}));
  if (y.node->input(1).node != nullptr && one_in(2)) y = activated(y);
  const Output back = raw::Transpose(raw::Transpose(x, ints({1, 0})), ints({1, 0}));
  const Output same = raw::Transpose(x, ints({0, 1}));
  return known(raw::AddV2(raw::Mul(same, number(0.5)), raw::Tanh(back)), n);
}

// Three dimensions, as attention has them.
Output RandomProgram::stacked(const Output& x) {
  story_ += " stacked";
  const std::int64_t n = width(x), heads = 2, size = any_of<std::int64_t>({1, 2, 3, 4});
  const auto part = [&] {
    return raw::Reshape(
        raw::MatMul(x, weight({n, heads * size})),
        ints({-1, static_cast<std::int32_t>(heads), static_cast<std::int32_t>(size)}));
  };
  if (rows_ == 0) return known(raw::MatMul(x, weight({n, size})), size);
  const Output q = raw::Transpose(part(), ints({1, 0, 2})),
               k = raw::Transpose(part(), ints({1, 0, 2}));
  const Output v = raw::Transpose(part(), ints({1, 0, 2}));
  Output scores = raw::BatchMatMulV2(q, k, {.adj_y = true});
  if (!one_in(3)) scores = raw::Mul(scores, number(1 / std::sqrt(static_cast<double>(size))));
  if (one_in(2))
    scores = raw::AddV2(scores, raw::Reshape(raw::Sum(x, ints({1})), ints({1, 1, -1})));
  const Output seen = raw::BatchMatMulV2(raw::Softmax(scores), v);
  const Output flat = raw::Reshape(raw::Transpose(seen, ints({1, 0, 2})),
                                   ints({-1, static_cast<std::int32_t>(heads * size)}));
  return known(flat, heads * size);
}

// Rows of a table, which have gradients of rows.
Output RandomProgram::looked_up(const Output& x) {
  story_ += " looked_up";
  const std::int64_t n = width(x);
  const Output table = weight({7, n});
  Tensor ids(DType::i32, {rows_});
  for (std::int32_t& id : ids.flat<std::int32_t>()) id = below(7);
  const Output places = raw::Placeholder(DType::i32, {.shape = PartialShape{-1}});
  feeds.push_back({places, ids});
  return known(raw::AddV2(raw::GatherV2(table, places, axis(0)), x), n);
}

// A variable that the step reads, changes and reads again, in an order that the graph states.
Output RandomProgram::counted(const Output& x) {
  story_ += " counted";
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
  std::optional<Input> lengths;
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

void RandomProgram::train(const Output& loss) {
  if (states.empty() || dtype_ == DType::f16) return;
  std::vector<Variable> trained = trainable_variables();
  if (trained.empty()) return;
  const int kind = below(5);
  story_ += str_cat(" trained ", kind);
  const train::MinimizeOptions how{
      .gate_gradients = any_of<train::GateGradients>(
          {train::GateGradients::kNone, train::GateGradients::kOp, train::GateGradients::kGraph})};
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

// --- what disturbs ------------------------------------------------------------------------------

std::set<const Node*> RandomProgram::needed_for_last() const {
  std::set<const Node*> found;
  std::vector<const Node*> open{last_.node};
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
  const std::set<const Node*> before_updates = needed_for_last();
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
