#include <limits>
#include <string>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

std::string little_endian(I value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

// What a WAV is made of; each can be wrong.
struct Parts {
  std::string riff = "RIFF", wave = "WAVE", format_name = "fmt ", before_data = "";
  I format_size = 16, format = 1, channels = 2, rate = 8000, bits = 16;
  I bytes_per_second = -1, bytes_per_frame = -1, data_size = -1;
  std::string data = little_endian(1000, 2) + little_endian(-1000, 2) + little_endian(32767, 2) +
                     little_endian(-32768, 2) + little_endian(0, 2) + little_endian(5, 2);
  std::string data_name = "data", behind = "";
};

Tensor wav(const Parts& p = {}) {
  const I frame = p.bytes_per_frame < 0 ? 2 * p.channels : p.bytes_per_frame;
  const I second = p.bytes_per_second < 0 ? p.rate * frame : p.bytes_per_second;
  const std::string body =
      p.wave + p.format_name + little_endian(p.format_size, 4) + little_endian(p.format, 2) +
      little_endian(p.channels, 2) + little_endian(p.rate, 4) + little_endian(second, 4) +
      little_endian(frame, 2) + little_endian(p.bits, 2) +
      std::string(p.format_size > 16 ? static_cast<std::size_t>(p.format_size - 16) : 0, '\0') +
      p.before_data + p.data_name +
      little_endian(p.data_size < 0 ? static_cast<I>(p.data.size()) : p.data_size, 4) + p.data +
      p.behind;
  return scalar<std::string>(p.riff + little_endian(static_cast<I>(body.size()), 4) + body);
}

OpCase decode(Tensor contents, I channels = -1, I samples = -1, const char* error = "") {
  return {.op = "DecodeWav",
          .in = {std::move(contents)},
          .attrs = {{"desired_channels", channels}, {"desired_samples", samples}},
          .error = error};
}

OpCase encode(Tensor audio, Tensor rate, const char* error = "") {
  return {.op = "EncodeWav", .in = {std::move(audio), std::move(rate)}, .error = error};
}

void add_decoded(std::vector<OpCase>& cases) {
  for (const I channels : {-1, 0, 1, 2, 3})
    for (const I samples : {-1, 0, 2, 5}) cases.push_back(decode(wav(), channels, samples));
  cases.push_back(decode(wav({.format_size = 18})));
  cases.push_back(decode(wav({.before_data = "LIST" + little_endian(4, 4) + "abcd"})));
  cases.push_back(decode(wav({.before_data = "LIST" + little_endian(3, 4) + "abc"})));
  cases.push_back(decode(wav({.behind = "LIST" + little_endian(4, 4) + "abcd"})));
  cases.push_back(decode(wav({.channels = 1, .rate = 44100})));
  cases.push_back(decode(wav({.rate = 0})));
  cases.push_back(decode(wav({.data = ""})));
}

void add_errors(std::vector<OpCase>& cases) {
  const auto fails = [&](const Parts& parts, const char* error) {
    cases.push_back(decode(wav(parts), -1, -1, error));
  };
  fails({.riff = "RIFX"}, "Header mismatch: Expected RIFF but found");
  fails({.wave = "WAVX"}, "Header mismatch: Expected WAVE but found");
  fails({.format_name = "fmtx"}, "Unexpected field");
  fails({.format = 3}, "Bad audio format for WAV: Expected 1 \\(PCM\\), but got3");
  fails({.bits = 8}, "Can only read 16-bit WAV files, but received 8");
  fails({.format_size = 40}, "Bad format chunk size for WAV: Expected 16 or 18, but got40");
  fails({.bytes_per_second = 1}, "Bad bytes per second in WAV header: Expected 32000 but got 1");
  fails({.bytes_per_frame = 3}, "Bad bytes per sample in WAV header: Expected 4 but got 3");
  fails({.channels = 0}, "Bad number of channels for WAV: Expected at least 1, but got 0");
  fails({.data_name = "dat_"}, "No data chunk found in WAV");
  fails({.data_size = 100}, "Data too short when trying to read string");
  fails({.data_size = 0xffffffff}, "is too large: 4294967295 bytes");
  fails({.behind = "data" + little_endian(0, 4)}, "More than one data chunk found in WAV");
  fails({.behind = "xy"}, "Data too short when trying to read string");
  cases.push_back(decode(scalar<std::string>(""), -1, -1, "Data too short"));
  cases.push_back(decode(wav(), -2, -1, "channels must be non-negative, got -2"));
  cases.push_back(decode(wav(), -1, -2, "samples must be non-negative, got -2"));
  cases.push_back(decode(strings({1}, {"RIFF"}), -1, -1, "rank 0|contents must be scalar"));
}

void add_encoded(std::vector<OpCase>& cases) {
  using T = std::int32_t;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  cases.push_back(encode(tensor<float>({3, 2}, {0.1F, -0.1F, 1, 2, -1, -2}), scalar<T>(8000)));
  cases.push_back(encode(tensor<float>({1, 7}, {0.5F / 32768, 1.5F / 32768, 2.5F / 32768,
                                                -0.5F / 32768, 0.25F, kInfinity, -kInfinity}),
                         scalar<T>(44100)));
  cases.push_back(encode(random<float>({500, 1}, 3, -1.1, 1.1), scalar<T>(16000)));
  cases.push_back(encode(Tensor(DType::f32, {0, 2}), scalar<T>(1)));
  const Tensor audio = filled<float>({2, 1}, 0.5);
  cases.push_back(encode(Tensor(DType::f32, {2, 0}), scalar<T>(1), "audio is null"));
  cases.push_back(encode(audio, scalar<T>(0), "sample_rate must be in \\(0, 2\\^32\\), got: 0"));
  cases.push_back(encode(audio, scalar<T>(-1), "sample_rate must be in \\(0, 2\\^32\\)"));
  cases.push_back(encode(audio, tensor<T>({1}, {8000}), "rank 0|should be a scalar"));
  cases.push_back(encode(filled<float>({2}, 0.5), scalar<T>(1), "rank 2|audio must be 2-dimen"));
}

}  // namespace

extern const OpCases kWavCases{"wav", [] {
                                 std::vector<OpCase> cases;
                                 add_decoded(cases);
                                 add_errors(cases);
                                 add_encoded(cases);
                                 return cases;
                               }};

}  // namespace rill
