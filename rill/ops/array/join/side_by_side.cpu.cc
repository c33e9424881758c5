#include "rill/ops/array/join/side_by_side.h"

#include <algorithm>

#include "rill/ops/array/values/element_types.h"

namespace rill {
namespace {

constexpr std::int64_t kShort = 8;  // a call to copy so few elements takes longer than the copy

template <class T>
void copy_few_or_many(T* dst, const T* src, std::int64_t count) {
  if (count > kShort) return void(std::copy_n(src, count, dst));
  for (std::int64_t i = 0; i < count; ++i) dst[i] = src[i];
}

constexpr std::int64_t kFewRows = 8;
constexpr std::size_t kBlockBytes = 16 << 10;
constexpr std::int64_t kMaxSingles = 4;

// `width` columns of `rows` rows of the whole, which lie `row` apart there.
template <bool kJoins, int kWidth, class T>
void move_columns(T* whole, std::int64_t row, T* part, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) {
    T* const to = kJoins ? whole + i * row : part + i * kWidth;
    const T* const from = kJoins ? part + i * kWidth : whole + i * row;
#pragma GCC unroll 8
    for (int k = 0; k < kWidth; ++k) to[k] = from[k];
  }
}

template <bool kJoins, class T>
void move_piece(T* whole, std::int64_t row, T* part, std::int64_t width, std::int64_t rows) {
  using Move = void (*)(T*, std::int64_t, T*, std::int64_t);
  static constexpr Move kMoves[kShort] = {move_columns<kJoins, 1, T>, move_columns<kJoins, 2, T>,
                                          move_columns<kJoins, 3, T>, move_columns<kJoins, 4, T>,
                                          move_columns<kJoins, 5, T>, move_columns<kJoins, 6, T>,
                                          move_columns<kJoins, 7, T>, move_columns<kJoins, 8, T>};
  kMoves[width - 1](whole, row, part, rows);
}

// Rows that consist of one element of each part, as pixels do of channels: vectorised.
template <bool kJoins, int kCount, class T>
void interleave(T* whole, T* const* parts, std::int64_t rows) {
  T* at[kCount];
  for (int k = 0; k < kCount; ++k) at[k] = parts[k];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < rows; ++i)
#pragma GCC unroll 4
    for (int k = 0; k < kCount; ++k)
      kJoins ? whole[i * kCount + k] = at[k][i] : at[k][i] = whole[i * kCount + k];
}

template <bool kJoins, class T>
void move_singles(T* whole, T* const* parts, std::int64_t count, std::int64_t rows) {
  if (count == 1) return interleave<kJoins, 1>(whole, parts, rows);
  if (count == 2) return interleave<kJoins, 2>(whole, parts, rows);
  if (count == 3) return interleave<kJoins, 3>(whole, parts, rows);
  interleave<kJoins, 4>(whole, parts, rows);
}

}  // namespace

SideBySide::SideBySide(const Tensor& whole, std::int64_t axis) : whole_(whole) {
  if (axis < 0) axis += whole.rank();
  for (int i = 0; i < axis; ++i) row_count_ *= whole.dim(i);
  row_ = whole.element_count() / row_count_;
}

void SideBySide::add(const Tensor& piece) {
  const std::int64_t begin = pieces_.empty() ? 0 : pieces_.back().begin + pieces_.back().width;
  const std::int64_t width = piece.element_count() / row_count_;
  if (width > 0) pieces_.push_back({piece.raw_data(), begin, width});
}

template <bool kJoins>
void SideBySide::move(const KernelCall& call) const {
  const auto total = static_cast<std::size_t>(row_count_ * row_);
  const double pieces = static_cast<double>(pieces_.size()), columns = static_cast<double>(row_);
  with_element_type(whole_.dtype(), [&]<class T>(T*) {
    T* const whole = static_cast<T*>(whole_.raw_data());
    const double nanos = 0.05 * sizeof(T) + 5 * pieces / columns;
    call.parallel_for(total, nanos, [&](std::size_t first, std::size_t last) {
      const auto end = static_cast<std::int64_t>(last);
      auto at = static_cast<std::int64_t>(first);
      std::int64_t row = at / row_, column = at % row_;
      auto piece = std::ranges::upper_bound(pieces_, column, {}, &Piece::begin) - 1;
      while (at < end) {
        const std::int64_t skipped = column - piece->begin;
        const std::int64_t count = std::min(piece->width - skipped, end - at);
        T* const part = static_cast<T*>(piece->at) + row * piece->width + skipped;
        kJoins ? copy_few_or_many(whole + at, part, count)
               : copy_few_or_many(part, whole + at, count);
        at += count;
        column += count;
        if (++piece == pieces_.end()) {
          piece = pieces_.begin();
          column = 0;
          ++row;
        }
      }
    });
  });
}

// Pieces of a few elements: a call or a branch for each would take longer than the copy. Each piece
// is copied through a block of rows that stays in the first-level cache.
template <bool kJoins>
void SideBySide::move_narrow(const KernelCall& call) const {
  with_element_type(whole_.dtype(), [&]<class T>(T*) {
    T* const whole = static_cast<T*>(whole_.raw_data());
    const auto block = std::max<std::int64_t>(kBlockBytes / sizeof(T) / row_, 8);
    const double nanos = (0.3 + 0.05 * sizeof(T)) * static_cast<double>(row_);
    const auto rows = static_cast<std::size_t>(row_count_);
    call.parallel_for(rows, nanos, [&](std::size_t first, std::size_t last) {
      const auto end = static_cast<std::int64_t>(last);
      for (auto row = static_cast<std::int64_t>(first); row < end; row += block) {
        const std::int64_t count = std::min(block, end - row);
        T* const at = whole + row * row_;
        if (row_ <= kMaxSingles && row_ == static_cast<std::int64_t>(pieces_.size())) {
          T* parts[kMaxSingles] = {};
          for (std::size_t k = 0; k < pieces_.size(); ++k)
            parts[k] = static_cast<T*>(pieces_[k].at) + row;
          move_singles<kJoins>(at, parts, row_, count);
          continue;
        }
        for (const Piece& piece : pieces_)
          move_piece<kJoins>(at + piece.begin, row_, static_cast<T*>(piece.at) + row * piece.width,
                             piece.width, count);
      }
    });
  });
}

bool SideBySide::is_narrow() const {
  return row_count_ >= kFewRows &&
         std::ranges::all_of(pieces_, [](const Piece& p) { return p.width <= kShort; });
}

void SideBySide::join(const KernelCall& call) const {
  is_narrow() ? move_narrow<true>(call) : move<true>(call);
}
void SideBySide::split(const KernelCall& call) const {
  is_narrow() ? move_narrow<false>(call) : move<false>(call);
}

}  // namespace rill
