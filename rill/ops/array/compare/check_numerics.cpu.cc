#include <atomic>
#include <bit>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kCheckNumerics;

namespace {

// A float is infinite or NaN when all bits of its exponent are set; NaN when more bits are.
template <class Bits, Bits exponent>
void check_numerics(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const Bits* src = static_cast<const Bits*>(input.raw_data());
  std::atomic<bool> has_inf = false, has_nan = false;
  call.parallel_for(static_cast<std::size_t>(input.element_count()), 0.3,
                    [&](std::size_t begin, std::size_t end) {
                      bool inf = false, nan = false;
                      for (std::size_t i = begin; i < end; ++i) {
                        const Bits magnitude = src[i] & static_cast<Bits>(~Bits{0} >> 1);
                        inf |= magnitude == exponent;
                        nan |= magnitude > exponent;
                      }
                      if (inf) has_inf = true;
                      if (nan) has_nan = true;
                    });
  require(!has_inf && !has_nan, call.node().attr<std::string>("message"), " : Tensor had ",
          has_inf ? (has_nan ? "Inf and NaN" : "Inf") : "NaN", " values");
  call.set_output(0, input);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kCheckNumerics,
     .types = DType::f32,
     .run = check_numerics<std::uint32_t, 0x7f800000>,
     .allocates = true},
    {.op = &kCheckNumerics,
     .types = DType::f64,
     .run = check_numerics<std::uint64_t, 0x7ff0000000000000>,
     .allocates = true},
    {.op = &kCheckNumerics,
     .types = DType::f16,
     .run = check_numerics<std::uint16_t, 0x7c00>,
     .allocates = true},
    {.op = &kCheckNumerics,
     .types = DType::bf16,
     .run = check_numerics<std::uint16_t, 0x7f80>,
     .allocates = true},
};

}  // namespace

extern const KernelTable kCheckNumericsCpu{kEntries};

}  // namespace rill
