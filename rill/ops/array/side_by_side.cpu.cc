#include "rill/ops/array/side_by_side.h"

#include <algorithm>

#include "rill/ops/array/element_types.h"

namespace rill {
namespace {

constexpr std::int64_t kShort = 8;  // a call to copy so few elements takes longer than the copy

template <class T>
void copy_few_or_many(T* dst, const T* src, std::int64_t count) {
  if (count > kShort) return void(std::copy_n(src, count, dst));
  for (std::int64_t i = 0; i < count; ++i) dst[i] = src[i];
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

void SideBySide::join(const KernelCall& call) const { move<true>(call); }
void SideBySide::split(const KernelCall& call) const { move<false>(call); }

}  // namespace rill
