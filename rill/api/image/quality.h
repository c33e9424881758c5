#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::image {

// How alike two images are, one number for each pair. `max_val` is the largest value that pixels
// may have. Images of integers are taken as floats in [0, 1] meanwhile. Throw InvalidArgument when
// the shapes are known not to fit, else the step fails.

struct PsnrOptions {
  std::string name;
};
// The ratio of the largest signal to the noise, in decibels.
Output psnr(const Input& a, const Input& b, const Input& max_val, const PsnrOptions& options = {},
            std::source_location at = std::source_location::current());

struct SsimOptions {
  std::int64_t filter_size = 11;  // of the Gauss filter under which pixels are compared
  double filter_sigma = 1.5;
  double k1 = 0.01, k2 = 0.03;
};
// The likeness of structures.
Output ssim(const Input& img1, const Input& img2, const Input& max_val,
            const SsimOptions& options = {},
            std::source_location at = std::source_location::current());

struct SsimMultiscaleOptions {
  // The weights of the images, of those half as large, and so on.
  std::vector<double> power_factors = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  std::int64_t filter_size = 11;
  double filter_sigma = 1.5;
  double k1 = 0.01, k2 = 0.03;
};
Output ssim_multiscale(const Input& img1, const Input& img2, const Input& max_val,
                       const SsimMultiscaleOptions& options = {},
                       std::source_location at = std::source_location::current());

}  // namespace rill::image
