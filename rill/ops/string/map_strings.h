#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// How long the strings are, roughly: the mean over a few of them, for the cost of parallel loops.
inline double typical_length(std::span<const std::string> texts) {
  const std::size_t step = texts.size() / 64 + 1;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < texts.size(); i += step, ++count)
    sum += static_cast<double>(texts[i].size());
  return count == 0 ? 0 : sum / count;
}

// Calls f(text, result) for each string of input 0 and the element of output 0 at its place. One
// call takes about `cost` nanoseconds and `byte_cost` for each byte of the text.
template <class Result, class F>
void map_strings(KernelCall& call, double cost, double byte_cost, F f) {
  const auto texts = call.input<std::string>(0);
  const auto results = call.output<Result>(0);
  call.parallel_for(texts.size(), cost + byte_cost * typical_length(texts),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) f(texts[i], results[i]);
                    });
}

}  // namespace rill
