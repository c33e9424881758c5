#include "rill/io/slice_copy.h"

#include <algorithm>
#include <cstring>

#include "rill/base/error.h"

namespace rill {
namespace {

std::int64_t element_count(const Region& region) {
  std::int64_t count = 1;  // cannot overflow: it lies inside of a Shape
  for (const auto& range : region) count *= range.length;
  return count;
}

struct SliceOverlap {
  Region common;
  std::size_t number;
};

void check_apart(std::vector<SliceOverlap>& parts, const std::string& name) {
  const auto start = [](const SliceOverlap& part) {
    return part.common.empty() ? 0 : part.common[0].start;
  };
  std::sort(parts.begin(), parts.end(),
            [&](const SliceOverlap& a, const SliceOverlap& b) { return start(a) < start(b); });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const Region& first = parts[i].common;
      if (!first.empty() && start(parts[j]) >= first[0].start + first[0].length) break;
      if (common_region(first, parts[j].common))
        raise(Code::kInternal, "Overlapping slices of tensor ", name, ": ", TensorSlice(first),
              " and ", TensorSlice(parts[j].common));
    }
  }
}

}  // namespace

SliceCopy::SliceCopy(const Region& stored, const Region& wanted, std::size_t element_size,
                     char* dst)
    : dst_(dst) {
  const auto common = common_region(stored, wanted);
  if (!common) raise(Code::kInternal, "parts of a tensor have no element in common");
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto& shared = (*common)[i];
    outer_.push_back({static_cast<std::uint64_t>(stored[i].length),
                      static_cast<std::uint64_t>(wanted[i].length),
                      static_cast<std::uint64_t>(shared.length),
                      static_cast<std::uint64_t>(shared.start - stored[i].start),
                      static_cast<std::uint64_t>(shared.start - wanted[i].start)});
  }
  // Inner dimensions that both parts hold whole become one long row, and one more beside them.
  std::uint64_t inner = element_size;
  while (!outer_.empty()) {
    const Dim last = outer_.back();
    outer_.pop_back();
    row_ = {last.stored * inner, last.wanted * inner, last.common * inner, last.from * inner,
            last.to * inner};
    if (last.stored != last.common || last.wanted != last.common) return;
    inner = row_.common;
  }
  if (stored.empty()) row_ = {inner, inner, inner, 0, 0};
}

bool SliceCopy::find_row(std::uint64_t row, std::uint64_t* dst_offset) const {
  *dst_offset = 0;
  std::uint64_t stride = row_.wanted;
  for (auto dim = outer_.rbegin(); dim != outer_.rend(); ++dim) {
    const std::uint64_t at = row % dim->stored;
    row /= dim->stored;
    if (at < dim->from || at - dim->from >= dim->common) return false;
    *dst_offset += (at - dim->from + dim->to) * stride;
    stride *= dim->wanted;
  }
  return true;
}

void SliceCopy::feed(std::uint64_t offset, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t within = offset % row_.stored;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), row_.stored - within));
    const std::uint64_t begin = std::max(within, row_.from);
    const std::uint64_t end = std::min(within + count, row_.from + row_.common);
    std::uint64_t row_start = 0;
    if (begin < end && find_row(offset / row_.stored, &row_start))
      std::memcpy(dst_ + row_start + row_.to + (begin - row_.from), bytes.data() + (begin - within),
                  end - begin);
    bytes = bytes.subspan(count);
    offset += count;
  }
}

std::vector<std::size_t> parts_for(const std::string& name, const Shape& full,
                                   const std::vector<TensorSlice>& stored,
                                   const TensorSlice& wanted) {
  const Region region = wanted.region_in(full);
  std::vector<SliceOverlap> parts;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i] == wanted) return {i};
    if (auto common = common_region(stored[i].region_in(full), region))
      parts.push_back({std::move(*common), i});
  }
  check_apart(parts, name);
  std::int64_t missing = element_count(region);
  std::vector<std::size_t> numbers;
  for (const SliceOverlap& part : parts) {
    missing -= element_count(part.common);
    numbers.push_back(part.number);
  }
  require(missing == 0, "Does not have sufficient slices for partitioned tensor ", name,
          " to restore in slice_spec: ", wanted);
  return numbers;
}

}  // namespace rill
