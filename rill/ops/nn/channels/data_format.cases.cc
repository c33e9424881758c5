#include "tests/optest/op_case.h"

namespace rill {
namespace {

AttrMap formats(const char* from, const char* to) {
  return {{"src_format", std::string(from)}, {"dst_format", std::string(to)}};
}

void add_maps(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor x, AttrMap attrs = {}, const char* error = "") {
    cases.push_back(
        {.op = "DataFormatDimMap", .in = {std::move(x)}, .attrs = attrs, .error = error});
  };
  for (const DType type : {DType::i32, DType::i64}) {
    add(sequence(type, {8}, -4));
    add(values(type, {}, {2}));
    add(sequence(type, {2, 2}), formats("NCHW", "NHWC"));
    add(sequence(type, {10}, -5), formats("NDHWC", "NCDHW"));
    add(sequence(type, {4}), formats("abcd", "dcba"));
    add(Tensor(type, {0}));
  }
  const Tensor x = tensor<std::int32_t>({1}, {0});
  add(x, formats("NHW", "NHWC"), "Source format must be of length 4 or 5");
  add(x, formats("NHWC", "NH"), "Destination format must be of length 4 or 5");
  add(x, formats("NHWC", "NXYZ"), "must determine a permutation");
  add(x, formats("NNHW", "NHWN"), "must determine a permutation");
}

void add_permutations(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor x, AttrMap attrs = {}, const char* error = "") {
    cases.push_back(
        {.op = "DataFormatVecPermute", .in = {std::move(x)}, .attrs = attrs, .error = error});
  };
  for (const DType type : {DType::i32, DType::i64}) {
    add(sequence(type, {4}, 10));
    add(sequence(type, {2}, 10));
    add(sequence(type, {4, 2}), formats("NCHW", "NHWC"));
    add(sequence(type, {2, 2}), formats("NCHW", "NHWC"));
    add(sequence(type, {4}), formats("HWNC", "NCHW"));
    add(sequence(type, {2}), formats("HWNC", "WHNC"));
    add(sequence(type, {5}), formats("NDHWC", "NCDHW"));
    add(sequence(type, {3, 2}), formats("NDHWC", "NCWHD"));
  }
  add(sequence<std::int32_t>({3}), {}, "must be of size 2 or 4");
  add(sequence<std::int32_t>({4, 3}), {}, "must be of size 2");
  add(scalar<std::int32_t>(1), {}, "must be a vector or 2D tensor|at least rank 1");
  add(sequence<std::int32_t>({4}), formats("NHWC", "NHWW"), "must determine a permutation");
}

}  // namespace

extern const OpCases kDataFormatCases{"data_format", [] {
                                        std::vector<OpCase> cases;
                                        add_maps(cases);
                                        add_permutations(cases);
                                        return cases;
                                      }};

}  // namespace rill
