#include "rill/ops/rnn/recurrent_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/rnn/recurrent_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// One block of gates, as the sum of its three parts.
struct GateBlock {
  const float *x, *h, *bias;
  GateBlock(const float* from_x, const float* from_h, const float* b, std::size_t size, int block)
      : x(from_x + size * static_cast<std::size_t>(block)),
        h(from_h + size * static_cast<std::size_t>(block)),
        bias(b + size * static_cast<std::size_t>(block)) {}
  float operator[](std::size_t j) const { return x[j] + h[j] + bias[j]; }
};

template <bool kPeepholes>
void lstm_row_of(const LstmRow& r) {
  const auto gate = [&](int block) { return GateBlock(r.from_x, r.from_h, r.bias, r.size, block); };
  const GateBlock in = gate(0), candidate = gate(r.order.candidate), forget = gate(r.order.forget),
                  out = gate(3);
  const float limit = r.clip > 0 ? r.clip : std::numeric_limits<float>::infinity();
  const float* const before = r.state_before;
  const float forget_bias = r.forget_bias;
  const Peepholes p = r.peepholes;
  float *const i_out = r.input, *const c_out = r.candidate, *const f_out = r.forget;
  float *const s_out = r.state, *const o_out = r.output, *const t_out = r.squashed;
  float* const h_out = r.h;
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    float i = in[j], f = forget[j] + forget_bias;
    if constexpr (kPeepholes) {
      i += before[j] * p.input[j];
      f += before[j] * p.forget[j];
    }
    i = vector_sigmoid(i);
    f = vector_sigmoid(f);
    const float c = vector_tanh(candidate[j]);
    float state = c * i + before[j] * f;
    state = state > limit ? limit : state;
    state = state < -limit ? -limit : state;
    i_out[j] = i;
    f_out[j] = f;
    c_out[j] = c;
    s_out[j] = state;
  }
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    float o = out[j];
    if constexpr (kPeepholes) o += s_out[j] * p.output[j];
    o = vector_sigmoid(o);
    const float squashed = vector_tanh(s_out[j]);
    o_out[j] = o;
    t_out[j] = squashed;
    h_out[j] = squashed * o;
  }
}

void lstm_row(const LstmRow& r) {
  r.peepholes.input != nullptr ? lstm_row_of<true>(r) : lstm_row_of<false>(r);
}

template <bool kKeeps, bool kPeepholes>
void lstm_cell_row_of(const LstmCellRow& r) {
  const std::size_t n = r.size;
  const float *const i_in = r.gates, *const c_in = r.gates + n, *const f_in = r.gates + 2 * n;
  const float *const o_in = r.gates + 3 * n, *const before = r.state_before;
  const float *const i_bias = r.bias, *const c_bias = r.bias + n, *const f_bias = r.bias + 2 * n;
  const float* const o_bias = r.bias + 3 * n;
  const float forget_bias = r.forget_bias;
  const Peepholes p = r.peepholes;
  float *const s_out = r.state, *const h_out = r.h;
  float *const i_out = r.input, *const c_out = r.candidate, *const f_out = r.forget;
  float *const o_out = r.output, *const t_out = r.squashed;
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    float i = i_in[j] + i_bias[j], f = f_in[j] + f_bias[j] + forget_bias;
    if constexpr (kPeepholes) {
      i += p.input[j] * before[j];
      f += p.forget[j] * before[j];
    }
    i = vector_sigmoid(i);
    f = vector_sigmoid(f);
    const float c = vector_tanh(c_in[j] + c_bias[j]);
    s_out[j] = f * before[j] + i * c;
    if constexpr (kKeeps) {
      i_out[j] = i;
      f_out[j] = f;
      c_out[j] = c;
    }
  }
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    float o = o_in[j] + o_bias[j];
    if constexpr (kPeepholes) o += p.output[j] * s_out[j];
    o = vector_sigmoid(o);
    const float squashed = vector_tanh(s_out[j]);
    h_out[j] = o * squashed;
    if constexpr (kKeeps) {
      o_out[j] = o;
      t_out[j] = squashed;
    }
  }
}

