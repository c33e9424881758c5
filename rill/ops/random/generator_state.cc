#include "rill/ops/random/generator_state.h"

#include "rill/ops/update/variable_input.h"

namespace rill {
namespace {

constexpr std::int64_t kPhiloxAlgorithm = 1;
constexpr std::size_t kStateSize = 3;

void check_state(const Tensor& state, std::size_t first) {
  require(state.dtype() == DType::i64, "dtype of RNG state variable must be int64, not ",
          state.dtype());
  require(state.rank() == 1, "RNG state must have one and only one dimension, not ", state.rank());
  require(static_cast<std::size_t>(state.element_count()) >= first + kStateSize,
          "For the Philox algorithm, the size of state must be at least ", first + kStateSize,
          "; got ", state.element_count());
}

}  // namespace

Philox reserve_from_state(const KernelCall& call, std::uint64_t blocks, std::size_t first) {
  Philox stream(0, 0);
  variable_input(call, 0)->update([&](Tensor& state) {
    check_state(state, first);
    std::int64_t* const s = state.data<std::int64_t>() + first;
    if (first > 0) check_algorithm(s[-1]);
    const auto c0 = static_cast<std::uint64_t>(s[0]), c1 = static_cast<std::uint64_t>(s[1]);
    const auto key = static_cast<std::uint64_t>(s[2]);
    stream = Philox({Philox::low(key), Philox::high(key)},
                    {Philox::low(c0), Philox::high(c0), Philox::low(c1), Philox::high(c1)});
    Philox next = stream;
    next.skip(blocks);
    const Philox::Block& c = next.counter();
    s[0] = static_cast<std::int64_t>(Philox::join(c[1], c[0]));
    s[1] = static_cast<std::int64_t>(Philox::join(c[3], c[2]));
  });
  return stream;
}

void check_algorithm(const KernelCall& call, int i) {
  check_algorithm(call.input_tensor(i).scalar_value<std::int64_t>());
}

void check_algorithm(std::int64_t algorithm) {
  require(algorithm == kPhiloxAlgorithm, "Unsupported algorithm id: ", algorithm);
}

}  // namespace rill
