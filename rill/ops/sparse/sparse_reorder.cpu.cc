#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseReorder, kSparseReshape;

namespace {

void sparse_reorder(KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  const auto order = sorted_order(sparse.indices.data<Index>(), sparse.count(), sparse.rank());
  take_indices(sparse.indices, order, call.output_tensor(0));
  take_elements(sparse.values, order, call.output_tensor(1));
}

// The new dense shape with the dimension that is -1 filled in.
Shape target_shape(const Shape& from, const Tensor& asked) {
  Dims dims = read_dims(asked);
  int unknown = -1;
  Dims known;
  for (int d = 0; d < dims.size(); ++d) {
    if (dims[d] != -1) {
      require(dims[d] >= 0, "size ", d, " must be non-negative, not ", dims[d]);
      known.push_back(dims[d]);
      continue;
    }
    require(unknown < 0, "only one output dimension may be -1, not both ", unknown, " and ", d);
    unknown = d;
  }
  const std::int64_t product = Shape(known.span()).element_count();
  if (unknown < 0) {
    require(product == from.element_count(), "Input to reshape is a tensor with ",
            from.element_count(), " dense values, but the requested shape has ", product,
            ". input_shape=", from, " output_shape=", Shape(dims.span()));
    return Shape(dims.span());
  }
  require(product > 0,
          "reshape cannot infer the missing input size for an empty tensor unless all specified "
          "input sizes are non-zero");
  dims[unknown] = from.element_count() / product;
  require(dims[unknown] * product == from.element_count(),
          "Input to reshape is a SparseTensor with ", from.element_count(),
          " dense values, but the requested shape requires a multiple of ", product,
          ". input_shape=", from, " output_shape=", Shape(dims.span()));
  return Shape(dims.span());
}

// Divides by the size of a dimension: numbers of less than 32 bits by multiplying with 2^64 / size,
// whose rounding is too little to matter for them.
class Divisor {
 public:
  Divisor(std::int64_t size, bool small)
      : size_(size), factor_(small && size > 1 ? ~std::uint64_t{0} / as_unsigned(size) + 1 : 0) {}
  std::int64_t size() const { return size_; }
  std::int64_t quotient(std::int64_t x) const {
    if (factor_ == 0) return x / size_;
    return static_cast<std::int64_t>(static_cast<unsigned __int128>(factor_) * as_unsigned(x) >>
                                     64);
  }

 private:
  static std::uint64_t as_unsigned(std::int64_t x) { return static_cast<std::uint64_t>(x); }
  std::int64_t size_;
  std::uint64_t factor_;
};

std::vector<Divisor> divisors(const Shape& shape) {
  const bool small = shape.element_count() < std::int64_t{1} << 32;
  std::vector<Divisor> sizes;
  for (const std::int64_t size : shape.dims()) sizes.emplace_back(size, small);
  return sizes;
}

void sparse_reshape(KernelCall& call) {
  const Tensor& indices = call.input_tensor(0);
  // Values count as often as there are indices, which is all that the checks ask of them.
  const SparseInput sparse{indices, Tensor(DType::u8, {indices.dim(0)}),
                           read_dims(call.input_tensor(1))};
  const Shape from = sparse.dense_shape();
  const Shape to = target_shape(from, call.input_tensor(2));
  std::copy(to.dims().begin(), to.dims().end(), call.output<Index>(1).begin());
  check_bounds(sparse);
  const Dims strides = row_major_strides(from);
  const std::vector<Divisor> sizes = divisors(to);
  const auto first = static_cast<std::size_t>(from.rank()), second = sizes.size();
  const Index *const in = indices.data<Index>(), *const apart = strides.data();
  Index* const out = call.output<Index>(0).data();
  call.parallel_for(static_cast<std::size_t>(sparse.count()),
                    1.0 * static_cast<double>(first + second),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        std::int64_t place = 0;
                        for (std::size_t d = 0; d < first; ++d)
                          place += in[i * first + d] * apart[d];
                        // What is left for the first dimension is less than its size.
                        for (std::size_t d = second; d-- > 1;) {
                          const std::int64_t rest = sizes[d].quotient(place);
                          out[i * second + d] = place - rest * sizes[d].size();
                          place = rest;
                        }
                        if (second > 0) out[i * second] = place;
                      }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseReorder, .run = sparse_reorder},
    {.op = &kSparseReshape, .run = sparse_reshape},
};

}  // namespace

extern const KernelTable kSparseReorderCpu{kEntries};

}  // namespace rill
