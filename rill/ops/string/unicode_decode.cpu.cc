#include <limits>

#include "rill/ops/string/bad_characters.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kUnicodeDecode, kUnicodeDecodeWithOffsets;

namespace {

// The characters of some rows, one row after the other, and where each begins in its string.
struct RowBlock {
  std::vector<std::int32_t> characters;
  std::vector<std::int64_t> byte_starts;
};

// Rows are decoded in blocks, side by side.
struct DecodedRows {
  std::size_t rows_per_block = 1;
  std::vector<RowBlock> blocks;
  std::vector<std::int64_t> splits;
};

void decode_row(TextDecoder& decoder, const BadCharacters& bad, std::string_view text,
                RowBlock& block) {
  std::int64_t at = 0;
  decoder.decode(text, [&](const DecodedCharacter& read) {
    char32_t kept;
    if (bad.keep(read, &kept)) {
      block.characters.push_back(static_cast<std::int32_t>(kept));
      block.byte_starts.push_back(at);
    }
    at += static_cast<std::int64_t>(read.byte_count);
  });
}

DecodedRows decode_rows(const KernelCall& call) {
  constexpr double kBlockBytes = 16384;
  const auto texts = call.input<std::string>(0);
  const auto& encoding = call.node().attr<std::string>("input_encoding");
  const BadCharacters bad(call.node(), BadCharacters::Controls::kReplaceable);
  if (texts.empty()) TextDecoder check(encoding);  // an unknown encoding is an error all the same
  const double length = typical_length(texts) + 8;
  DecodedRows rows;
  rows.rows_per_block = static_cast<std::size_t>(kBlockBytes / length) + 1;
  rows.blocks.resize((texts.size() + rows.rows_per_block - 1) / rows.rows_per_block);
  rows.splits.resize(texts.size() + 1);
  call.parallel_for(rows.blocks.size(), 3 * static_cast<double>(rows.rows_per_block) * length,
                    [&](std::size_t begin, std::size_t end) {
                      TextDecoder decoder(encoding);
                      for (std::size_t b = begin; b < end; ++b) {
                        const std::size_t first = b * rows.rows_per_block;
                        const std::size_t last =
                            std::min(texts.size(), first + rows.rows_per_block);
                        for (std::size_t row = first; row < last; ++row) {
                          const std::size_t before = rows.blocks[b].characters.size();
                          decode_row(decoder, bad, texts[row], rows.blocks[b]);
                          rows.splits[row + 1] =
                              static_cast<std::int64_t>(rows.blocks[b].characters.size() - before);
                        }
                      }
                    });
  for (std::size_t row = 0; row < texts.size(); ++row) rows.splits[row + 1] += rows.splits[row];
  return rows;
}

template <class T>
void unicode_decode(KernelCall& call) {
  const DecodedRows rows = decode_rows(call);
  const std::int64_t count = rows.splits.back();
  require(count <= std::numeric_limits<T>::max(), count,
          " characters do not fit into row_splits of ", dtype_of<T>);
  const auto split_count = static_cast<std::int64_t>(rows.splits.size());
  std::ranges::transform(rows.splits, call.allocate_output(0, {split_count}).template data<T>(),
                         [](std::int64_t split) { return static_cast<T>(split); });
  auto* characters = call.allocate_output(1, {count}).template data<std::int32_t>();
  auto* starts = call.output_count() == 3
                     ? call.allocate_output(2, {count}).template data<std::int64_t>()
                     : nullptr;
  for (const RowBlock& block : rows.blocks) {
    characters = std::ranges::copy(block.characters, characters).out;
    if (starts != nullptr) starts = std::ranges::copy(block.byte_starts, starts).out;
  }
}

template <class T>
constexpr KernelEntry decode_entry(const OpDecl* op) {
  return {.op = op, .types = dtype_of<T>, .run = unicode_decode<T>, .allocates = true};
}
constexpr KernelEntry kEntries[] = {decode_entry<std::int32_t>(&kUnicodeDecode),
                                    decode_entry<std::int64_t>(&kUnicodeDecode),
                                    decode_entry<std::int32_t>(&kUnicodeDecodeWithOffsets),
                                    decode_entry<std::int64_t>(&kUnicodeDecodeWithOffsets)};

}  // namespace

extern const KernelTable kUnicodeDecodeCpu{kEntries};

}  // namespace rill
