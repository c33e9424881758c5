#include <algorithm>
#include <limits>

#include "rill/io/wav.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kDecodeWav, kEncodeWav;

namespace {

void decode(KernelCall& call) {
  const Tensor& contents = call.input_tensor(0);
  require(contents.rank() == 0, "contents must be scalar, got shape ", contents.shape());
  const WavSamples wav = decode_wav(*contents.data<std::string>());
  require(wav.sample_rate <= std::numeric_limits<std::int32_t>::max(), "sample_rate ",
          wav.sample_rate, " does not fit into 32 bits");
  const auto wanted_channels = call.node().attr<std::int64_t>("desired_channels");
  const auto wanted_frames = call.node().attr<std::int64_t>("desired_samples");
  const std::int64_t channels = wanted_channels < 0 ? wav.channels : wanted_channels;
  const std::int64_t frames = wanted_frames < 0 ? wav.frames : wanted_frames;
  auto* audio = call.allocate_output(0, {frames, channels}).data<float>();
  const std::int64_t heard = std::min(frames, wav.frames);
  for (std::int64_t frame = 0; frame < heard; ++frame)
    for (std::int64_t channel = 0; channel < channels; ++channel)
      *audio++ = wav.sample(frame, std::min(channel, wav.channels - 1));
  std::fill_n(audio, (frames - heard) * channels, 0.0F);
  *call.allocate_output(1, {}).data<std::int32_t>() = static_cast<std::int32_t>(wav.sample_rate);
}

void encode(KernelCall& call) {
  const Tensor& audio = call.input_tensor(0);
  require(audio.dim(1) > 0, "num_channels must be in (0, 2^16), got: 0; audio is null");
  const std::int32_t rate = call.input<std::int32_t>(1)[0];
  require(rate > 0, "sample_rate must be in (0, 2^32), got: ", rate);
  call.output<std::string>(0)[0] = encode_wav({.frames = audio.dim(0),
                                               .channels = audio.dim(1),
                                               .sample_rate = rate,
                                               .samples = audio.flat<float>()});
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDecodeWav, .run = decode, .allocates = true},
    {.op = &kEncodeWav, .run = encode},
};

}  // namespace

extern const KernelTable kWavCpu{kEntries};

}  // namespace rill
