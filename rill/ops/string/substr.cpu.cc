#include "rill/ops/string/map_strings.h"
#include "rill/ops/string/utf8_units.h"
#include "rill/tensor/strided.h"

namespace rill {

extern const OpDecl kSubstr, kStringLength;

namespace {

bool counts_characters(const KernelCall& call) {
  return call.node().attr<std::string>("unit") == "UTF8_CHAR";
}

// A negative length reaches to the end.
std::string_view bytes_of(std::string_view text, std::int64_t pos, std::int64_t len,
                          std::int64_t at) {
  const auto size = static_cast<std::int64_t>(text.size());
  require(pos >= -size && pos <= size, "pos ", pos, " out of range for string b'", text,
          "' at index ", at);
  const auto begin = static_cast<std::size_t>(pos < 0 ? pos + size : pos);
  return text.substr(begin, static_cast<std::size_t>(len));
}

// A negative length is an empty piece, and an error behind a negative position.
std::string_view characters_of(std::string_view text, std::int64_t pos, std::int64_t len,
                               std::int64_t at) {
  const auto out_of_range = [&](bool in_range) {
    require(in_range, "pos ", pos, " out of range for string at index ", at);
  };
  std::int64_t skipped = pos;
  if (pos < 0) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < text.size(); i = character_end(text, i)) ++count;
    out_of_range(pos >= -count && (len >= 0));
    skipped = pos + count;
  }
  std::size_t begin = 0;
  for (; skipped > 0 && begin < text.size(); --skipped) begin = character_end(text, begin);
  out_of_range(skipped == 0);
  std::size_t end = begin;
  for (; len > 0 && end < text.size(); --len) end = character_end(text, end);
  return text.substr(begin, end - begin);
}

// `piece_of` is known at compile time so that it can be a part of the loop.
template <class T, auto piece_of>
void substr_by(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &pos = call.input_tensor(1), &len = call.input_tensor(2);
  const Tensor& y = call.output_tensor(0);
  const RowLoop loop{dense_view(y.raw_data(), y.shape(), sizeof(std::string)),
                     broadcast_view(x.raw_data(), x.shape(), y.shape(), sizeof(std::string)),
                     broadcast_view(pos.raw_data(), pos.shape(), y.shape(), sizeof(T)),
                     broadcast_view(len.raw_data(), len.shape(), y.shape(), sizeof(T))};
  const auto cut = [&](std::byte* const* at, std::size_t begin, std::size_t end) {
    auto* out = reinterpret_cast<std::string*>(at[0]);
    for (std::size_t i = begin; i < end; ++i) {
      const auto place = [&](int operand) {
        return at[operand] + static_cast<std::int64_t>(i) * loop.step(operand);
      };
      const auto& text = *reinterpret_cast<const std::string*>(place(1));
      out[i] = piece_of(text, *reinterpret_cast<const T*>(place(2)),
                        *reinterpret_cast<const T*>(place(3)), out + i - y.data<std::string>());
    }
  };
  const double cost = 15 + 0.5 * typical_length(x.flat<std::string>());
  // Threads share long rows, or many short ones.
  if (loop.row_length() >= 1024)
    return loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t n) {
      call.parallel_for(n, cost, [&](std::size_t begin, std::size_t end) { cut(at, begin, end); });
    });
  call.parallel_for(loop.piece_count(), cost * static_cast<double>(loop.row_length()),
                    [&](std::size_t begin, std::size_t end) {
                      loop.run(begin, end,
                               [&](std::byte* const* at, std::size_t n) { cut(at, 0, n); });
                    });
}

template <class T>
void substr(KernelCall& call) {
  counts_characters(call) ? substr_by<T, characters_of>(call) : substr_by<T, bytes_of>(call);
}

void string_length(KernelCall& call) {
  if (counts_characters(call))
    map_strings<std::int32_t>(call, 5, 0.3, [](const std::string& text, std::int32_t& length) {
      length = static_cast<std::int32_t>(count_beginnings(text));
    });
  else
    map_strings<std::int32_t>(call, 1, 0, [](const std::string& text, std::int32_t& length) {
      length = static_cast<std::int32_t>(text.size());
    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSubstr, .types = DType::i32, .run = substr<std::int32_t>},
    {.op = &kSubstr, .types = DType::i64, .run = substr<std::int64_t>},
    {.op = &kStringLength, .run = string_length}};

}  // namespace

extern const KernelTable kSubstrCpu{kEntries};

}  // namespace rill
