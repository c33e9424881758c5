#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kClusteringCases{
    "clustering", [] {
      const Tensor points = random<float>({50, 3}, 1);
      std::vector<OpCase> rows = {
          {.op = "NearestNeighbors",
           .in = {points, random<float>({7, 3}, 2), scalar<std::int64_t>(3)},
           .atol = 1e-6},
          {.op = "NearestNeighbors",
           .in = {points, random<float>({7, 3}, 2), scalar<std::int64_t>(1)},
           .atol = 1e-6},
          {.op = "NearestNeighbors",
           .in = {points, random<float>({2, 3}, 2), scalar<std::int64_t>(5)},
           .atol = 1e-6},
          {.op = "KMC2ChainInitialization",
           .in = {random<float>({30}, 3, 0, 1), scalar<std::int64_t>(5)}},
      };
      for (const std::int64_t retries : {0, 2})
        rows.push_back({.op = "KmeansPlusPlusInitialization",
                        .in = {points, scalar<std::int64_t>(5), scalar<std::int64_t>(retries + 1),
                               scalar<std::int64_t>(retries)}});
      rows.push_back({.op = "KmeansPlusPlusInitialization",
                      .in = {points, scalar<std::int64_t>(51), scalar<std::int64_t>(1),
                             scalar<std::int64_t>(0)},
                      .error = "Expected num_to_sample <= points.rows"});
      return rows;
    }};

}  // namespace rill
