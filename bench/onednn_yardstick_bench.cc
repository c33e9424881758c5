// Products and convolutions beside oneDNN called directly, with threads of its own.
#include <dnnl.hpp>
#include <random>

#include "bench/interleaved.h"
#include "rill/ops/kernel_runner.h"

extern "C" void omp_set_num_threads(int count);

namespace rill {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Numbers = std::vector<std::int64_t>;

Tensor random_floats(const Shape& shape) {
  std::mt19937 numbers(1);
  Tensor t(DType::f32, shape);
  for (float& x : t.flat<float>()) x = static_cast<float>(numbers() % 2001) / 1000.0f - 1.0f;
  return t;
}

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

memory::desc array(memory::dims dims, Tag order) {
  return {std::move(dims), memory::data_type::f32, order};
}

// A primitive and its operands, and what must be reordered before and after.
struct Direct {
  void run() {
    for (auto& [from, to] : before) dnnl::reorder(from, to).execute(stream, from, to);
    primitive.execute(stream, operands);
    for (auto& [from, to] : after) dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
  }
  dnnl::stream stream{engine()};
  dnnl::primitive primitive;
  std::unordered_map<int, memory> operands;
  std::vector<std::pair<memory, memory>> before, after;
};

memory at(const memory::desc& desc, const Tensor& t) { return {desc, engine(), t.raw_data()}; }

// The operand in the order that the primitive wants; where it stands in another, a reorder.
memory wanted(Direct& direct, const memory::desc& desc, const memory::desc& given,
              const Tensor& t) {
  if (desc == given) return at(given, t);
  memory own(desc, engine());
  direct.before.emplace_back(at(given, t), own);
  return own;
}

void product(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  omp_set_num_threads(threads);
  const std::int64_t n = state.range(1);
  const Tensor a = random_floats({n, n}), b = random_floats({n, n}), c(DType::f32, {n, n});
  KernelRunner rill("MatMul", {{"T", DType::f32}, {"transpose_a", false}, {"transpose_b", false}},
                    {DType::f32, DType::f32}, {DType::f32}, threads);
  const memory::desc plain = array({n, n}, Tag::ab);
  const auto direct = [&](Tag order) {
    const dnnl::matmul::primitive_desc desc({plain, array({n, n}, order), plain}, engine());
    Direct d{.primitive = dnnl::matmul(desc)};
    d.operands = {{DNNL_ARG_SRC, at(plain, a)},
                  {DNNL_ARG_WEIGHTS, wanted(d, desc.weights_desc(), plain, b)},
                  {DNNL_ARG_DST, at(plain, c)}};
    return d;
  };
  Direct rows = direct(Tag::ab), packed = direct(Tag::any);
  const auto best = interleave(state, threads,
                               {{"rill",
                                 [&] {
                                   rill.run({a, b}, {c});
                                 }},
                                {"onednn_plain", [&] { rows.run(); }},
                                {"onednn_packed", [&] { packed.run(); }},
                                {"onednn_sgemm", [&] {
                                   dnnl_sgemm('N', 'N', n, n, n, 1, a.data<float>(), n,
                                              b.data<float>(), n, 0, c.data<float>(), n);
                                 }}});
  state.counters["of_onednn"] = std::min({best[1], best[2], best[3]}) / best[0];
}
BENCHMARK(product)
    ->Name("yardstick_matmul")
    ->ArgNames({"threads", "side"})
    ->Args({1, 1024})
    ->Args({2, 1024})
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);

// 3x3x64x64 on 8x56x56.
struct Conv {
  memory::dims image{8, 64, 56, 56}, filter{64, 64, 3, 3}, strides{1, 1}, padding{1, 1};
  Tensor x = random_floats({8, 56, 56, 64}), w = random_floats({3, 3, 64, 64});
  Tensor y = random_floats({8, 56, 56, 64});
  memory::desc plain_image = array(image, Tag::nhwc), plain_filter = array(filter, Tag::hwio);