void lstm_cell_row(const LstmCellRow& r) {
  if (r.peepholes.input != nullptr)
    r.input != nullptr ? lstm_cell_row_of<true, true>(r) : lstm_cell_row_of<false, true>(r);
  else
    r.input != nullptr ? lstm_cell_row_of<true, false>(r) : lstm_cell_row_of<false, false>(r);
}

template <bool kPeepholes>
void lstm_back_row_of(const LstmGradRow& r) {
  const std::size_t n = r.size;
  float *const di = r.gates, *const dout = r.gates + 3 * n;
  float* const dc = r.gates + n * static_cast<std::size_t>(r.order.candidate);
  float* const df = r.gates + n * static_cast<std::size_t>(r.order.forget);
  const Peepholes p = r.peepholes;
  float* const carried = r.carried_state;
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    const float i = r.input[j], f = r.forget[j], o = r.output[j], c = r.candidate[j];
    const float squashed = r.squashed[j];
    const float dh = r.h_grad[j] + r.carried_h[j];
    const float d_out = dh * squashed * o * (1 - o);
    float ds = r.state_grad[j] + carried[j] + dh * o * (1 - squashed * squashed);
    if constexpr (kPeepholes) ds += d_out * p.output[j];
    const float d_in = ds * c * i * (1 - i);
    const float d_forget = ds * r.state_before[j] * f * (1 - f);
    float before = ds * f;
    if constexpr (kPeepholes) before += d_in * p.input[j] + d_forget * p.forget[j];
    carried[j] = before;
    dc[j] = ds * i * (1 - c * c);
    di[j] = d_in;
    df[j] = d_forget;
    dout[j] = d_out;
  }
}

void lstm_back_row(const LstmGradRow& r) {
  r.peepholes.input != nullptr ? lstm_back_row_of<true>(r) : lstm_back_row_of<false>(r);
}

template <bool kHasStateGrad, bool kPeepholes>
void lstm_cell_back_row_of(const LstmCellGradRow& r) {
  const std::size_t n = r.size;
  float *const di = r.gates, *const dc = r.gates + n, *const df = r.gates + 2 * n;
  float *const d_out = r.gates + 3 * n, *const d_before = r.state_before_grad;
  const float *const before = r.state_before, *const h_grad = r.h_grad;
  const float *const state_grad = r.state_grad, *const in = r.input, *const cand = r.candidate;
  const float *const forget = r.forget, *const out = r.output, *const squashed = r.squashed;
  const Peepholes p = r.peepholes;
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    const float i = in[j], f = forget[j], o = out[j], c = cand[j], t = squashed[j];
    const float dh = h_grad[j], to_out = dh * t * o * (1 - o);
    float ds = dh * o * (1 - t * t);
    if constexpr (kHasStateGrad) ds += state_grad[j];
    if constexpr (kPeepholes) ds += to_out * p.output[j];
    const float to_in = ds * c * i * (1 - i), to_forget = ds * before[j] * f * (1 - f);
    float to_before = ds * f;
    if constexpr (kPeepholes) to_before += to_in * p.input[j] + to_forget * p.forget[j];
    di[j] = to_in;
    dc[j] = ds * i * (1 - c * c);
    df[j] = to_forget;
    d_out[j] = to_out;
    d_before[j] = to_before;
  }
}

void lstm_cell_back_row(const LstmCellGradRow& r) {
  const bool has_state_grad = r.state_grad != nullptr;
  if (r.peepholes.input != nullptr)
    has_state_grad ? lstm_cell_back_row_of<true, true>(r) : lstm_cell_back_row_of<false, true>(r);
  else
    has_state_grad ? lstm_cell_back_row_of<true, false>(r) : lstm_cell_back_row_of<false, false>(r);
}

void peepholes_back_row(const LstmGradRow& r, const PeepholeSums& sums) {
  const std::size_t n = r.size;
  const float *di = r.gates, *dout = r.gates + 3 * n;
  const float* df = r.gates + n * static_cast<std::size_t>(r.order.forget);
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    sums.input[j] += di[j] * r.state_before[j];
    sums.forget[j] += df[j] * r.state_before[j];
    sums.output[j] += dout[j] * r.state[j];
  }
}

