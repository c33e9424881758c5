// Layers, activations, cells and images.
#include "tests/cpp/random_program.h"

#include <cmath>

namespace rill {

using random_parts::axis;
using random_parts::converted;
using random_parts::ints;

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

}  // namespace rill
