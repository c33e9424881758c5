#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kConvEpilogueCases{
    "conv_epilogue", [] {
      std::vector<OpCase> rows;
      const std::vector<std::int64_t> strides{1, 2, 2, 1};
      const Tensor x = random<float>({2, 6, 7, 3}, 1), filter = random<float>({3, 3, 3, 4}, 2),
                   bias = random<float>({4}, 3), other = random<float>({2, 3, 4, 4}, 4),
                   depthwise = random<float>({3, 3, 3, 2}, 5), bias6 = random<float>({6}, 6);
      const AttrMap attrs{{"strides", strides}, {"padding", "SAME"}};
      const auto with = [&](const std::vector<std::string>& epilogue) {
        AttrMap all = attrs;
        all.emplace("epilogue", epilogue);
        return all;
      };
      const std::string conv = "c = Conv2D(in_0, in_1, strides=[1 2 2 1], padding=\"SAME\")\n";
      rows.push_back({.op = "_Conv2DEpilogue",
                      .in = {x, filter, list({bias})},
                      .attrs = with({"BiasAdd", "Relu"}),
                      .atol = 1e-5,
                      .plain = conv + "fetch Relu(BiasAdd(c, in_2_0))"});
      rows.push_back({.op = "_Conv2DEpilogue",
                      .in = {x, filter, list({bias, other})},
                      .attrs = with({"BiasAdd", "Add", "Relu6"}),
                      .atol = 1e-5,
                      .plain = conv + "fetch Relu6(AddV2(BiasAdd(c, in_2_0), in_2_1))"});
      rows.push_back(
          {.op = "_Conv2DEpilogue",
           .in = {x, filter, list({filled<float>({4}, 1.5), bias, bias, filled<float>({4}, 0.25)})},
           .attrs = with({"FusedBatchNorm"}),
           .atol = 1e-5,
           .plain = conv + R"(
        n = FusedBatchNormV3(c, in_2_0, in_2_1, in_2_2, in_2_3, epsilon=0.0001, is_training=false)
        fetch n)"});
      rows.push_back({.op = "_DepthwiseConv2dEpilogue",
                      .in = {x, depthwise, list({bias6})},
                      .attrs = with({"BiasAdd", "Relu"}),
                      .atol = 1e-5,
                      .plain = R"(
        c = DepthwiseConv2dNative(in_0, in_1, strides=[1 2 2 1], padding="SAME")
        fetch Relu(BiasAdd(c, in_2_0)))"});
      return rows;
    }};

}  // namespace rill