void gru_gates_row(const GruRow& r) {
  const GateBlock reset(r.from_x, r.from_h, r.bias, r.size, 0);
  const GateBlock update(r.from_x, r.from_h, r.bias, r.size, 1);
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float gate = vector_sigmoid(reset[j]);
    r.reset[j] = gate;
    r.update[j] = vector_sigmoid(update[j]);
    r.reset_h[j] = gate * r.h_before[j];
  }
}

void gru_out_row(const GruOutRow& r) {
  const GateBlock candidate(r.from_x, r.from_h, r.bias, r.size, 0);
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float c = vector_tanh(candidate[j]), u = r.update[j];
    r.candidate[j] = c;
    r.h[j] = u * r.h_before[j] + (1 - u) * c;
  }
}

template <bool kKeeps>
void gru_cell_gates_row_of(const GruGatesRow& r) {
  const float *const reset = r.gates, *const update = r.gates + r.size;
  const float *const reset_bias = r.bias, *const update_bias = r.bias + r.size;
  const float* const before = r.h_before;
  float *const u_out = r.update, *const h_out = r.reset_h, *const r_out = r.reset;
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float gate = vector_sigmoid(reset[j] + reset_bias[j]);
    u_out[j] = vector_sigmoid(update[j] + update_bias[j]);
    h_out[j] = gate * before[j];
    if constexpr (kKeeps) r_out[j] = gate;
  }
}

void gru_cell_gates_row(const GruGatesRow& r) {
  r.reset != nullptr ? gru_cell_gates_row_of<true>(r) : gru_cell_gates_row_of<false>(r);
}

template <bool kKeeps>
void gru_cell_state_row_of(const GruStateRow& r) {
  const float *const candidate = r.candidate, *const bias = r.bias, *const update = r.update;
  const float* const before = r.h_before;
  float *const h_out = r.h, *const c_out = r.squashed;
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float c = vector_tanh(candidate[j] + bias[j]), u = update[j];
    h_out[j] = u * before[j] + (1 - u) * c;
    if constexpr (kKeeps) c_out[j] = c;
  }
}

void gru_cell_state_row(const GruStateRow& r) {
  r.squashed != nullptr ? gru_cell_state_row_of<true>(r) : gru_cell_state_row_of<false>(r);
}

void gru_candidate_back_row(const GruGradRow& r) {
  float* const update_bar = r.reset_update_bar + r.size;
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float c = r.candidate[j], u = r.update[j], dh = r.h_grad[j];
    r.candidate_bar[j] = dh * (1 - u) * (1 - c * c);
    update_bar[j] = dh * (r.h_before[j] - c) * u * (1 - u);
  }
}

void gru_reset_back_row(const GruGradRow& r) {
#pragma GCC ivdep
  for (std::size_t j = 0; j < r.size; ++j) {
    const float reset = r.reset[j], d = r.reset_h_grad[j];
    r.reset_update_bar[j] = d * r.h_before[j] * reset * (1 - reset);
    r.h_before_grad[j] = r.h_grad[j] * r.update[j] + d * reset;
  }
}

void add_row_to(float* sum, const float* x, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) sum[j] += x[j];
}

void tanh_sum_row(float* out, const float* x, const float* y, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) out[j] = vector_tanh(x[j] + y[j]);
}

void relu_sum_row(float* out, const float* x, const float* y, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t j = 0; j < n; ++j) {
    const float sum = x[j] + y[j];
    out[j] = sum < 0 ? 0 : sum;  // what is no number stays that
  }
}

}  // namespace

const RecurrentRows& best_recurrent_rows() {
  static constexpr RecurrentRows rows{lstm_row,           lstm_cell_row,
                                      lstm_back_row,      lstm_cell_back_row,
                                      peepholes_back_row, gru_gates_row,
                                      gru_out_row,        gru_cell_gates_row,
                                      gru_cell_state_row, gru_candidate_back_row,
                                      gru_reset_back_row, add_row_to,
                                      tanh_sum_row,       relu_sum_row};
  return rows;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {
HWY_EXPORT(best_recurrent_rows);
}  // namespace

const RecurrentRows& recurrent_rows() { return HWY_DYNAMIC_DISPATCH(best_recurrent_rows)(); }

}  // namespace rill
#endif