  dnnl::convolution_forward::primitive_desc forward(Tag images) const {
    return {{dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
             array(image, images), array(filter, Tag::any), array(image, images), strides, padding,
             padding},
            engine()};
  }
};

enum Layout { kNhwc, kBlocked, kReordered };

Direct forward_conv(const Conv& c, Layout layout) {
  const auto desc = c.forward(layout == kNhwc ? Tag::nhwc : Tag::any);
  Direct d{.primitive = dnnl::convolution_forward(desc)};
  const bool plain = layout != kBlocked;
  const memory image =
      plain ? wanted(d, desc.src_desc(), c.plain_image, c.x) : memory(desc.src_desc(), engine());
  memory result(desc.dst_desc(), engine());
  if (layout == kNhwc) result = at(c.plain_image, c.y);
  if (layout == kReordered) d.after.emplace_back(result, at(c.plain_image, c.y));
  d.operands = {{DNNL_ARG_SRC, image},
                {DNNL_ARG_WEIGHTS, wanted(d, desc.weights_desc(), c.plain_filter, c.w)},
                {DNNL_ARG_DST, result}};
  return d;
}

AttrMap conv_attrs() {
  return {{"T", DType::f32},
          {"strides", Numbers(4, 1)},
          {"padding", std::string("SAME")},
          {"dilations", Numbers(4, 1)},
          {"explicit_paddings", Numbers{}},
          {"data_format", std::string("NHWC")},
          {"use_cudnn_on_gpu", true}};
}

void convolution(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  omp_set_num_threads(threads);
  const Conv c;
  KernelRunner rill("Conv2D", conv_attrs(), {DType::f32, DType::f32}, {DType::f32}, threads);
  Direct nhwc = forward_conv(c, kNhwc), blocked = forward_conv(c, kBlocked),
         reordered = forward_conv(c, kReordered);
  const auto best = interleave(state, threads,
                               {{"rill",
                                 [&] {
                                   rill.run({c.x, c.w}, {c.y});
                                 }},
                                {"onednn_nhwc", [&] { nhwc.run(); }},
                                {"onednn_reordered", [&] { reordered.run(); }},
                                {"onednn_blocked", [&] { blocked.run(); }}});
  state.counters["of_onednn"] = std::min(best[1], best[2]) / best[0];
  state.counters["of_blocked"] = best[3] / best[0];
}
BENCHMARK(convolution)
    ->Name("yardstick_conv")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);

void filter_gradient(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  omp_set_num_threads(threads);
  const Conv c;
  Tensor sizes(DType::i32, {4});
  std::ranges::copy(std::vector<int>{3, 3, 64, 64}, sizes.data<std::int32_t>());
  KernelRunner rill("Conv2DBackpropFilter", conv_attrs(), {DType::f32, DType::i32, DType::f32},
                    {DType::f32}, threads);
  const dnnl::convolution_backward_weights::primitive_desc desc(
      {dnnl::algorithm::convolution_direct, c.plain_image, array(c.filter, Tag::any), c.plain_image,
       c.strides, c.padding, c.padding},
      engine(), c.forward(Tag::nhwc));
  Direct nhwc{.primitive = dnnl::convolution_backward_weights(desc)};
  const memory filter(desc.diff_weights_desc(), engine());
  nhwc.operands = {{DNNL_ARG_SRC, at(c.plain_image, c.x)},
                   {DNNL_ARG_DIFF_WEIGHTS, filter},
                   {DNNL_ARG_DIFF_DST, at(c.plain_image, c.y)}};
  nhwc.after.emplace_back(filter, at(c.plain_filter, c.w));
  const auto best = interleave(state, threads,
                               {{"rill",
                                 [&] {
                                   rill.run({c.x, sizes, c.y}, {c.w});
                                 }},
                                {"onednn_nhwc", [&] { nhwc.run(); }}});
  state.counters["of_onednn"] = best[1] / best[0];
}
BENCHMARK(filter_gradient)
    ->Name("yardstick_conv_to_filter")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rill
