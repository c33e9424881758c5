#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFingerprintCases{
    "fingerprint", [] {
      std::vector<OpCase> cases;
      const char* op = "Fingerprint";
      const Tensor method = strings({}, {"farmhash64"});
      for (const std::int64_t size : {1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 20, 33, 100})
        cases.push_back({.op = op, .in = {random<float>({3, size}, 1), method}});
      for (const std::int64_t size : {1, 3, 7, 65, 129})
        cases.push_back({.op = op, .in = {random(DType::u8, {2, size}, 2, 0, 256), method}});
      for (const DType type : {DType::f16, DType::f64, DType::i64, DType::boolean, DType::c64})
        cases.push_back({.op = op, .in = {random(type, {2, 2, 3}, 3), method}});
      cases.push_back(
          {.op = op, .in = {strings({3}, {"abc", "", "a longer text than sixteen"}), method}});
      cases.push_back({.op = op, .in = {strings({2, 1}, {"abc", ""}), method}});
      cases.push_back({.op = op, .in = {strings({2, 2}, {"abc", "", "x", "y"}), method}});
      cases.push_back({.op = op, .in = {tensor<float>({2, 0}, {}), method}});
      cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), method}});
      // TensorFlow leaves what was in memory; these are the fingerprints of no bytes.
      cases.push_back(
          {.op = op,
           .in = {strings({1, 0}, {}), method},
           .want = {tensor<std::uint8_t>({1, 8}, {79, 64, 144, 47, 59, 106, 225, 154})}});
      cases.push_back({.op = op,
                       .in = {random<float>({2}, 1), strings({}, {"md5"})},
                       .error = "Unsupported method: md5"});
      cases.push_back({.op = op,
                       .in = {random<float>({2}, 1), strings({1}, {"farmhash64"})},
                       .error = "Shape must be rank 0 but is rank 1"});
      cases.push_back({.op = op,
                       .in = {scalar<float>(1), method},
                       .error = "Shape must be at least rank 1 but is rank 0"});
      return cases;
    }};

}  // namespace rill
