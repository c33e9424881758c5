// Reads any bytes as text: every encoding accounts for each byte once, characters survive being
// written and read again, cutting agrees with cutting byte by byte, and numbers are read or
// refused.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "rill/ops/string/byte_marks.h"
#include "rill/ops/string/cut_text.h"
#include "rill/ops/string/number_text.h"
#include "rill/ops/string/text_decoder.h"
#include "rill/ops/string/text_encoding.h"
#include "rill/ops/string/unicode_text.h"

namespace {

// The target's own claims, not the library's: a broken one ends the run here.
void expect(bool holds) {
  if (!holds) std::abort();
}

std::u32string characters(std::string_view text, const char* encoding) {
  std::u32string all;
  std::size_t bytes = 0;
  rill::TextDecoder decoder(encoding);
  decoder.decode(text, [&](const rill::DecodedCharacter& read) {
    expect(read.character <= 0x10ffff);
    all.push_back(read.character);
    bytes += read.byte_count;
  });
  expect(bytes == text.size());
  return all;
}

void expect_round_trip(const std::u32string& text, const char* encoding) {
  std::string written;
  rill::append_encoded(text, rill::text_encoding(encoding), written);
  expect(characters(written, encoding) == text);
}

void expect_same_cuts(std::string_view text, char separator) {
  rill::Tokens by_marks, one_by_one;
  rill::MarkCutter<rill::MarkByte>{rill::MarkByte(separator), false, true}(text, by_marks);
  rill::cut_at({&separator, 1}, text, INT64_MAX, one_by_one);
  rill::Tokens words, words_one_by_one;
  rill::MarkCutter<rill::MarkSpaces>{rill::MarkSpaces(), true, false}(text, words);
  rill::cut_at_spaces(text, INT64_MAX, words_one_by_one);
  expect(by_marks.size() == one_by_one.size() && words.size() == words_one_by_one.size());
  for (std::size_t i = 0; i < by_marks.size(); ++i) expect(by_marks[i] == one_by_one[i]);
  for (std::size_t i = 0; i < words.size(); ++i) expect(words[i] == words_one_by_one[i]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::u32string read = characters(text, "UTF-8");
  for (const char* encoding : {"UTF-8", "UTF-16-BE", "UTF-32-BE"})
    expect_round_trip(read, encoding);
  for (const char* encoding : {"UTF-16", "UTF-32", "SHIFT-JIS", "GBK", "ISO-2022-JP", "UTF-7"})
    characters(text, encoding);
  for (const char separator : {' ', '\0', '\n', '\x80'}) expect_same_cuts(text, separator);
  float number = 1;
  double wide = 1;
  std::int64_t integer = 1;
  expect(rill::read_number(text, &number) == rill::read_number(text, &wide));
  rill::read_number(text, &integer);
  rill::utf8_lower(text);
  rill::utf8_upper(text);
  return 0;
}
