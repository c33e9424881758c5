#include <algorithm>
#include <limits>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kStringNGrams;

namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxPieces = std::int64_t{1} << 30;  // tokens and pads in all n-grams

struct NGrams {
  explicit NGrams(const KernelNode& node)
      : separator(node.attr<std::string>("separator")),
        left_pad(node.attr<std::string>("left_pad")),
        right_pad(node.attr<std::string>("right_pad")),
        widths(node.attr<std::vector<std::int64_t>>("ngram_widths")),
        pad_width(node.attr<std::int64_t>("pad_width")),
        keeps_short_rows(node.attr<bool>("preserve_short_sequences")) {
    for (const std::int64_t width : widths) {
      require(width > 0, "ngram_widths must contain positive values, got ", width);
      require(width <= kMaxInt, "ngram_widths must be at most ", kMaxInt, ", got ", width);
    }
    require(pad_width <= kMaxInt, "pad_width must be at most ", kMaxInt, ", got ", pad_width);
    require(!keeps_short_rows || !widths.empty() || pad_width >= 0,
            "Pad width should be >= 0 when preserve_short_sequences is True and ngram_widths are "
            "not provided, got ",
            pad_width);
  }

  // More pads than this would make n-grams of pads alone.
  std::int64_t pads(std::int64_t width) const {
    return pad_width < 0 ? width - 1 : std::min(pad_width, width - 1);
  }
  std::int64_t count(std::int64_t length, std::int64_t width) const {
    return std::max<std::int64_t>(0, length + 2 * pads(width) - width + 1);
  }
  bool is_kept_whole(std::int64_t length) const {
    return keeps_short_rows && length > 0 &&
           std::ranges::all_of(widths, [&](std::int64_t w) { return count(length, w) == 0; });
  }
  // How many n-grams a row has; adds what they are made of to `pieces`.
  std::int64_t row_count(std::int64_t length, std::int64_t& pieces) const {
    std::int64_t sum = 0;
    for (const std::int64_t width : widths) {
      const std::int64_t n = count(length, width);
      sum += n;
      require(n == 0 || width <= (kMaxPieces - pieces) / n, "n-grams of width ", width,
              " would take more than ", kMaxPieces, " tokens and pads");
      pieces += n * width;
    }
    if (!is_kept_whole(length)) return sum;
    pieces += length + 2 * std::max<std::int64_t>(pad_width, 0);
    require(pieces <= kMaxPieces, "pad_width ", pad_width, " would take more than ", kMaxPieces,
            " tokens and pads");
    return 1;
  }

  // Pieces [begin, end) of a row that has `pads` pads in front of its tokens.
  void join(const std::string* tokens, std::int64_t length, std::int64_t pads, std::int64_t begin,
            std::int64_t end, std::string& out) const {
    const auto piece = [&](std::int64_t i) -> const std::string& {
      return i < pads ? left_pad : i < pads + length ? tokens[i - pads] : right_pad;
    };
    std::size_t size = separator.size() * static_cast<std::size_t>(end - begin - 1);
    for (std::int64_t i = begin; i < end; ++i) size += piece(i).size();
    out.reserve(size);
    for (std::int64_t i = begin; i < end; ++i) {
      if (i > begin) out += separator;
      out += piece(i);
    }
  }
  void write_row(const std::string* tokens, std::int64_t length, std::string* out) const {
    for (const std::int64_t width : widths)
      for (std::int64_t i = 0, n = count(length, width); i < n; ++i)
        join(tokens, length, pads(width), i, i + width, *out++);
    const std::int64_t pad = std::max<std::int64_t>(pad_width, 0);
    if (is_kept_whole(length)) join(tokens, length, pad, 0, length + 2 * pad, *out);
  }

  const std::string &separator, &left_pad, &right_pad;
  const std::vector<std::int64_t>& widths;
  std::int64_t pad_width;
  bool keeps_short_rows;
};

template <class T>
void check_data_splits(std::span<const T> splits, std::int64_t size) {
  if (splits.empty())
    return require(size == 0, "data_splits is empty but there are ", size, " tokens");
  require(splits[0] == 0, "First split value must be 0, got ", splits[0]);
  for (std::size_t i = 1; i < splits.size(); ++i)
    require(splits[i] >= splits[i - 1] && splits[i] <= size, "Invalid split value ", splits[i],
            ", must be in [", splits[i - 1], ", ", size, "]");
  require(splits.back() == size, "Last split value must be data size. Expected ", size, ", got ",
          splits.back());
}

template <class T>
void string_ngrams(KernelCall& call) {
  const NGrams ngrams(call.node());
  const auto tokens = call.input<std::string>(0);
  const auto splits = call.input<T>(1);
  check_data_splits(splits, static_cast<std::int64_t>(tokens.size()));
  const auto out_splits = call.allocate_output(1, call.input_tensor(1).shape()).template flat<T>();
  if (tokens.empty()) {  // in TensorFlow pads alone make no n-grams here
    std::ranges::fill(out_splits, T(0));
    return (void)call.allocate_output(0, {0});
  }
  std::int64_t total = 0, pieces = 0;
  out_splits[0] = 0;
  for (std::size_t row = 0; row + 1 < splits.size(); ++row) {
    total += ngrams.row_count(splits[row + 1] - splits[row], pieces);
    require(total <= std::numeric_limits<T>::max(), total, " n-grams do not fit into ",
            dtype_of<T>);
    out_splits[row + 1] = static_cast<T>(total);
  }
  auto* out = call.allocate_output(0, {total}).template data<std::string>();
  const std::size_t rows = splits.size() - 1;
  call.parallel_for(rows, 20.0 * static_cast<double>(pieces) / static_cast<double>(rows + 1) + 20,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row)
                        ngrams.write_row(tokens.data() + splits[row], splits[row + 1] - splits[row],
                                         out + out_splits[row]);
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kStringNGrams,
     .types = DType::i32,
     .run = string_ngrams<std::int32_t>,
     .allocates = true},
    {.op = &kStringNGrams,
     .types = DType::i64,
     .run = string_ngrams<std::int64_t>,
     .allocates = true},
};

}  // namespace

extern const KernelTable kStringNGramsCpu{kEntries};

}  // namespace rill
