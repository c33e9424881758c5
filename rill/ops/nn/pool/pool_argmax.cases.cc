#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

// TensorFlow runs this op on other devices only.
OpCase pool_argmax(const char* name, Tensor grad, Tensor places, bool with_batch, Tensor want) {
  const Tensor input = filled(grad.dtype(), grad.shape(), 0);
  return {.op = "MaxPoolGradGradWithArgmax",
          .in = {input, std::move(grad), std::move(places)},
          .attrs = {{"ksize", Numbers{1, 2, 2, 1}},
                    {"strides", Numbers{1, 2, 2, 1}},
                    {"padding", std::string("VALID")},
                    {"include_batch_in_index", with_batch}},
          .name = name,
          .want = {std::move(want)}};
}

}  // namespace

extern const OpCases kPoolArgmaxCases{
    "pool_argmax", [] {
      const Tensor grad = tensor<float>({2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
      std::vector<OpCase> cases{
          pool_argmax("by_image", grad, tensor<std::int64_t>({2, 1, 1, 1}, {1, 2}), false,
                      tensor<float>({2, 1, 1, 1}, {2, 7})),
          pool_argmax("in_batch", grad, tensor<std::int32_t>({2, 1, 1, 1}, {1, 6}), true,
                      tensor<float>({2, 1, 1, 1}, {2, 7})),
          pool_argmax("half", sequence<half>({1, 2, 2, 2}),
                      tensor<std::int64_t>({1, 1, 1, 2}, {4, 3}), false,
                      tensor<half>({1, 1, 1, 2}, {4, 3})),
          pool_argmax("double", sequence<double>({1, 2, 2, 2}),
                      tensor<std::int64_t>({1, 1, 1, 2}, {0, 7}), false,
                      tensor<double>({1, 1, 1, 2}, {0, 7})),
          pool_argmax("empty", Tensor(DType::f32, {0, 2, 2, 1}), Tensor(DType::i64, {0, 1, 1, 1}),
                      false, Tensor(DType::f32, {0, 1, 1, 1})),
      };
      return cases;
    }};

}  // namespace rill
