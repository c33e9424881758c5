#pragma once

#include <bit>
#include <vector>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/spectral/fft_plan.h"

namespace rill::fft {

// What many transforms at once are made of.

constexpr std::size_t kLanes = 16;  // transforms side by side

// Room for transforms of `width` sequences side by side.
template <class T>
struct Room {
  Room(const FftPlan<T>& plan, std::size_t width)
      : storage(2 * (plan.size() * width + plan.scratch_size(width))) {
    T* at = storage.data();
    x = {at, at + plan.size() * width};
    at += 2 * plan.size() * width;
    scratch = {at, at + plan.scratch_size(width)};
  }
  std::vector<T> storage;
  Split<T> x, scratch;
};

template <class T>
Split<T> exchanged(Split<T> x, bool are) {
  return are ? Split<T>{x.im, x.re} : x;
}
template <class T>
Split<const T> constant(Split<T> x) {
  return {x.re, x.im};
}

// Nanoseconds that a transform takes, roughly.
inline double cost_of(std::size_t size) {
  return 1.0 * static_cast<double>(size) * (3.0 + static_cast<double>(std::bit_width(size)));
}

// One transform of `width` sequences that lie in x.
template <class T>
Split<T> transform(const FftPlan<T>& plan, const Room<T>& room, std::size_t width) {
  return width == 1 ? plan.run_alone(room.x, room.scratch) : plan.run(room.x, room.scratch, width);
}

// Calls body(i, scratch) for each row, which is transformed on its own.
template <class T, class Body>
void for_each_row(const KernelCall& call, const FftPlan<T>& plan, std::size_t rows, Body body) {
  const std::size_t scratch_size = plan.row_scratch_size();
  call.parallel_for(rows, cost_of(scratch_size) / 24, [&](std::size_t begin, std::size_t end) {
    std::vector<T> scratch(scratch_size);
    for (std::size_t i = begin; i < end; ++i) body(i, scratch.data());
  });
}

}  // namespace rill::fft
