#include <array>

#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kEncodeBase64, kDecodeBase64;

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint32_t kNoDigit = 0xffffffff;

constexpr auto kDigitOf = [] {
  std::array<std::uint32_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::uint32_t i = 0; i < kAlphabet.size(); ++i)
    digits[static_cast<unsigned char>(kAlphabet[i])] = i;
  return digits;
}();

// Three bytes, missing ones zero, as one number of 24 bits.
std::uint32_t bits_of(std::string_view bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 3; ++i)
    bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  return bits;
}

void encode(std::string_view bytes, bool pad, std::string& out) {
  const std::size_t rest = bytes.size() % 3;
  out.resize(bytes.size() / 3 * 4 + (rest == 0 ? 0 : pad ? 4 : rest + 1), '=');
  char* dst = out.data();
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(3, bytes.size()))) {
    const std::uint32_t bits = bits_of(bytes.substr(0, 3));
    const std::size_t digits = std::min<std::size_t>(3, bytes.size()) + 1;
    for (std::size_t i = 0; i < digits; ++i) *dst++ = kAlphabet[bits >> (18 - 6 * i) & 63];
  }
}

// Padding may end only a text whose length is a multiple of four.
std::string_view without_padding(std::string_view text) {
  require(text.size() % 4 != 1 || text.ends_with("=="),
          "Base64 string length cannot be 1 modulo 4.");
  if (text.size() % 4 != 0) return text;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

void decode(std::string_view text, std::string& out) {
  text = without_padding(text);
  out.resize(text.size() * 3 / 4);
  char* dst = out.data();
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(4, text.size()))) {
    const std::string_view group = text.substr(0, 4);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t digit =
          i < group.size() ? kDigitOf[static_cast<unsigned char>(group[i])] : 0;
      require(digit != kNoDigit, "Invalid character found in base64.");
      bits = bits << 6 | digit;
    }
    for (std::size_t i = 0; i + 1 < group.size(); ++i)
      *dst++ = static_cast<char>(bits >> (16 - 8 * i));
  }
}

void encode_base64(KernelCall& call) {
  const bool pad = call.node().attr<bool>("pad");
  map_strings<std::string>(
      call, 30, 1, [pad](const std::string& bytes, std::string& out) { encode(bytes, pad, out); });
}

void decode_base64(KernelCall& call) {
  map_strings<std::string>(call, 30, 1,
                           [](const std::string& text, std::string& out) { decode(text, out); });
}

constexpr KernelEntry kEntries[] = {{.op = &kEncodeBase64, .run = encode_base64},
                                    {.op = &kDecodeBase64, .run = decode_base64}};

}  // namespace

extern const KernelTable kBase64Cpu{kEntries};

}  // namespace rill
