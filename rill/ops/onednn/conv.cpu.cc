#include "rill/ops/onednn/conv.h"

#include <algorithm>

#include "rill/ops/onednn/primitives-inl.h"

namespace rill {
namespace {

using dnnl::memory;

memory::desc array(memory::dims dims, memory::format_tag order) {
  return {std::move(dims), memory::data_type::f32, order};
}

// Shapes as oneDNN wants them: batch and channels first, whatever the order in memory is.
struct Descs {
  explicit Descs(const ConvShape& s) {
    using tag = memory::format_tag;
    memory::dims image{s.batch, s.in_channels}, result{s.batch, s.out_channels};
    filter_dims = {s.out_channels, s.in_channels};
    for (const ConvDim& d : s.dims) {
      image.push_back(d.in);
      result.push_back(d.out);
      filter_dims.push_back(d.size);
      strides.push_back(d.stride);
      dilations.push_back(d.dilation - 1);
      before.push_back(d.before);
      const std::int64_t reach = (d.size - 1) * d.dilation + 1;
      after.push_back(std::max<std::int64_t>(0, (d.out - 1) * d.stride + reach - d.in - d.before));
    }
    const bool flat = s.dims.size() == 2;
    images = array(std::move(image), flat ? tag::nhwc : tag::ndhwc);
    results = array(std::move(result), flat ? tag::nhwc : tag::ndhwc);
    filter = array(filter_dims, tag::any);
    plain_filter = array(filter_dims, flat ? tag::hwio : tag::dhwio);
    // [window, out, in], for which oneDNN has no name.
    memory::dims steps{s.in_channels, 1};
    std::int64_t step = s.in_channels * s.out_channels;
    for (auto d = s.dims.rbegin(); d != s.dims.rend(); step *= d++->size)
      steps.insert(steps.begin() + 2, step);
    turned_filter = memory::desc(filter_dims, memory::data_type::f32, steps);
  }

  memory::dims filter_dims, strides, dilations, before, after;
  memory::desc images, results, filter, plain_filter, turned_filter;
};

constexpr auto kDirect = dnnl::algorithm::convolution_direct;

// What it calls gemm gathers patches, and ref is a plain loop.
bool is_quick(std::string_view implementation) {
  return implementation.find("gemm") == std::string_view::npos || implementation.starts_with("brg")
             ? implementation.find("ref") == std::string_view::npos
             : false;
}

}  // namespace

struct CompiledConv::Impl {
  Descs descs;
  memory::desc filter, scratch;
  dnnl::primitive primitive;
  int image_arg = DNNL_ARG_SRC, filter_arg = DNNL_ARG_WEIGHTS, result_arg = DNNL_ARG_DST;
};

namespace {

using Impl = CompiledConv::Impl;

std::unique_ptr<Impl> compile(const ConvShape& shape) {
  auto impl = std::make_unique<Impl>(Impl{.descs = Descs(shape)});
  const Descs& d = impl->descs;
  const dnnl::primitive_attr attr = dnnl_attributes();
  using dnnl::convolution_backward_data, dnnl::convolution_backward_weights,
      dnnl::convolution_forward;
  const convolution_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, kDirect, d.images, d.filter, d.results, d.strides,
       d.dilations, d.before, d.after},
      attr, dnnl_engine());
  std::string name;
  const auto take = [&](const auto& desc, const memory::desc& filter, dnnl::primitive primitive) {
    name = desc.impl_info_str();
    impl->filter = filter;
    impl->scratch = desc.scratchpad_desc();
    impl->primitive = std::move(primitive);
  };
  if (shape.work == ConvWork::kForward) {
    take(forward, forward.weights_desc(), convolution_forward(forward));
  } else if (shape.work == ConvWork::kToImages) {
    const convolution_backward_data::primitive_desc back(
        {kDirect, d.images, d.filter, d.results, d.strides, d.dilations, d.before, d.after}, attr,
        dnnl_engine(), forward);
    take(back, back.weights_desc(), convolution_backward_data(back));
    impl->image_arg = DNNL_ARG_DIFF_SRC;
    impl->result_arg = DNNL_ARG_DIFF_DST;
  } else {
    const convolution_backward_weights::primitive_desc back(
        {kDirect, d.images, d.filter, d.results, d.strides, d.dilations, d.before, d.after}, attr,
        dnnl_engine(), forward);
    take(back, back.diff_weights_desc(), convolution_backward_weights(back));
    impl->filter_arg = DNNL_ARG_DIFF_WEIGHTS;
    impl->result_arg = DNNL_ARG_DIFF_DST;
  }
  if (!is_quick(name)) return nullptr;
  return impl;
}

void reorder(const memory::desc& from_desc, const float* from, const memory::desc& to_desc,
             float* to) {
  call_dnnl("the order of a filter", [&](dnnl::stream& stream) {
    memory source = dnnl_memory(from_desc, from), target = dnnl_memory(to_desc, to);
    dnnl::reorder(source, target).execute(stream, source, target);
  });
}

}  // namespace

CompiledConv::CompiledConv(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompiledConv::~CompiledConv() = default;

std::size_t CompiledConv::filter_bytes() const { return impl_->filter.get_size(); }
std::size_t CompiledConv::scratch_bytes() const { return impl_->scratch.get_size(); }
bool CompiledConv::has_same_filter_order(const CompiledConv& other) const {
  return impl_->filter == other.impl_->filter;
}

void CompiledConv::pack_filter(const float* filter, bool turned, float* packed) const {
  reorder(turned ? impl_->descs.turned_filter : impl_->descs.plain_filter, filter, impl_->filter,
          packed);
}
void CompiledConv::unpack_filter(const float* packed, float* filter) const {
  reorder(impl_->filter, packed, impl_->descs.plain_filter, filter);
}

void CompiledConv::run(const float* images, const float* filter, const float* results,
                       void* scratch) const {
  call_dnnl("a convolution", [&](dnnl::stream& stream) {
    impl_->primitive.execute(stream,
                             {{impl_->image_arg, dnnl_memory(impl_->descs.images, images)},
                              {impl_->filter_arg, dnnl_memory(impl_->filter, filter)},
                              {impl_->result_arg, dnnl_memory(impl_->descs.results, results)},
                              {DNNL_ARG_SCRATCHPAD, dnnl_memory(impl_->scratch, scratch)}});
  });
}

std::shared_ptr<const CompiledConv> compiled_conv(const ConvShape& shape) {
  static CompiledByShape<ConvShape, CompiledConv> kept;
  return kept.find(shape, compile);
}

}  // namespace rill
