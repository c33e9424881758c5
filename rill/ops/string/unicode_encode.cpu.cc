#include "rill/ops/string/bad_characters.h"
#include "rill/ops/string/map_strings.h"
#include "rill/ops/string/text_encoding.h"
#include "rill/ops/string/unicode_text.h"

namespace rill {

extern const OpDecl kUnicodeEncode, kUnicodeTranscode, kUnicodeScript;

namespace {

// Neither a surrogate nor one of the numbers that Unicode keeps free of characters.
bool is_character(std::int32_t number) {
  const auto c = static_cast<char32_t>(number);
  return c <= kLastCharacter && !(c >= 0xd800 && c <= 0xdfff) && !(c >= 0xfdd0 && c <= 0xfdef) &&
         (c & 0xfffe) != 0xfffe;
}

// What UnicodeEncode's `errors` asks for. "ignore" leaves out only what no encoding can write.
class EncodeErrors {
 public:
  explicit EncodeErrors(const KernelNode& node)
      : replacement_(replacement_character(node)), errors_(node.attr<std::string>("errors")) {}

  void append(std::int32_t number, std::u32string& text) const {
    if (is_character(number)) return text.push_back(static_cast<char32_t>(number));
    require(errors_ != "strict", "Code point is out of range for Unicode, or a noncharacter.");
    if (errors_ == "replace") return text.push_back(replacement_);
    const auto c = static_cast<char32_t>(number);
    if (c <= kLastCharacter) text.push_back(c);
  }

 private:
  char32_t replacement_;
  const std::string& errors_;
};

template <class T>
void check_input_splits(std::span<const T> splits, std::int64_t size) {
  require(splits[0] == 0, "First value in input_splits must be zero.");
  require(splits.back() == size,
          "Last value in input_splits must be equal to length of input_tensor.");
  require(std::ranges::is_sorted(splits),
          "Values in input_splits must be equal or in ascending order.");
}

template <class T>
void unicode_encode(KernelCall& call) {
  const auto numbers = call.input<std::int32_t>(0);
  const auto splits = call.input<T>(1);
  const auto out = call.output<std::string>(0);
  check_input_splits(splits, static_cast<std::int64_t>(numbers.size()));
  const EncodeErrors errors(call.node());
  const auto encoding = text_encoding(call.node().attr<std::string>("output_encoding"));
  const double row_length =
      static_cast<double>(numbers.size()) / (static_cast<double>(out.size()) + 1);
  call.parallel_for(out.size(), 30 + 5 * row_length, [&](std::size_t begin, std::size_t end) {
    std::u32string text;
    for (std::size_t row = begin; row < end; ++row) {
      text.clear();
      for (auto i = splits[row]; i < splits[row + 1]; ++i)
        errors.append(numbers[static_cast<std::size_t>(i)], text);
      append_encoded(text, encoding, out[row]);
    }
  });
}

void unicode_transcode(KernelCall& call) {
  const auto texts = call.input<std::string>(0);
  const auto out = call.output<std::string>(0);
  const auto& input_encoding = call.node().attr<std::string>("input_encoding");
  const auto encoding = text_encoding(call.node().attr<std::string>("output_encoding"));
  const BadCharacters bad(call.node(), BadCharacters::Controls::kErrors);
  if (texts.empty()) TextDecoder check(input_encoding);  // an unknown encoding is an error anyway
  call.parallel_for(texts.size(), 50 + 8 * typical_length(texts),
                    [&](std::size_t begin, std::size_t end) {
                      TextDecoder decoder(input_encoding);
                      std::u32string text;
                      for (std::size_t i = begin; i < end; ++i) {
                        text.clear();
                        decoder.decode(texts[i], [&](const DecodedCharacter& read) {
                          char32_t kept;
                          if (bad.keep(read, &kept)) text.push_back(kept);
                        });
                        append_encoded(text, encoding, out[i]);
                      }
                    });
}

void unicode_script(KernelCall& call) {
  const auto in = call.input<std::int32_t>(0);
  const auto out = call.output<std::int32_t>(0);
  call.parallel_for(in.size(), 3, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = script_of(in[i]);
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kUnicodeEncode, .types = DType::i32, .run = unicode_encode<std::int32_t>},
    {.op = &kUnicodeEncode, .types = DType::i64, .run = unicode_encode<std::int64_t>},
    {.op = &kUnicodeTranscode, .run = unicode_transcode},
    {.op = &kUnicodeScript, .run = unicode_script},
};

}  // namespace

extern const KernelTable kUnicodeEncodeCpu{kEntries};

}  // namespace rill
