#pragma once

#include <algorithm>
#include <vector>

#include "rill/ops/nn/channels/batch_norm_rows.h"
#include "rill/ops/nn/channels/widened.h"

namespace rill {

// Images of rank 4 as strips of consecutive elements, each a matrix whose columns belong to one
// channel: to all in turn where channels are last, else to the one of the strip. Columns are many
// even if channels are few, so that loops over them fill vectors. A last row may be shorter.
class ChannelColumns {
 public:
  struct Strip {
    std::int64_t begin, size, channel;  // channel: of the first column
  };

  ChannelColumns(const Shape& images, bool channels_last)
      : last_(channels_last),
        channels_(images.dim(channels_last ? 3 : 1)),
        size_(images.element_count()),
        per_channel_(size_ == 0 ? 0 : size_ / channels_),
        space_(size_ == 0 ? 1 : per_channel_ / images.dim(0)) {
    const std::int64_t narrowest = last_ ? std::max<std::int64_t>(1, channels_) : 1;
    const std::int64_t repeats = std::max<std::int64_t>(1, kWidth / narrowest);
    width_ = narrowest * std::clamp<std::int64_t>(last_ ? per_channel_ : space_, 1, repeats);
    block_ = width_ * std::max<std::int64_t>(8, kBlock / width_);
    strip_ = last_ ? block_ * std::max<std::int64_t>(1, kStrip / block_) : space_;
  }

  std::int64_t channels() const { return channels_; }
  std::int64_t per_channel() const { return per_channel_; }  // elements
  std::int64_t width() const { return width_; }              // columns
  // The most elements that a block has.
  std::int64_t block_size() const { return std::min(block_, std::max(size_, width_)); }

  std::int64_t strip_count() const { return (size_ + strip_ - 1) / strip_; }
  Strip strip(std::int64_t i) const {
    const std::int64_t begin = i * strip_;
    return {begin, std::min(strip_, size_ - begin), last_ ? 0 : i % channels_};
  }
  // Strips in groups that know all of a channel, or something of all channels.
  std::int64_t group_count() const { return last_ ? strip_count() : channels_; }
  std::int64_t group_channels() const { return last_ ? channels_ : 1; }
  template <class Body>
  void for_group(std::int64_t group, Body body) const {
    for (std::int64_t i = group; i < strip_count(); i += last_ ? strip_count() : channels_)
      body(strip(i));
  }

  // Calls body(first element, rows, width) for each block of a strip; they fit a near cache.
  template <class Body>
  void for_blocks(const Strip& strip, Body body) const {
    const std::int64_t end = strip.begin + strip.size, whole = end - strip.size % width_;
    for (std::int64_t at = strip.begin; at < whole; at += block_)
      body(at, std::min(block_, whole - at) / width_, width_);
    if (whole < end) body(whole, std::int64_t{1}, end - whole);
  }

  // A value per channel as a value per column of a strip.
  template <class T>
  void spread(T* columns, const T* by_channel, const Strip& strip) const {
    for (std::int64_t j = 0; j < width_; ++j)
      columns[j] = by_channel[last_ ? j % channels_ : strip.channel];
  }
  // The channel of a column among those of its group.
  std::int64_t channel_in_group(std::int64_t column) const {
    return last_ ? column % channels_ : 0;
  }

  template <class Body>
  void parallel_strips(const KernelCall& call, Body body) const {
    run(call, strip_count(), body);
  }
  template <class Body>
  void parallel_groups(const KernelCall& call, Body body) const {
    run(call, group_count(), body);
  }

 private:
  static constexpr std::int64_t kWidth = 64, kBlock = 16 << 10, kStrip = 64 << 10;

  template <class Body>
  void run(const KernelCall& call, std::int64_t count, Body body) const {
    if (size_ == 0) return;
    const double cost = 0.3 * static_cast<double>(size_ / count);
    call.parallel_for(static_cast<std::size_t>(count), cost,
                      [&](std::size_t begin, std::size_t end) {
                        body(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
                      });
  }

  bool last_;
  std::int64_t channels_, size_, per_channel_, space_, width_ = 1, block_ = 1, strip_ = 1;
};

}  // namespace rill
