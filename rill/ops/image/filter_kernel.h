#pragma once

#include <string_view>

namespace rill {

// How much a pixel counts by its distance, in pixels: zero from `radius` on.
struct FilterKernel {
  float radius;
  float (*weight)(float distance);  // of a distance that is not negative
};

// By name ("lanczos3", "triangle", ...); throws InvalidArgument when there is none.
FilterKernel filter_kernel(std::string_view name);

}  // namespace rill
