#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes mfcc_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() == 3,
          when_run("spectrogram must be 3-dimensional, not of shape ", c.input(0)),
          when_built("Shape must be rank 3 but is rank ", c.input(0).rank()));
  require(!c.input(1).has_rank() || c.input(1).rank() == 0,
          when_run("Input sample_rate should be a scalar tensor, got ", c.input(1), " instead"),
          when_built("Shape must be rank 0 but is rank ", c.input(1).rank()));
  const PartialShape spectrogram = c.with_rank(0, 3);
  const auto count = c.attr<std::int64_t>("dct_coefficient_count");
  require(count >= 0, "Mfcc initialization failed: dct_coefficient_count must be positive, got ",
          count);
  return {{spectrogram.dim(0), spectrogram.dim(1), count}};
}

}  // namespace

extern constexpr OpDecl kMfcc{
    .name = "Mfcc",
    .doc =
        "Mel-frequency cepstral coefficients: the cosine transform of the logarithms of what "
        "filterbank_channel_count overlapping filters pass of a spectrogram of squared magnitudes.",
    .inputs = {"spectrogram: float", "sample_rate: int32"},
    .outputs = {"output: float"},
    .attrs = {"upper_frequency_limit: float = 4000.0", "lower_frequency_limit: float = 20.0",
              "filterbank_channel_count: int = 40", "dct_coefficient_count: int = 13"},
    .traits = kPure,
    .shape = mfcc_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMfcc));

}  // namespace rill
