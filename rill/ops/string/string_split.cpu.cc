#include <limits>

#include "rill/ops/string/assign_piece.h"
#include "rill/ops/string/byte_marks.h"
#include "rill/ops/string/cut_text.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kStringSplit, kStringSplitV2;

namespace {

// The tokens of all rows. Rows are cut in blocks, side by side; tokens are views into the input.
struct Cut {
  std::size_t rows_per_block = 1;
  std::vector<Tokens> blocks;
  std::vector<std::size_t> first;  // of each row, among all tokens; then how many there are
};

template <class Cutter>
Cut cut_rows(const KernelCall& call, std::span<const std::string> rows, Cutter cutter) {
  constexpr double kBlockBytes = 16384;
  const double length = typical_length(rows) + 8;
  Cut cut;
  cut.rows_per_block = static_cast<std::size_t>(kBlockBytes / length) + 1;
  cut.blocks.resize((rows.size() + cut.rows_per_block - 1) / cut.rows_per_block);
  cut.first.resize(rows.size() + 1);
  call.parallel_for(cut.blocks.size(), static_cast<double>(cut.rows_per_block) * length,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t b = begin; b < end; ++b) {
                        Tokens& tokens = cut.blocks[b];
                        tokens.reserve(static_cast<std::size_t>(kBlockBytes) / 4);
                        const std::size_t first = b * cut.rows_per_block;
                        const std::size_t last = std::min(rows.size(), first + cut.rows_per_block);
                        for (std::size_t row = first; row < last; ++row) {
                          const std::size_t before = tokens.size();
                          cutter(rows[row], tokens);
                          cut.first[row + 1] = tokens.size() - before;
                        }
                      }
                    });
  for (std::size_t row = 0; row < rows.size(); ++row) cut.first[row + 1] += cut.first[row];
  return cut;
}

// Writes tokens [begin, end) of all.
void write_tokens(const Cut& cut, std::span<const std::string> rows, std::size_t begin,
                  std::size_t end, std::int64_t* indices, std::string* values) {
  std::size_t row =
      static_cast<std::size_t>(std::ranges::upper_bound(cut.first, begin) - cut.first.begin() - 1);
  for (std::size_t i = begin; i < end; ++row) {
    const std::size_t block = row / cut.rows_per_block;
    const Tokens& tokens = cut.blocks[block];
    const char* const text_end = rows[row].data() + rows[row].size();
    const std::size_t block_first = cut.first[block * cut.rows_per_block];
    for (const std::size_t stop = std::min(end, cut.first[row + 1]); i < stop; ++i) {
      indices[2 * i] = static_cast<std::int64_t>(row);
      indices[2 * i + 1] = static_cast<std::int64_t>(i - cut.first[row]);
      assign_piece(values[i], tokens[i - block_first], text_end);
    }
  }
}

const std::string& separator_of(const KernelCall& call, const char* name) {
  const Tensor &texts = call.input_tensor(0), &separator = call.input_tensor(1);
  require(texts.rank() == 1, "input must be a vector, got shape: ", texts.shape());
  require(separator.rank() == 0, name, " must be a scalar, got shape: ", separator.shape());
  return separator.scalar_value<std::string>();
}

template <class Cutter>
void split(KernelCall& call, Cutter cutter) {
  const auto rows = call.input<std::string>(0);
  const Cut cut = cut_rows(call, rows, cutter);
  const std::size_t count = cut.first.back();
  std::size_t widest = 0;
  for (std::size_t row = 0; row < rows.size(); ++row)
    widest = std::max(widest, cut.first[row + 1] - cut.first[row]);
  const auto signed_count = static_cast<std::int64_t>(count);
  auto* indices = call.allocate_output(0, {signed_count, 2}).template data<std::int64_t>();
  auto* values = call.allocate_output(1, {signed_count}).template data<std::string>();
  auto* shape = call.allocate_output(2, {2}).template data<std::int64_t>();
  shape[0] = static_cast<std::int64_t>(rows.size());
  shape[1] = static_cast<std::int64_t>(widest);
  call.parallel_for(count, 12, [&](std::size_t begin, std::size_t end) {
    write_tokens(cut, rows, begin, end, indices, values);
  });
}

void run_split(KernelCall& call) {
  const auto& delimiter = separator_of(call, "delimiter");
  if (delimiter.empty()) return split(call, cut_bytes);
  const bool skip_empty = call.node().attr<bool>("skip_empty");
  if (delimiter.size() == 1)
    return split(call, MarkCutter<MarkByte>{MarkByte(delimiter[0]), skip_empty, false});
  split(call, MarkCutter<MarkSet>{MarkSet(delimiter), skip_empty, false});
}

void run_split_v2(KernelCall& call) {
  const auto& separator = separator_of(call, "sep");
  const std::int64_t maxsplit = call.node().attr<std::int64_t>("maxsplit");
  if (maxsplit < 0 && separator.empty())
    return split(call, MarkCutter<MarkSpaces>{MarkSpaces(), true, false});
  if (maxsplit < 0 && separator.size() == 1)
    return split(call, MarkCutter<MarkByte>{MarkByte(separator[0]), false, true});
  const std::int64_t cuts = maxsplit < 0 ? std::numeric_limits<std::int64_t>::max() : maxsplit;
  if (separator.empty())
    return split(call,
                 [=](std::string_view text, Tokens& tokens) { cut_at_spaces(text, cuts, tokens); });
  split(call,
        [&](std::string_view text, Tokens& tokens) { cut_at(separator, text, cuts, tokens); });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kStringSplit, .run = run_split, .allocates = true},
    {.op = &kStringSplitV2, .run = run_split_v2, .allocates = true}};

}  // namespace

extern const KernelTable kStringSplitCpu{kEntries};

}  // namespace rill
