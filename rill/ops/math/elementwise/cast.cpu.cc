#include <algorithm>
#include <bit>
#include <complex>
#include <vector>

#include "rill/ops/math/rows/cast_rows.h"
#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/storage_type.h"

namespace rill {

extern const OpDecl kCast, kHostCast;

namespace {

constexpr std::size_t kCastBlock = 512;

// A conversion is a short chain of rows, run block by block: complex numbers give up their
// imaginary part first, half and bfloat16 pass through float.
struct CastState : KernelState {
  std::vector<UnaryRow> stages;
  std::size_t in_size = 0, out_size = 0;
  bool copies = false;

  void run(std::byte* out, const std::byte* x, std::size_t n) const;
};

void CastState::run(std::byte* out, const std::byte* x, std::size_t n) const {
  alignas(64) std::byte scratch[2][kCastBlock * 16];
  for (std::size_t i = 0; i < n; i += kCastBlock) {
    const std::size_t m = std::min(kCastBlock, n - i);
    const void* from = x + i * in_size;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      void* to = k + 1 == stages.size() ? out + i * out_size : scratch[k % 2];
      stages[k](to, from, m);
      from = to;
    }
  }
}

template <class R>
void real_part(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<R*>(out)[i] = static_cast<const std::complex<R>*>(x)[i].real();
}
template <class R>
void to_complex(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::complex<R>*>(out)[i] = static_cast<const R*>(x)[i];
}
template <class From, class To>
void complex_to_complex(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < 2 * n; ++i)
    static_cast<To*>(out)[i] = static_cast<To>(static_cast<const From*>(x)[i]);
}

template <DType type>
void widen_stage(void* out, const void* x, std::size_t n) {
  static const WidenRow row = widen_row(type);
  row(static_cast<float*>(out), x, n);
}
template <DType type>
void narrow_stage(void* out, const void* x, std::size_t n) {
  static const NarrowRow row = narrow_row(type);
  row(out, static_cast<const float*>(x), n);
}

// A bool is one of two numbers: 0 and `one`, the bits of 1.
template <std::uint16_t one>
void choose_number(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::uint16_t*>(out)[i] =
        static_cast<std::uint16_t>(-static_cast<const std::uint8_t*>(x)[i] & one);
}

// Clears the bits of the fraction that the narrower type does not have.
template <class F, class Bits, int count>
void clear_low_bits(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<Bits>(static_cast<const F*>(x)[i]);
    static_cast<F*>(out)[i] = std::bit_cast<F>(bits >> count << count);
  }
}

UnaryRow truncation(DType from, DType to) {
  if (from == DType::f64 && to == DType::f32) return clear_low_bits<double, std::uint64_t, 29>;
  if (from == DType::f64 && to == DType::f16) return clear_low_bits<double, std::uint64_t, 42>;
  if (from == DType::f32 && to == DType::f16) return clear_low_bits<float, std::uint32_t, 13>;
  if (from == DType::f32 && to == DType::bf16) return clear_low_bits<float, std::uint32_t, 16>;
  return nullptr;
}

// The type that the middle of the chain sees instead of this one.
DType computed_type(DType type) {
  if (type == DType::f16 || type == DType::bf16 || type == DType::c64) return DType::f32;
  return type == DType::c128 ? DType::f64 : type;
}

// The chain from one type to another, empty when there is none.
std::vector<UnaryRow> plan(DType from, DType to, bool truncate) {
  std::vector<UnaryRow> stages;
  const auto add = [&](UnaryRow row) { stages.push_back(row); };
  if (kComplexTypes.contains(from) && kComplexTypes.contains(to)) {
    add(from == DType::c64 ? complex_to_complex<float, double> : complex_to_complex<double, float>);
    return stages;
  }
  if (from == DType::boolean && to == DType::f16) return {choose_number<0x3c00>};
  if (from == DType::boolean && to == DType::bf16) return {choose_number<0x3f80>};
  if (from == DType::c64) add(real_part<float>);
  if (from == DType::c128) add(real_part<double>);
  if (from == DType::f16) add(widen_stage<DType::f16>);
  if (from == DType::bf16) add(widen_stage<DType::bf16>);
  const DType at = computed_type(from), target = computed_type(to);
  if (const UnaryRow row = truncate ? truncation(at, to) : nullptr) add(row);
  if (at != target) {
    const UnaryRow row = find_cast_row(at, target);
    if (row == nullptr) return {};
    add(row);
  }
  if (to == DType::f16) add(narrow_stage<DType::f16>);
  if (to == DType::bf16) add(narrow_stage<DType::bf16>);
  if (to == DType::c64) add(to_complex<float>);
  if (to == DType::c128) add(to_complex<double>);
  return stages;
}

std::unique_ptr<KernelState> make_cast_state(const KernelNode& node) {
  const DType from = storage_type(base_type(node.input_type(0)));
  const DType to = storage_type(base_type(node.output_type(0)));
  auto state = std::make_unique<CastState>();
  state->in_size = element_size(from);
  state->out_size = element_size(to);
  state->copies = from == to;
  if (!state->copies) state->stages = plan(from, to, node.attr<bool>("Truncate"));
  if (!state->copies && state->stages.empty())
    raise(Code::kUnimplemented, "Cast ", from, " to ", to, " is not supported");
  return state;
}

const char* accept_same_type(const KernelNode& node) {
  return base_type(node.input_type(0)) == base_type(node.output_type(0)) ? nullptr
                                                                         : "needs equal types";
}
// Tensors never change once shared, so passing one on is enough.
void pass_on(KernelCall& call) { call.set_output(0, call.input_tensor(0)); }

void run_cast(KernelCall& call) {
  const auto& state = call.state<CastState>();
  const Tensor& x = call.input_tensor(0);
  const Tensor& out = call.output_tensor(0);
  const auto n = static_cast<std::size_t>(out.element_count());
  if (state.copies) {
    if (out.raw_data() != x.raw_data()) copy_elements(x.dtype(), out.raw_data(), x.raw_data(), n);
    return;
  }
  const auto* src = static_cast<const std::byte*>(x.raw_data());
  auto* dst = static_cast<std::byte*>(out.raw_data());
  call.parallel_for(n, 0.5, [=, &state](std::size_t begin, std::size_t end) {
    state.run(dst + begin * state.out_size, src + begin * state.in_size, end - begin);
  });
}

constexpr KernelEntry same_type_entry(const OpDecl* op) {
  return {.op = op,
          .run = pass_on,
          .label = "cast:same",
          .accept = accept_same_type,
          .allocates = true,
          .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    same_type_entry(&kCast),
    same_type_entry(&kHostCast),
    {.op = &kCast, .run = run_cast, .make_state = make_cast_state, .expensive = false},
    {.op = &kHostCast, .run = run_cast, .make_state = make_cast_state, .expensive = false},
};

}  // namespace

extern const KernelTable kCastCpu{kEntries};

}  // namespace rill
