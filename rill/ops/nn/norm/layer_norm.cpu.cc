#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/activation/softmax_rows.h"
#include "rill/ops/nn/norm/layer_norm_rows.h"
#include "rill/tensor/strided.h"

namespace rill {

extern const OpDecl kLayerNorm, kMaskedSoftmax;

namespace {

// Calls body(begin, end) over the rows of y, each of `cost` nanoseconds an element.
template <class Body>
void over_rows(const KernelCall& call, const Tensor& y, double cost, Body body) {
  if (y.element_count() == 0) return;
  const std::int64_t n = y.dim(y.rank() - 1);
  call.parallel_for(static_cast<std::size_t>(y.element_count() / n),
                    10 + cost * static_cast<double>(n), body);
}

void layer_norm(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  // Output 0 may take over gamma or beta where there is just one row.
  const Tensor gamma = call.input_tensor(1), beta = call.input_tensor(2);
  const float epsilon = call.node().attr<float>("epsilon");
  const auto n = static_cast<std::size_t>(gamma.element_count());
  over_rows(call, y, 0.5, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r)
      layer_norm_rows().normalize(y.data<float>() + r * n, x.data<float>() + r * n,
                                  gamma.data<float>(), beta.data<float>(), n, epsilon);
  });
}

// Which row of a tensor that was broadcast to `to` belongs to a row of that.
class RowOf {
 public:
  RowOf(const Tensor& x, const Shape& to) {
    const int lead = to.rank() - x.rank();
    std::int64_t step = 1;
    for (int d = to.rank() - 2; d >= 0; --d) {  // inner dimensions first
      const std::int64_t size = d < lead ? 1 : x.dim(d - lead);
      add(to.dim(d), size == 1 ? 0 : step);
      step *= size;
    }
  }
  std::size_t operator()(std::size_t row) const {
    auto rest = static_cast<std::int64_t>(row);
    std::int64_t at = 0;
    for (std::size_t d = 0; d + 1 < dims_.size(); ++d) {
      at += rest % dims_[d].size * dims_[d].step;
      rest /= dims_[d].size;
    }
    return static_cast<std::size_t>(dims_.empty() ? 0 : at + rest * dims_.back().step);
  }

 private:
  struct Dim {
    std::int64_t size, step;
  };
  // Joined with the one before where one step leads through both, as division takes its time.
  void add(std::int64_t size, std::int64_t step) {
    if (size == 1) return;
    if (!dims_.empty() && step == dims_.back().step * (step == 0 ? 1 : dims_.back().size))
      dims_.back().size *= size;
    else
      dims_.push_back({size, step});
  }
  std::vector<Dim> dims_;
};

// A tensor whose rows are as long as those of `to`.
Tensor with_full_rows(const KernelCall& call, const Tensor& x, const Shape& to) {
  const std::int64_t n = to.dim(to.rank() - 1);
  if (x.rank() > 0 && x.dim(x.rank() - 1) == n) return x;
  std::vector<std::int64_t> dims(x.shape().dims().begin(), x.shape().dims().end());
  dims.empty() ? dims.push_back(n) : void(dims.back() = n);
  const Tensor full(DType::f32, Shape(dims), call.device().allocator(MemoryKind::host));
  for (std::int64_t i = 0; i < full.element_count(); ++i)
    full.data<float>()[i] = x.data<float>()[i / n];
  return full;
}

void masked_softmax(KernelCall& call) {
  static const SoftmaxRows<float> rows = float_softmax_rows();
  const Tensor& y = call.output_tensor(0);
  if (y.element_count() == 0) return;
  const Tensor x = with_full_rows(call, call.input_tensor(0), y.shape());
  const bool masked = call.input_count() == 2;
  const Tensor mask = masked ? with_full_rows(call, call.input_tensor(1), y.shape()) : x;
  const RowOf x_row(x, y.shape()), mask_row(mask, y.shape());
  const float scale = call.node().attr<float>("scale");
  const auto n = static_cast<std::size_t>(y.dim(y.rank() - 1));
  over_rows(call, y, 2.2, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t kTogether = 8;  // rows that stay in the first-level cache
    for (std::size_t r = begin; r < end; r += kTogether) {
      const std::size_t count = std::min(kTogether, end - r);
      float* const out = y.data<float>() + r * n;
      for (std::size_t k = 0; k < count; ++k)
        layer_norm_rows().scale(out + k * n, x.data<float>() + x_row(r + k) * n,
                                masked ? mask.data<float>() + mask_row(r + k) * n : nullptr, scale,
                                n);
      rows.softmax(out, out, count, n);
    }
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kLayerNorm, .types = DType::f32, .run = layer_norm},
    {.op = &kMaskedSoftmax, .types = DType::f32, .run = masked_softmax},
};

}  // namespace

extern const KernelTable kLayerNormCpu{kEntries};

}  // namespace rill
