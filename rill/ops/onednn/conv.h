#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rill {

enum class ConvWork { kForward, kToImages, kToFilter };

// How a window moves along one dimension; `before` counts elements of padding in front.
struct ConvDim {
  std::int64_t in, out, size, stride, dilation, before;
  auto operator<=>(const ConvDim&) const = default;
};

// One convolution of floats over two or three dimensions of space, or a gradient of one.
struct ConvShape {
  ConvWork work;
  std::int64_t batch, in_channels, out_channels;
  std::vector<ConvDim> dims;
  auto operator<=>(const ConvShape&) const = default;
};

// A convolution that oneDNN has compiled. Images and results have their channels last; the filter
// stands in an order of oneDNN's own. Safe to use from several threads at once; each call runs on
// its thread alone and throws Internal when oneDNN fails.
class CompiledConv {
 public:
  struct Impl;
  explicit CompiledConv(std::unique_ptr<Impl> impl);
  ~CompiledConv();

  std::size_t filter_bytes() const;   // of the filter in oneDNN's order
  std::size_t scratch_bytes() const;  // that run() needs
  bool has_same_filter_order(const CompiledConv& other) const;

  // From [window, in, out], or from [window, out, in] when `turned`, and back.
  void pack_filter(const float* filter, bool turned, float* packed) const;
  void unpack_filter(const float* packed, float* filter) const;

  // Reads two of these and writes the third, as the work says. `scratch` is aligned to 64 bytes.
  void run(const float* images, const float* filter, const float* results, void* scratch) const;

 private:
  std::unique_ptr<Impl> impl_;
};

// Compiled on first use and kept. nullptr when oneDNN has nothing better than gathering patches.
std::shared_ptr<const CompiledConv> compiled_conv(const ConvShape& shape);

}  // namespace rill
