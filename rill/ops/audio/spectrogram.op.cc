#include <bit>
#include <limits>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes spectrogram_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() == 2,
          when_run("input must be 2-dimensional, not of shape ", c.input(0)),
          when_built("Shape must be rank 2 but is rank ", c.input(0).rank()));
  const PartialShape input = c.with_rank(0, 2);
  const auto window = c.attr<std::int64_t>("window_size"), stride = c.attr<std::int64_t>("stride");
  require(window > 1, "window size must be > 1, got ", window);
  require(window <= std::numeric_limits<std::int32_t>::max(),
          "window size must be below 2^31, got ", window);
  require(stride > 0, "stride must be strictly positive, got ", stride);
  const auto padded = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(window)));
  std::int64_t frames = kUnknownDim;
  if (input.dim(0) >= 0) frames = input.dim(0) < window ? 0 : 1 + (input.dim(0) - window) / stride;
  return {{input.dim(1), frames, padded / 2 + 1}};
}

}  // namespace

extern constexpr OpDecl kAudioSpectrogram{
    .name = "AudioSpectrogram",
    .doc =
        "For each channel and each stretch of window_size frames, `stride` apart, the magnitudes "
        "of its spectrum, or their squares. Stretches are faded in and out (Hann) and filled up to "
        "a power of two.",
    .inputs = {"input: float"},
    .outputs = {"spectrogram: float"},
    .attrs = {"window_size: int", "stride: int", "magnitude_squared: bool = false"},
    .traits = kPure,
    .shape = spectrogram_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAudioSpectrogram));

}  // namespace rill
