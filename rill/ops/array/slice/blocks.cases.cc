#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

void add_batch_cases(std::vector<OpCase>& cases) {
  const Tensor block = tensor<I>({2}, {2, 3}), ends = tensor<I>({2, 2}, {1, 1, 0, 2});
  for (const DType type : {DType::f32, DType::f64, DType::i32, DType::u8}) {
    cases.push_back(
        {.op = "SpaceToBatchND", .in = {random(type, {2, 4, 4, 3}, 1, 0, 9), block, ends}});
    cases.push_back(
        {.op = "BatchToSpaceND", .in = {random(type, {12, 3, 2, 2}, 1, 0, 9), block, ends}});
  }
  cases.push_back({.op = "SpaceToBatchND",
                   .in = {random<float>({1, 5}, 1), tensor<std::int64_t>({1}, {4}),
                          tensor<std::int64_t>({1, 2}, {0, 3})}});
  cases.push_back({.op = "SpaceToBatchND",
                   .in = {random<float>({2, 3}, 1), tensor<I>({0}, {}), tensor<I>({0, 2}, {})}});
  cases.push_back({.op = "BatchToSpaceND",
                   .in = {random<float>({4, 2, 1, 2, 3}, 1), tensor<I>({2}, {2, 2}),
                          tensor<I>({2, 2}, {0, 1, 1, 0})}});
  cases.push_back({.op = "SpaceToBatchND",
                   .in = {random<float>({1, 5}, 1), tensor<I>({1}, {2}), tensor<I>({1, 2}, {0, 0})},
                   .error = "divisible"});
  cases.push_back({.op = "SpaceToBatchND",
                   .in = {random<float>({1, 4}, 1), tensor<I>({1}, {0}), tensor<I>({1, 2}, {0, 0})},
                   .error = "positive"});
  cases.push_back(
      {.op = "SpaceToBatchND",
       .in = {random<float>({1, 4}, 1), tensor<I>({1}, {2}), tensor<I>({1, 2}, {-2, 0})},
       .error = "non-negative|at least 0|cannot be negative"});
  cases.push_back({.op = "BatchToSpaceND",
                   .in = {random<float>({3, 4}, 1), tensor<I>({1}, {2}), tensor<I>({1, 2}, {0, 0})},
                   .error = "divisible"});
  for (const char* op : {"SpaceToBatch", "BatchToSpace"}) {
    cases.push_back({.op = op,
                     .in = {random<float>({4, 4, 2, 3}, 1), tensor<I>({2, 2}, {1, 1, 0, 0})},
                     .attrs = {{"block_size", std::int64_t{2}}}});
    cases.push_back({.op = op,
                     .in = {random<double>({4, 2, 4, 1}, 1), tensor<I>({2, 2}, {0, 2, 1, 1})},
                     .attrs = {{"block_size", std::int64_t{2}}}});
  }
}

void add_depth_cases(std::vector<OpCase>& cases) {
  const AttrMap two{{"block_size", std::int64_t{2}}}, three{{"block_size", std::int64_t{3}}};
  for (const DType type : {DType::f32, DType::f64, DType::i64, DType::u8, DType::f16}) {
    cases.push_back(
        {.op = "SpaceToDepth", .in = {random(type, {2, 4, 6, 3}, 1, 0, 9)}, .attrs = two});
    cases.push_back(
        {.op = "DepthToSpace", .in = {random(type, {2, 2, 3, 8}, 1, 0, 9)}, .attrs = two});
  }
  cases.push_back({.op = "SpaceToDepth", .in = {random<float>({1, 3, 6, 2}, 1)}, .attrs = three});
  cases.push_back({.op = "DepthToSpace", .in = {random<float>({1, 1, 2, 18}, 1)}, .attrs = three});
  cases.push_back({.op = "SpaceToDepth",
                   .in = {random<float>({1, 3, 4, 2}, 1)},
                   .attrs = two,
                   .error = "divisible"});
  cases.push_back({.op = "DepthToSpace",
                   .in = {random<float>({1, 2, 2, 3}, 1)},
                   .attrs = two,
                   .error = "divisible"});
  // TensorFlow's CPU refuses this layout; the elements are those of NHWC in another order.
  cases.push_back({.op = "DepthToSpace",
                   .in = {sequence<float>({1, 4, 1, 2})},
                   .attrs = {{"block_size", std::int64_t{2}}, {"data_format", std::string("NCHW")}},
                   .name = "depth_to_space_nchw",
                   .want = {tensor<float>({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7})}});
  cases.push_back({.op = "SpaceToDepth",
                   .in = {tensor<float>({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7})},
                   .attrs = {{"block_size", std::int64_t{2}}, {"data_format", std::string("NCHW")}},
                   .name = "space_to_depth_nchw",
                   .want = {sequence<float>({1, 4, 1, 2})}});
}

}  // namespace

extern const OpCases kBlocksCases{"blocks", [] {
                                    std::vector<OpCase> cases;
                                    add_batch_cases(cases);
                                    add_depth_cases(cases);
                                    return cases;
                                  }};

}  // namespace rill
