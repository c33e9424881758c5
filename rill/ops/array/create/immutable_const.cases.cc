#include "tests/optest/op_case.h"

namespace rill {
namespace {

AttrMap region(DType type, Shape shape, const char* file) {
  return {{"dtype", type}, {"shape", PartialShape(shape)}, {"memory_region_name", file}};
}

}  // namespace

extern const OpCases kImmutableConstCases{
    "immutable_const", [] {
      std::vector<OpCase> cases;
      const char* op = "ImmutableConst";
      const char* file = "tests/data/region.bin";  // eight floats: 0, 0.5, 1, ..., 3.5
      for (const DType type : {DType::f32, DType::f64, DType::i32, DType::u8, DType::f16})
        cases.push_back({.op = op, .attrs = region(type, {2, 2}, file)});
      cases.push_back({.op = op, .attrs = region(DType::f32, {8}, file)});
      cases.push_back({.op = op, .attrs = region(DType::f32, {}, file)});
      cases.push_back({.op = op, .attrs = region(DType::f32, {0, 3}, file)});
      cases.push_back(
          {.op = op,
           .attrs = region(DType::f32, {9}, file),
           .error = "Readonly memory region has wrong length \\(32\\) when allocating 36"});
      cases.push_back({.op = op,
                       .attrs = region(DType::f32, {2}, "tests/data/nonesuch"),
                       .error = "tests/data/nonesuch; No such file or directory"});
      cases.push_back(
          {.op = op, .attrs = region(DType::string, {1}, file), .error = "not.*support|cannot"});
      return cases;
    }};

}  // namespace rill
