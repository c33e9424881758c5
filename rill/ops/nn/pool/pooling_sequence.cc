#include "rill/ops/nn/pool/pooling_sequence.h"

#include <algorithm>
#include <cmath>

#include "rill/base/error.h"
#include "rill/ops/random/philox_rows.h"
#include "rill/ops/random/shuffle.h"

namespace rill {
namespace {

// Long windows first, then shuffled.
std::vector<std::int64_t> shuffled_sizes(std::int64_t length, std::int64_t count, Philox& stream) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count), length / count);
  for (std::int64_t i = 0; i < length % count; ++i) ++sizes[static_cast<std::size_t>(i)];
  shuffle(std::span(sizes), stream);
  stream.skip(static_cast<std::uint64_t>(count + 3) / 4);
  return sizes;
}

// Window i ends at ceil(alpha (i + u)) of a count from one; u is small enough for all sizes to be
// length / count or one more.
std::vector<std::int64_t> shifted_sizes(std::int64_t length, std::int64_t count, Philox& stream) {
  const double alpha = static_cast<double>(length) / static_cast<double>(count);
  const auto shortest = static_cast<double>(length / count);
  const double first_limit = (shortest + 2) / alpha - 1,
               last_limit = (static_cast<double>(length) + 1 - shortest) / alpha -
                            static_cast<double>(count - 1);
  const Philox::Block words = stream.next();
  const double u = uniform_double(words[0], words[1]) * std::min(first_limit, last_limit);
  std::vector<std::int64_t> sizes;
  std::int64_t before = 1;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::int64_t end =
        i == count ? length + 1
                   : static_cast<std::int64_t>(std::ceil(alpha * (static_cast<double>(i) + u)));
    sizes.push_back(end - std::exchange(before, end));
  }
  return sizes;
}

}  // namespace

std::vector<std::int64_t> pooling_sequence(std::int64_t length, std::int64_t count,
                                           bool pseudo_random, Philox& stream) {
  std::vector<std::int64_t> sizes;
  if (length % count == 0)
    sizes.assign(static_cast<std::size_t>(count), length / count);
  else
    sizes = pseudo_random ? shifted_sizes(length, count, stream)
                          : shuffled_sizes(length, count, stream);
  std::vector<std::int64_t> ends{0};
  for (const std::int64_t size : sizes) ends.push_back(ends.back() + size);
  return ends;
}

std::vector<Span> pooling_spans(std::span<const std::int64_t> sequence, std::int64_t length,
                                bool overlapping) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i + 1 < sequence.size(); ++i) {
    require(sequence[i] >= 0 && sequence[i] < sequence[i + 1] && sequence[i + 1] <= length,
            "a pooling sequence must rise from 0 on to at most ", length, ", but ", sequence[i],
            " is followed by ", sequence[i + 1]);
    const std::int64_t shared = overlapping ? 1 : 0;
    spans.push_back({sequence[i], std::min(length, sequence[i + 1] + shared)});
  }
  return spans;
}

}  // namespace rill
