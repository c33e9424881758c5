#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// -1 leaves it to the file.
std::int64_t desired(const ShapeCtx& c, const char* attr, const char* what) {
  const auto count = c.attr<std::int64_t>(attr);
  require(count >= -1, what, " must be non-negative, got ", count);
  return count;
}

Shapes decode_wav_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  const std::int64_t channels = desired(c, "desired_channels", "channels");
  return {{desired(c, "desired_samples", "samples"), channels}, PartialShape::scalar()};
}

Shapes encode_wav_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() == 2,
          when_run("audio must be 2-dimensional, not of shape ", c.input(0)),
          when_built("Shape must be rank 2 but is rank ", c.input(0).rank()));
  require(!c.input(1).has_rank() || c.input(1).rank() == 0,
          when_run("Input sample_rate should be a scalar tensor, got ", c.input(1), " instead"),
          when_built("Shape must be rank 0 but is rank ", c.input(1).rank()));
  return {PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kDecodeWav{
    .name = "DecodeWav",
    .doc =
        "The samples of a 16-bit WAV, by frame and channel, in [-1, 1), and its sample rate. "
        "Frames beyond its end are silent, channels beyond its last one repeat that.",
    .inputs = {"contents: string"},
    .outputs = {"audio: float", "sample_rate: int32"},
    .attrs = {"desired_channels: int = -1", "desired_samples: int = -1"},
    .traits = kPure | kDataDependentShape,
    .shape = decode_wav_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeWav));

extern constexpr OpDecl kEncodeWav{
    .name = "EncodeWav",
    .doc = "Sound in [-1, 1], by frame and channel, as a 16-bit WAV.",
    .inputs = {"audio: float", "sample_rate: int32"},
    .outputs = {"contents: string"},
    .traits = kPure,
    .shape = encode_wav_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEncodeWav));

}  // namespace rill
