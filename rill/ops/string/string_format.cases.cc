#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kStringFormatCases{
    "string_format", [] {
      std::vector<OpCase> cases;
      const auto add = [&](std::vector<Tensor> in, AttrMap attrs, const char* error = "") {
        std::vector<DType> types;
        for (const Tensor& t : in) types.push_back(t.dtype());
        attrs["T"] = types;
        cases.push_back({.op = "StringFormat",
                         .in = {list(std::move(in))},
                         .attrs = std::move(attrs),
                         .error = error});
      };
      add({scalar<float>(1.5f), strings({}, {"abc"}), sequence<std::int32_t>({8})},
          {{"template", "a {} b {} c {}"}, {"placeholder", "{}"}});
      add({}, {{"template", "no placeholder"}});
      add({}, {{"template", ""}});
      add({scalar<std::int32_t>(1)}, {});
      add({strings({2}, {"a", "b\"c\n\xc3\xa9\xff"})}, {});
      for (const int summarize : {-1, 0, 1, 3, 100})
        add({sequence<std::int32_t>({3, 20})}, {{"summarize", summarize}});
      add({scalar<std::int32_t>(1)}, {{"template", "ab"}, {"placeholder", ""}});
      add({tensor<bool>({2}, {true, false}), scalar<std::int8_t>(3), scalar<double>(0.1),
           values(DType::f16, {2}, {0.1, 3}), values(DType::bf16, {2}, {0.1, 3}),
           tensor<float>({0}, {})},
          {{"template", "%s,%s,%s,%s,%s,%s"}});
      add({scalar<std::int32_t>(1)}, {{"template", "none"}}, "0 vs. 1");
      add({scalar<std::int32_t>(1)}, {{"template", "%s %s"}}, "2 vs. 1");
      add({scalar<std::int32_t>(1)}, {{"template", ""}, {"placeholder", ""}}, "0 vs. 1");
      return cases;
    }};

}  // namespace rill
