#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kGatherCases{
    "gather", [] {
      using F = float;
      using I = std::int32_t;
      using L = std::int64_t;
      return std::vector<OpCase>{
          {.op = "Gather", .in = {sequence<F>({3, 2}), tensor<I>({4}, {2, 0, 0, 1})}},
          {.op = "Gather", .in = {strings({2}, {"a", "b"}), tensor<L>({2, 1}, {1, 0})}},
          {.op = "GatherV2", .in = {sequence<F>({2, 3}), tensor<I>({2}, {2, 0}), scalar<I>(1)}},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3, 2}), tensor<L>({2, 2}, {0, 1, 1, 2}), scalar<I>(-2)}},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), scalar<I>(1), scalar<L>(0)},
           .name = "one_index"},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), tensor<I>({0}, {}), scalar<I>(0)},
           .name = "no_index"},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), tensor<I>({2, 2}, {0, 1, 2, 0}), scalar<I>(1)},
           .attrs = {{"batch_dims", 1}},
           .grad = false},
          {.op = "GatherV2",
           .in = {random<F>({2, 3, 4, 5}, 1), tensor<I>({2, 2}, {3, 1, 2, 0}), scalar<I>(2)},
           .attrs = {{"batch_dims", 1}},
           .name = "batch_before_axis",
           .grad = false},
          {.op = "GatherV2", .in = {random<half>({5, 3}, 1), tensor<I>({2}, {4, 1}), scalar<I>(0)}},
          {.op = "GatherV2",
           .in = {random<std::complex<double>>({5}, 1), tensor<I>({2}, {4, 1}), scalar<I>(0)}},
          {.op = "GatherV2",
           .in = {random<F>({1000, 64}, 1), random<I>({500}, 2, 0, 1000), scalar<I>(0)},
           .name = "embedding"},
          {.op = "Gather",
           .in = {sequence<F>({2, 3}), tensor<I>({2, 2}, {0, 1, 5, 0})},
           .name = "outside",
           .error = "indices\\[1,0\\] = 5 is not in \\[0, 2\\)"},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, -1}), scalar<I>(1)},
           .name = "negative",
           .error = "indices\\[1\\] = -1 is not in \\[0, 3\\)"},
          {.op = "GatherV2",
           .in = {sequence<F>({0, 3}), tensor<I>({1}, {0}), scalar<I>(0)},
           .name = "nothing_to_gather",
           .error = "indices\\[0\\] = 0 is not in \\[0, 0\\)"},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), tensor<I>({2}, {0, 1}), scalar<I>(2)},
           .name = "axis_outside",
           .error = "Shape must be at least rank 3 but is rank 2"},
          {.op = "GatherV2",
           .in = {sequence<F>({2, 3}), tensor<I>({1, 2}, {0, 1}), scalar<I>(1)},
           .attrs = {{"batch_dims", 1}},
           .name = "batches_differ",
           .error = "params.shape\\[0\\]: 2 should be equal to indices.shape\\[0\\]: 1"},
          {.op = "GatherNd", .in = {sequence<F>({2, 3}), tensor<I>({2, 2}, {0, 1, 1, 2})}},
          {.op = "GatherNd", .in = {sequence<F>({2, 3}), tensor<L>({2, 1}, {1, 0})}},
          {.op = "GatherNd",
           .in = {sequence<F>({2, 3}), tensor<I>({2, 0}, {})},
           .name = "all_of_it"},
          {.op = "GatherNd",
           .in = {sequence<F>({2, 3}), tensor<I>({2, 2}, {0, 1, 2, 0})},
           .name = "nd_outside",
           .error = "indices\\[1\\] = \\[2, 0\\] does not index into param shape \\[2,3\\]"},
          {.op = "GatherNd",
           .in = {sequence<F>({2, 3}), tensor<I>({1, 3}, {0, 1, 1})},
           .name = "nd_too_deep",
           .error = "index innermost dimension length must be <= params rank; saw: 3 vs. 2"},
      };
    }};

}  // namespace rill
