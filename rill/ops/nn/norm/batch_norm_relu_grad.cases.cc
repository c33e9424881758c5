#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBatchNormReluGradCases{
    "batch_norm_relu_grad", [] {
      std::vector<OpCase> rows;
      for (const std::string activation : {"Relu", "Relu6"}) {
        // Mean and variance are those of the batch.
        const Tensor x = tensor<float>({1, 2, 2, 2}, {1, 9, 2, -3, 4, 5, 5, 1});
        const Tensor mean = tensor<float>({2}, {3, 3}), variance = tensor<float>({2}, {2.5, 20});
        rows.push_back({.op = "_BatchNormReluGrad",
                        .in = {random<float>({1, 2, 2, 2}, 1), x, tensor<float>({2}, {1.5, 5}),
                               tensor<float>({2}, {0.25, 1}), mean, variance},
                        .attrs = {{"activation_mode", activation}},
                        .atol = 1e-5,
                        .plain = R"(
          y = FusedBatchNormV3(in_1, in_2, in_3, float [], float [], epsilon=0.0001,
                               is_training=true)
          g = )" + activation + R"(Grad(in_0, y)
          d = FusedBatchNormGradV3(g, in_1, in_2, in_4, in_5, float [], epsilon=0.0001,
                                   is_training=true)
          fetch d, d:1, d:2)"});
      }
      return rows;
    }};

}  // namespace rill
