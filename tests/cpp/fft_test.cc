// Gradients of Fourier transforms. The transforms are linear, so a slope is a difference, exactly.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/grad/gradients.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class FftGradient : public testing::Test {
 protected:
  // The real part plus three times the imaginary part of a complex value, or a real value, each
  // element with a weight of its own, summed up.
  Output weighted_sum(Output y) {
    if (y.dtype() == DType::c64) {
      const Output real = scope_.add("Real", {y}, {{"Tout", DType::f32}}).output(0);
      const Output imag = scope_.add("Imag", {y}, {{"Tout", DType::f32}}).output(0);
      y = scope_.add("AddV2", {real, scope_.add("Mul", {imag, 3.0F}).output(0)}).output(0);
    }
    const Output flat = scope_.add("Reshape", {y, Tensor::vector<std::int32_t>({-1})}).output(0);
    const Output size = scope_.add("Size", {flat}).output(0);
    const Output places = scope_.add("Range", {0, size, 1}).output(0);
    const Output numbers = scope_.add("Cast", {places}, {{"DstT", DType::f32}}).output(0);
    const Output weights = scope_.add("Sin", {numbers}).output(0);
    const Output weighted = scope_.add("Mul", {flat, weights}).output(0);
    return scope_.add("Sum", {weighted, Tensor::vector<std::int32_t>({0})}).output(0);
  }

  std::vector<float> run(const Output& fetch, const Output& x, const Tensor& value) {
    const Feed feed{x, value};
    const std::vector<Tensor> out = Session(graph_).run({&feed, 1}, {&fetch, 1});
    const auto flat = out[0].flat<float>();
    return {flat.begin(), flat.end()};
  }

  // `transform` makes the op of a tensor of floats of that shape.
  void check(const Shape& shape, const std::function<Output(Output)>& transform) {
    const Output x = scope_.add("Placeholder", {}, {{"dtype", DType::f32}}).output(0);
    const Output y = weighted_sum(transform(x));
    const Output dx = gradients(scope_, {&y, 1}, {&x, 1})[0].dense();
    Tensor value = Tensor::zeros(DType::f32, shape);
    const std::vector<float> slopes = run(dx, x, value);
    ASSERT_EQ(static_cast<std::int64_t>(slopes.size()), value.element_count());
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      Tensor unit = Tensor::zeros(DType::f32, shape);
      unit.data<float>()[i] = 1;
      EXPECT_NEAR(slopes[i], run(y, x, unit)[0], 1e-4) << i << " of " << y.node->name();
    }
  }

  Output complex(Output parts) {  // [2, ...] to [...]
    Node& both = scope_.add("Unpack", {parts}, {{"num", 2}, {"axis", 0}});
    return scope_.add("Complex", {both.output(0), both.output(1)}).output(0);
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

TEST_F(FftGradient, complex_transforms) {
  for (const char* op : {"FFT", "IFFT", "FFT2D", "IFFT2D", "FFT3D", "IFFT3D"})
    check({2, 2, 3, 4}, [&](Output x) { return scope_.add(op, {complex(x)}).output(0); });
}

TEST_F(FftGradient, real_transforms) {
  for (const std::int32_t last : {6, 5, 4}) {
    check({2, 4, 6}, [&](Output x) {
      return scope_.add("RFFT", {x, Tensor::vector<std::int32_t>({last})}).output(0);
    });
    check({2, 4, 6}, [&](Output x) {
      return scope_.add("RFFT2D", {x, Tensor::vector<std::int32_t>({3, last})}).output(0);
    });
  }
}

TEST_F(FftGradient, transforms_back_to_real_numbers) {
  for (const std::int32_t last : {6, 5, 4, 1}) {
    check({2, 2, 3, 4}, [&](Output x) {
      return scope_.add("IRFFT", {complex(x), Tensor::vector<std::int32_t>({last})}).output(0);
    });
    check({2, 2, 3, 4}, [&](Output x) {
      return scope_.add("IRFFT2D", {complex(x), Tensor::vector<std::int32_t>({2, last})}).output(0);
    });
  }
}

// The gradient's gradient: of the sum of squares of dx by the incoming gradient.
TEST_F(FftGradient, gradients_have_gradients) {
  const Output x = scope_.add("Placeholder", {}, {{"dtype", DType::f32}}).output(0);
  const Output y = scope_.add("RFFT", {x, Tensor::vector<std::int32_t>({6})}).output(0);
  const Output power = weighted_sum(scope_.add("Mul", {y, y}).output(0));
  const Output dx = gradients(scope_, {&power, 1}, {&x, 1})[0].dense();
  const Output slope = weighted_sum(dx);
  const Output ddx = gradients(scope_, {&slope, 1}, {&x, 1})[0].dense();
  const Tensor zero = Tensor::zeros(DType::f32, {6});
  const std::vector<float> second = run(ddx, x, zero);
  for (std::size_t i = 0; i < second.size(); ++i) {
    Tensor unit = Tensor::zeros(DType::f32, {6});
    unit.data<float>()[i] = 1;
    EXPECT_NEAR(second[i], run(slope, x, unit)[0], 1e-3) << i;
  }
}

}  // namespace
}  // namespace rill
