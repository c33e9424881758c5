#include "tests/optest/op_case.h"

namespace rill {
namespace {

template <class T>
void add_cases(std::vector<OpCase>& cases) {
  const Tensor x = random<T>({3, 5}, 1), y = random<T>({5}, 2);
  for (const char* op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"}) {
    cases.push_back({.op = op, .in = {x, y}});
    cases.push_back({.op = op, .in = {scalar<T>(5), x}});
  }
  cases.push_back({.op = "Invert", .in = {x}});
  if (sizeof(T) < 4 || std::is_signed_v<T>) cases.push_back({.op = "PopulationCount", .in = {x}});
  const Tensor small = tensor<T>({5}, {0, 1, 3, 7, sizeof(T) * 8 - 1});
  for (const char* op : {"LeftShift", "RightShift"}) {
    cases.push_back({.op = op, .in = {x, small}});
    cases.push_back({.op = op, .in = {x, scalar<T>(2)}});
    cases.push_back({.op = op, .in = {x, scalar<T>(100)}});
    if (std::is_signed_v<T>) cases.push_back({.op = op, .in = {x, scalar<T>(static_cast<T>(-3))}});
  }
}

}  // namespace

extern const OpCases kBitwiseCases{
    "bitwise", [] {
      std::vector<OpCase> cases;
      add_cases<std::int8_t>(cases);
      add_cases<std::int16_t>(cases);
      add_cases<std::int32_t>(cases);
      add_cases<std::int64_t>(cases);
      add_cases<std::uint8_t>(cases);
      add_cases<std::uint16_t>(cases);
      add_cases<std::uint32_t>(cases);
      add_cases<std::uint64_t>(cases);
      cases.push_back({.op = "BitwiseXor",
                       .in = {random<std::int32_t>({1000}, 3), random<std::int32_t>({1000}, 4)}});
      cases.push_back({.op = "Invert", .in = {tensor<std::int32_t>({0}, {})}});
      return cases;
    }};

}  // namespace rill
