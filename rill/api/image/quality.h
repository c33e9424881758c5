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
  std::string name = {};
};
// 20 log10(max_val / rmse), in decibels: the ratio of the largest signal to the noise. Infinite for
// equal images.
Output psnr(const Input& a, const Input& b, const Input& max_val, const PsnrOptions& options = {},
            std::source_location at = std::source_location::current());

struct SsimOptions {
  std::int64_t filter_size = 11;  // of the Gauss filter under which pixels are compared
  double filter_sigma = 1.5;
  double k1 = 0.01, k2 = 0.03;
};
// The likeness of structures, at most 1: means, variances and the covariance under a window are
// compared, (2 m1 m2 + c1) (2 s12 + c2) / ((m1^2 + m2^2 + c1) (s1^2 + s2^2 + c2)), c = (k
// max_val)^2. Images must be at least as large as the filter.
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
// The product over scales, each half as large as the one before; images must be large enough for
// the smallest. Throws InvalidArgument without power_factors.
Output ssim_multiscale(const Input& img1, const Input& img2, const Input& max_val,
                       const SsimMultiscaleOptions& options = {},
                       std::source_location at = std::source_location::current());

}  // namespace rill::image
