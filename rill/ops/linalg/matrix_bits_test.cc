// Batches of matrices have the same bits whatever the number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

// Symmetric and far from singular.
Tensor matrices(std::int64_t count, std::int64_t n) {
  Tensor t(DType::f32, {count, n, n});
  for (std::int64_t b = 0; b < count; ++b)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        t.data<float>()[(b * n + i) * n + j] = static_cast<float>(
            std::sin(1.3 * static_cast<double>((b + i) * (b + j))) + (i == j ? 2.0 * n : 0.0));
  return t;
}

std::vector<Tensor> run(const char* op, const AttrMap& attrs, const std::vector<Tensor>& inputs,
                        const std::vector<Shape>& shapes, int threads) {
  std::vector<Tensor> outputs;
  for (const Shape& shape : shapes) outputs.emplace_back(DType::f32, shape);
  KernelRunner(op, attrs, std::vector<DType>(inputs.size(), DType::f32),
               std::vector<DType>(outputs.size(), DType::f32), threads)
      .run(inputs, outputs);
  return outputs;
}

TEST(MatrixBits, do_not_depend_on_threads) {
  constexpr std::int64_t kCount = 24, kSize = 50;
  const Tensor a = matrices(kCount, kSize);
  const Shape square{kCount, kSize, kSize}, values{kCount, kSize};
  struct Work {
    const char* op;
    AttrMap attrs;
    std::vector<Tensor> inputs;
    std::vector<Shape> outputs;
  };
  const std::vector<Work> works = {
      {"Cholesky", {{"T", DType::f32}}, {a}, {square}},
      {"MatrixInverse", {{"T", DType::f32}, {"adjoint", false}}, {a}, {square}},
      {"MatrixSolve", {{"T", DType::f32}, {"adjoint", true}}, {a, a}, {square}},
      {"SelfAdjointEigV2", {{"T", DType::f32}, {"compute_v", true}}, {a}, {values, square}},
      {"Svd",
       {{"T", DType::f32}, {"compute_uv", true}, {"full_matrices", false}},
       {a},
       {values, square, square}},
      {"Svd",
       {{"T", DType::f32}, {"compute_uv", false}, {"full_matrices", false}},
       {a},
       {values, Shape{0}, Shape{0}}},
      {"Qr", {{"T", DType::f32}, {"full_matrices", false}}, {a}, {square, square}},
  };
  for (const Work& work : works) {
    const std::vector<Tensor> one = run(work.op, work.attrs, work.inputs, work.outputs, 1);
    const std::vector<Tensor> three = run(work.op, work.attrs, work.inputs, work.outputs, 3);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_EQ(std::memcmp(one[i].raw_data(), three[i].raw_data(), one[i].byte_size()), 0)
          << work.op << ", output " << i;
  }
}

}  // namespace
}  // namespace rill
