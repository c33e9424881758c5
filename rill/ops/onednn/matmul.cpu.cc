#include "rill/ops/onednn/matmul.h"

#include "rill/ops/onednn/primitives-inl.h"

namespace rill {

using dnnl::memory;

struct CompiledMatmul::Impl {
  memory::desc a, b, c, scratch;
  dnnl::matmul primitive;
};

CompiledMatmul::CompiledMatmul(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompiledMatmul::~CompiledMatmul() = default;

std::size_t CompiledMatmul::scratch_bytes() const { return impl_->scratch.get_size(); }
std::size_t CompiledMatmul::packed_bytes() const { return impl_->b.get_size(); }
bool CompiledMatmul::has_same_order(const CompiledMatmul& other) const {
  return impl_->b == other.impl_->b;
}

void CompiledMatmul::pack(const float* b, std::int64_t begin, std::int64_t end,
                          float* packed) const {
  call_dnnl("packing a matrix", [&](dnnl::stream& stream) {
    const std::int64_t columns = impl_->b.dims()[1];
    const memory::dims dims{end - begin, columns};
    memory from =
        dnnl_memory({dims, memory::data_type::f32, memory::format_tag::ab}, b + begin * columns);
    memory to = dnnl_memory(impl_->b.submemory_desc(dims, {begin, 0}), packed);
    dnnl::reorder(from, to).execute(stream, from, to);
  });
}

void CompiledMatmul::run(const float* a, const float* b, float* c, void* scratch) const {
  call_dnnl("a product", [&](dnnl::stream& stream) {
    impl_->primitive.execute(stream, {{DNNL_ARG_SRC, dnnl_memory(impl_->a, a)},
                                      {DNNL_ARG_WEIGHTS, dnnl_memory(impl_->b, b)},
                                      {DNNL_ARG_DST, dnnl_memory(impl_->c, c)},
                                      {DNNL_ARG_SCRATCHPAD, dnnl_memory(impl_->scratch, scratch)}});
  });
}

std::shared_ptr<const CompiledMatmul> compiled_matmul(const MatmulShape& shape) {
  static CompiledByShape<MatmulShape, CompiledMatmul> kept;
  return kept.find(shape, [](const MatmulShape& s) -> std::unique_ptr<CompiledMatmul::Impl> {
    const auto matrix = [](std::int64_t rows, std::int64_t columns) {
      return memory::desc({rows, columns}, memory::data_type::f32, memory::format_tag::ab);
    };
    const auto a = matrix(s.m, s.k), c = matrix(s.m, s.n);
    const auto b = s.packed
                       ? memory::desc({s.k, s.n}, memory::data_type::f32, memory::format_tag::any)
                       : matrix(s.k, s.n);
    const dnnl::matmul::primitive_desc desc({a, b, c}, dnnl_attributes(), dnnl_engine());
    // What it calls gemm is run_sgemm behind another door.
    if (!std::string_view(desc.impl_info_str()).starts_with("brg")) return nullptr;
    return std::make_unique<CompiledMatmul::Impl>(CompiledMatmul::Impl{
        a, desc.weights_desc(), c, desc.scratchpad_desc(), dnnl::matmul(desc)});
  });
}

}  // namespace rill
