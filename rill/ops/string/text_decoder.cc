#include "rill/ops/string/text_decoder.h"

#include <unicode/ucnv.h>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// What a first byte says: how long its character is, and where the second byte may lie.
struct Lead {
  std::size_t length;
  unsigned char second_low = 0x80, second_high = 0xbf;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {0};
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0};
  if (byte == 0xed) return {3, 0x80, 0x9f};  // no surrogates
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};  // up to U+10FFFF
  return {0};
}

// Notes that there was an error and goes on as ICU does by itself, with U+FFFD.
void note_error(const void* context, UConverterToUnicodeArgs* args, const char* bytes,
                std::int32_t length, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason == UCNV_UNASSIGNED || reason == UCNV_ILLEGAL || reason == UCNV_IRREGULAR)
    *static_cast<bool*>(const_cast<void*>(context)) = true;
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, args, bytes, length, reason, status);
}

bool names_utf8(const std::string& encoding) {
  const std::string name = lower(encoding);
  return name == "utf-8" || name == "utf8";
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1, false};
  const Lead lead = lead_of(first);
  if (lead.length == 0) return {kReplacement, 1, true};
  char32_t character = first & (0x7fu >> lead.length);
  for (std::size_t i = 1; i < lead.length; ++i) {
    const auto byte = i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    const int low = i == 1 ? lead.second_low : 0x80, high = i == 1 ? lead.second_high : 0xbf;
    if (byte < low || byte > high) return {kReplacement, i, true};
    character = character << 6 | (byte & 0x3f);
  }
  return {character, lead.length, false};
}

struct TextDecoder::Converter {
  explicit Converter(const std::string& encoding) {
    UErrorCode status = U_ZERO_ERROR;
    converter = encoding.empty() ? nullptr : ucnv_open(encoding.c_str(), &status);
    require(converter != nullptr && U_SUCCESS(status),
            "Could not create converter for input encoding: ", encoding);
    ucnv_setToUCallBack(converter, note_error, &had_error, nullptr, nullptr, &status);
  }
  ~Converter() { ucnv_close(converter); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  UConverter* converter = nullptr;
  bool had_error = false;
};

TextDecoder::TextDecoder(const std::string& encoding) {
  if (!names_utf8(encoding)) converter_ = std::make_unique<Converter>(encoding);
}
TextDecoder::~TextDecoder() = default;

void TextDecoder::decode(std::string_view text, FunctionRef<void(const DecodedCharacter&)> visit) {
  if (converter_ == nullptr) {
    while (!text.empty()) {
      const DecodedCharacter next = decode_utf8(text);
      visit(next);
      text.remove_prefix(next.byte_count);
    }
    return;
  }
  UConverter* const converter = converter_->converter;
  ucnv_resetToUnicode(converter);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const char* const before = at;
    UErrorCode status = U_ZERO_ERROR;
    converter_->had_error = false;
    const UChar32 character = ucnv_getNextUChar(converter, &at, end, &status);
    // What ends a text without being a character, such as a change of alphabets, reads as U+FFFF,
    // as it does in TensorFlow.
    if (U_FAILURE(status)) at = end;
    visit({static_cast<char32_t>(character), static_cast<std::size_t>(at - before),
           converter_->had_error});
  }
}

}  // namespace rill
