#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Ints = std::vector<std::int64_t>;

AttrMap image_attrs(Ints k, Ints s, Ints r, const char* padding) {
  return {{"ksizes", Ints{1, k[0], k[1], 1}},
          {"strides", Ints{1, s[0], s[1], 1}},
          {"rates", Ints{1, r[0], r[1], 1}},
          {"padding", padding}};
}
AttrMap volume_attrs(Ints k, Ints s, const char* padding) {
  return {{"ksizes", Ints{1, k[0], k[1], k[2], 1}},
          {"strides", Ints{1, s[0], s[1], s[2], 1}},
          {"padding", padding}};
}

void add_images(std::vector<OpCase>& cases) {
  const char* op = "ExtractImagePatches";
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16})
    cases.push_back({.op = op,
                     .in = {random(type, {2, 4, 5, 2}, 1, 0, 100)},
                     .attrs = image_attrs({2, 3}, {1, 2}, {1, 1}, "SAME")});
  for (const char* padding : {"SAME", "VALID"}) {
    for (const Ints& rates : {Ints{1, 1}, {2, 1}, {2, 3}})
      for (const Ints& strides : {Ints{1, 1}, {3, 2}})
        cases.push_back({.op = op,
                         .in = {random<float>({1, 7, 8, 3}, 2)},
                         .attrs = image_attrs({3, 2}, strides, rates, padding)});
    cases.push_back({.op = op,
                     .in = {tensor<float>({0, 4, 4, 1}, {})},
                     .attrs = image_attrs({2, 2}, {1, 1}, {1, 1}, padding)});
    cases.push_back({.op = op,
                     .in = {random<float>({2, 3, 3, 1}, 3)},
                     .attrs = image_attrs({1, 1}, {1, 1}, {1, 1}, padding)});
  }
  cases.push_back({.op = op,
                   .in = {random<float>({1, 2, 2, 1}, 4)},
                   .attrs = image_attrs({5, 5}, {1, 1}, {2, 2}, "SAME")});
}

void add_volumes(std::vector<OpCase>& cases) {
  const char* op = "ExtractVolumePatches";
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16})
    cases.push_back({.op = op,
                     .in = {random(type, {1, 3, 4, 3, 2}, 1, 0, 100)},
                     .attrs = volume_attrs({2, 2, 2}, {1, 2, 1}, "SAME")});
  for (const char* padding : {"SAME", "VALID"})
    for (const Ints& strides : {Ints{1, 1, 1}, {2, 3, 2}})
      cases.push_back({.op = op,
                       .in = {random<float>({2, 4, 5, 3, 2}, 2)},
                       .attrs = volume_attrs({2, 3, 2}, strides, padding)});
}

void add_patch_errors(std::vector<OpCase>& cases) {
  const Tensor image = random<float>({1, 4, 3, 2}, 1);
  const auto fails = [&](Tensor x, AttrMap attrs, const char* error) {
    cases.push_back(
        {.op = "ExtractImagePatches", .in = {std::move(x)}, .attrs = attrs, .error = error});
  };
  const AttrMap good = image_attrs({2, 2}, {1, 1}, {1, 1}, "VALID");
  const auto with = [&](const char* name, Ints value) {
    AttrMap attrs = good;
    attrs[name] = std::move(value);
    return attrs;
  };
  fails(image, with("ksizes", {2, 2, 2, 1}), "Only support ksizes across space");
  fails(image, with("ksizes", {1, 0, 2, 1}), "ksizes is out of range");
  fails(image, with("strides", {1, 1, 1, 2}), "Only support strides across space");
  fails(image, with("rates", {1, 0, 1, 1}), "rates is out of range");
  fails(image, with("ksizes", {1, 2, 2, 1, 1}),
        "requires the ksizes attribute to contain 4 values, but got: 5");
  fails(image, with("ksizes", {1, 9, 9, 1}), "4.*9|9.*4");
  fails(random<float>({4, 3, 2}, 1), good, "Shape must be rank 4 but is rank 3");
  cases.push_back({.op = "ExtractVolumePatches",
                   .in = {random<float>({1, 2, 4, 3, 2}, 1)},
                   .attrs = volume_attrs({9, 1, 1}, {1, 1, 1}, "VALID"),
                   .error = "2.*9|9.*2"});
}

}  // namespace

extern const OpCases kExtractPatchesCases{"extract_patches", [] {
                                            std::vector<OpCase> cases;
                                            add_images(cases);
                                            add_volumes(cases);
                                            add_patch_errors(cases);
                                            return cases;
                                          }};

}  // namespace rill
