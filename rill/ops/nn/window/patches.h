#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "rill/ops/nn/window/window.h"

namespace rill {

// Told which results [begin, end) are computed, on the thread that did it: whole rows of channels.
using RangeDone = std::function<void(std::int64_t begin, std::int64_t end)>;

// What a convolution works on, channels last: images of `in_channels`, windows over them, and
// results of `out_channels`. A patch is what one window sees, in the order of the filter: its
// elements row by row, all channels of each.
struct ConvProblem {
  std::int64_t batch = 0, in_channels = 0, out_channels = 0;
  std::vector<WindowDim> dims;

  std::int64_t taps() const {
    return product([](const WindowDim& d) { return d.size; });
  }
  std::int64_t positions() const {
    return product([](const WindowDim& d) { return d.out; });
  }
  std::int64_t image_size() const {
    return product([](const WindowDim& d) { return d.in; }) * in_channels;
  }
  std::int64_t patch_size() const { return taps() * in_channels; }
  double flops() const {
    return 2.0 * static_cast<double>(batch * positions()) * static_cast<double>(patch_size()) *
           static_cast<double>(out_channels);
  }
  // Every patch is one element of the image: there is nothing to gather.
  bool is_pointwise() const {
    return std::ranges::all_of(dims, [](const WindowDim& d) {
      return d.size == 1 && d.stride == 1 && d.before == 0 && d.in == d.out;
    });
  }

 private:
  template <class Part>
  std::int64_t product(Part part) const {
    std::int64_t total = 1;
    for (const WindowDim& d : dims) total *= part(d);
    return total;
  }
};

// Moves patches between images and the rows of a matrix.
template <class T>
class Patches {
 public:
  explicit Patches(const ConvProblem& problem)
      : dims_(problem.dims), channels_(problem.in_channels) {
    std::int64_t step = channels_, block = channels_;
    for (std::size_t d = dims_.size(); d-- > 0;) {
      steps_.insert(steps_.begin(), step);
      blocks_.insert(blocks_.begin(), block);
      step *= dims_[d].in;
      block *= dims_[d].size;
    }
  }

  // The patch at position `place` of `image`, with zeros where the window reaches outside.
  void take(const T* image, std::int64_t place, T* row) const {
    walk(place, [&](std::int64_t at, std::int64_t from, std::int64_t count) {
      if (from < 0) {
        std::fill_n(row + at, count, T{0});
      } else {
        std::copy_n(image + from, count, row + at);
      }
    });
  }

  // Adds a row to the elements of `image` that take() would have read it from.
  void add(T* image, std::int64_t place, const T* row) const {
    walk(place, [&](std::int64_t at, std::int64_t to, std::int64_t count) {
      if (to < 0) return;
      for (std::int64_t i = 0; i < count; ++i) image[to + i] += row[at + i];
    });
  }

 private:
  // Calls visit(position in the row, position in the image or -1, count) for each run of elements.
  template <class Visit>
  void walk(std::int64_t place, Visit visit) const {
    std::int64_t start[3];
    for (std::size_t d = dims_.size(); d-- > 0; place /= dims_[d].out)
      start[d] = place % dims_[d].out * dims_[d].stride - dims_[d].before;
    walk_dim(0, start, 0, 0, visit);
  }

  template <class Visit>
  void walk_dim(std::size_t d, const std::int64_t* start, std::int64_t at, std::int64_t image,
                Visit& visit) const {
    const WindowDim& dim = dims_[d];
    const bool is_last = d + 1 == dims_.size();
    if (is_last && dim.dilation == 1) return walk_run(start[d], at, image, visit);
    for (std::int64_t t = 0; t < dim.size; ++t, at += blocks_[d]) {
      const std::int64_t place = start[d] + t * dim.dilation;
      if (place < 0 || place >= dim.in) {
        visit(at, std::int64_t{-1}, blocks_[d]);
      } else if (is_last) {
        visit(at, image + place * steps_[d], blocks_[d]);
      } else {
        walk_dim(d + 1, start, at, image + place * steps_[d], visit);
      }
    }
  }

  // The last dimension of a dense window is one run with perhaps something missing at both ends.
  template <class Visit>
  void walk_run(std::int64_t start, std::int64_t at, std::int64_t image, Visit& visit) const {
    const WindowDim& dim = dims_.back();
    const std::int64_t begin = std::clamp<std::int64_t>(-start, 0, dim.size);
    const std::int64_t end = std::clamp<std::int64_t>(dim.in - start, begin, dim.size);
    if (begin > 0) visit(at, std::int64_t{-1}, begin * channels_);
    if (end > begin)
      visit(at + begin * channels_, image + (start + begin) * channels_, (end - begin) * channels_);
    if (end < dim.size) visit(at + end * channels_, std::int64_t{-1}, (dim.size - end) * channels_);
  }

  const std::vector<WindowDim>& dims_;
  const std::int64_t channels_;
  std::vector<std::int64_t> steps_, blocks_;  // per dimension: in the image, in the row
};

}  // namespace rill
