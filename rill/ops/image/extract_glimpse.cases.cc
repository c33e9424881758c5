#include <limits>

#include "rill/ops/image/image_testing.h"

namespace rill {
namespace {

AttrMap glimpse_attrs(bool centered, bool normalized, const char* noise = "zero") {
  return {{"centered", centered},
          {"normalized", normalized},
          {"uniform_noise", false},
          {"noise", std::string(noise)}};
}

}  // namespace

extern const OpCases kExtractGlimpseCases{
    "extract_glimpse", [] {
      std::vector<OpCase> cases;
      const Tensor images = random<float>({5, 6, 8, 2}, 1);
      // In the middle, near the edges, over them, far away, on the other side.
      const Tensor offsets =
          tensor<float>({5, 2}, {0, 0, 0.3F, -0.6F, -0.9F, 0.95F, 3, 2, -1.6F, -2.3F});
      for (const bool centered : {false, true})
        for (const bool normalized : {false, true}) {
          for (const auto& [height, width] : {std::pair{3, 4}, {1, 1}, {9, 5}, {2, 11}, {0, 3}})
            cases.push_back({.op = "ExtractGlimpse",
                             .in = {images, size_of(height, width), offsets},
                             .attrs = glimpse_attrs(centered, normalized)});
          for (const char* noise : {"uniform", "gaussian"})
            cases.push_back({.op = "ExtractGlimpse",
                             .in = {images, size_of(3, 4), offsets},
                             .attrs = glimpse_attrs(centered, normalized, noise),
                             .compare = Compare::kShapes});
        }
      const auto refuse = [&](Tensor size, Tensor places, const char* error, AttrMap with = {}) {
        cases.push_back({.op = "ExtractGlimpse",
                         .in = {images, std::move(size), std::move(places)},
                         .attrs = std::move(with),
                         .error = error});
      };
      refuse(tensor<std::int32_t>({1}, {2}), offsets, "vector of size 2|must be 2 but is 1");
      refuse(size_of(-1, 2), offsets, "Expected a non-negative size, got -1|must be");
      refuse(size_of(1, 2), random<float>({5, 3}, 1), "should be of size 2|must be 2 but is 3");
      refuse(size_of(1, 2), random<float>({4, 2}, 1), "should be batch|must be");
      refuse(size_of(1, 2), offsets, "should not be specified at the same time",
             {{"noise", std::string("zero")}});
      refuse(size_of(1, 2), offsets, "could only be uniform, gaussian, or zero",
             glimpse_attrs(true, true, "pink"));
      return cases;
    }};

}  // namespace rill
