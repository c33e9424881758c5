#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtQuantilesCases{
    "bt_quantiles", [] {
      std::vector<OpCase> rows = {
          {.op = "BoostedTreesBucketize",
           .in = {list({tensor<float>({4}, {0.5, 3, 4, 9}), tensor<float>({4}, {1, 2, 3, -1})}),
                  list({tensor<float>({3}, {1, 3, 5}), tensor<float>({1}, {2})})}},
          {.op = "BoostedTreesMakeQuantileSummaries",
           .in = {list({tensor<float>({5}, {3, 1, 2, 1, 7})}), tensor<float>({5}, {1, 2, 3, 4, 0}),
                  scalar<float>(0.1)}},
          {.op = "BoostedTreesMakeQuantileSummaries",
           .in = {list({random<float>({2000}, 5), random<float>({2000}, 6, 0, 9)}),
                  random<float>({2000}, 7, 0, 1), scalar<float>(0.02)}},
      };
      // One stream, to which a summary was added.
      const std::string stream = R"(
        h = BoostedTreesQuantileStreamResourceHandleOp(shared_name="q")
        BoostedTreesCreateQuantileStreamResource(h, 0.1, int64 1)
        s = BoostedTreesMakeQuantileSummaries(([1.0 5.0 2.0 8.0 3.0]), [1.0 1.0 1.0 2.0 1.0], 0.1)
        BoostedTreesQuantileStreamResourceAddSummaries(h, (s)))";
      const std::string boundaries = R"(
        fetch BoostedTreesQuantileStreamResourceGetBucketBoundaries(h, num_features=1))";
      add_graphs(rows, {"BoostedTreesQuantileStreamResourceHandleOp"}, R"(
        case = $OP(shared_name="q")
        fetch IsBoostedTreesQuantileStreamResourceInitialized(case))");
      add_graphs(rows, {"BoostedTreesCreateQuantileStreamResource"}, R"(
        h = BoostedTreesQuantileStreamResourceHandleOp(shared_name="q")
        case = $OP(h, 0.1, int64 1)
        fetch IsBoostedTreesQuantileStreamResourceInitialized(h))");
      add_graphs(rows, {"IsBoostedTreesQuantileStreamResourceInitialized"},
                 stream + "\n        case = $OP(h)");
      add_graphs(rows, {"BoostedTreesQuantileStreamResourceAddSummaries"},
                 stream +
                     "\n        case = $OP(h, (s))\n"
                     "        BoostedTreesQuantileStreamResourceFlush(h, int64 3)" +
                     boundaries);
      add_graphs(rows, {"BoostedTreesQuantileStreamResourceFlush"},
                 stream + "\n        case = $OP(h, int64 3, generate_quantiles=true)" + boundaries);
      // TensorFlow 1.15 takes boundaries only where their rank is not known.
      rows.push_back({.op = "BoostedTreesQuantileStreamResourceDeserialize",
                      .want = {tensor<float>({2}, {1, 2.5})},
                      .graph = stream + "\n        case = $OP(h, ([1.0 2.5]))" + boundaries});
      add_graphs(rows, {"BoostedTreesQuantileStreamResourceGetBucketBoundaries"},
                 stream + "\n        case = $OP(h, num_features=1)");
      add_graphs(rows, {"BoostedTreesFlushQuantileSummaries"},
                 stream + "\n        case = $OP(h, num_features=1)");
      return rows;
    }};

}  // namespace rill
