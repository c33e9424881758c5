#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kBtSplitsCases{
    "bt_splits", [] {
      const Tensor range = tensor<std::int32_t>({2}, {0, 2});
      const auto settings = [](float l1, float l2, float complexity, float weight) {
        return std::vector<CaseInput>{scalar<float>(l1), scalar<float>(l2),
                                      scalar<float>(complexity), scalar<float>(weight)};
      };
      std::vector<OpCase> rows;
      const auto add = [&](const char* op, std::vector<CaseInput> in,
                           const std::vector<CaseInput>& with, AttrMap attrs) {
        in.insert(in.end(), with.begin(), with.end());
        rows.push_back({.op = op, .in = std::move(in), .attrs = std::move(attrs), .rtol = 1e-4});
      };
      const Tensor stats = random<float>({2, 4, 2}, 1, 0, 1),
                   more = random<float>({2, 4, 2}, 2, 0, 1);
      for (const float weight : {0.0F, 1.9F})
        add("BoostedTreesCalculateBestGainsPerFeature", {range, list({stats, more})},
            settings(0.1F, 0.2F, 0.5F, weight), {{"max_splits", std::int64_t{2}}});
      for (const std::int64_t logits : {1, 2, 3})
        for (const char* kind : {"inequality", "equality"})
          add("BoostedTreesCalculateBestFeatureSplit",
              {range, random<float>({2, 1, 5, 2 * logits}, 3, 0, 1)}, settings(0, 0.1F, 0.1F, 0),
              {{"logits_dimension", logits}, {"split_type", std::string(kind)}});
      add("BoostedTreesSparseCalculateBestFeatureSplit",
          {range, tensor<std::int32_t>({8, 4}, {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 2, 1,
                                                0, 0, 3, 0, 0, 0, 3, 1, 1, 0, 1, 0, 1, 0, 1, 1}),
           tensor<float>({8}, {0.5, 0.2, -0.4, 0.3, 0.1, 0.2, 0.7, 0.6}),
           tensor<std::int32_t>({4}, {2, 1, 4, 2})},
          settings(0, 0.1F, 0, 0), {{"logits_dimension", std::int64_t{1}}});
      return rows;
    }};

}  // namespace rill
