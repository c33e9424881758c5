#include "rill/kernel/kernel_registry.h"
#include "rill/ops/sparse/sparse_batch.h"
#include "rill/ops/sparse/tensor_bytes.h"
#include "rill/ops/update/variable_input.h"
#include "rill/tensor/ragged_value.h"

namespace rill {

extern const OpDecl kSerializeSparse, kSerializeManySparse, kDeserializeSparse,
    kDeserializeManySparse;

namespace {

// Writes indices, values and shape to three elements of `out`.
void write(const Tensor& out, std::int64_t at, const Tensor (&parts)[3]) {
  for (std::int64_t k = 0; k < 3; ++k) {
    const Tensor& part = parts[k];
    if (out.dtype() == DType::string)
      out.data<std::string>()[at + k] = to_bytes(part);
    else
      out.data<Variant>()[at + k] = to_variant(kept(part));
  }
}

void serialize_sparse(KernelCall& call) {
  write(call.output_tensor(0), 0,
        {call.input_tensor(0), call.input_tensor(1), call.input_tensor(2)});
}

void serialize_many_sparse(KernelCall& call) {
  SparseRows rows(sparse_input(call, 0));
  const Tensor& out = call.allocate_output(0, {rows.count(), 3});
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const SparseInput row = rows.next();
    write(out, 3 * i, {row.indices, row.values, shape_tensor(row.shape.span())});
  }
}

Tensor read(const Tensor& in, std::int64_t at) {
  const std::string what = str_cat("serialized_sparse[", at / 3, ", ", at % 3, "]");
  if (in.dtype() == DType::string) return from_bytes(in.data<std::string>()[at], what);
  const Tensor* tensor = in.data<Variant>()[at].get<Tensor>();
  require(tensor != nullptr, what, " holds no tensor");
  return *tensor;
}

SparseInput read_sparse(const Tensor& in, std::int64_t row) {
  const Tensor indices = read(in, 3 * row), values = read(in, 3 * row + 1),
               shape = read(in, 3 * row + 2);
  const std::string which = str_cat("serialized_sparse[", row, ", ");
  require(indices.dtype() == DType::i64 && indices.rank() == 2, "Expected ", which,
          "0] to represent an index matrix but received ", indices.dtype(), " of shape ",
          indices.shape());
  require(values.rank() == 1, "Expected ", which,
          "1] to represent a values vector but received shape ", values.shape());
  require(shape.dtype() == DType::i64 && shape.rank() == 1, "Expected ", which,
          "2] to represent a shape vector but received ", shape.dtype(), " of shape ",
          shape.shape());
  return sparse_input(indices, values, shape);
}

void deserialize_sparse(KernelCall& call) {
  const Tensor& in = call.input_tensor(0);
  require(in.rank() >= 1, "Serialized sparse should have non-zero rank ", in.shape());
  require(in.dim(in.rank() - 1) == 3, "Serialized sparse should have 3 as the last dimension ",
          in.shape());
  const Dims batch(in.shape().dims().first(static_cast<std::size_t>(in.rank()) - 1));
  std::vector<SparseInput> parts;
  for (std::int64_t row = 0; row < in.element_count() / 3; ++row)
    parts.push_back(read_sparse(in, row));
  output_batch(call, parts, batch, call.node().attr<DType>("dtype"));
}

void deserialize_many_sparse(KernelCall& call) {
  require(call.input_tensor(0).rank() == 2,
          "Serialized sparse should be a matrix but received shape ", call.input_tensor(0).shape());
  deserialize_sparse(call);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSerializeSparse, .run = serialize_sparse},
    {.op = &kSerializeManySparse, .run = serialize_many_sparse, .allocates = true},
    {.op = &kDeserializeSparse, .run = deserialize_sparse, .allocates = true},
    {.op = &kDeserializeManySparse, .run = deserialize_many_sparse, .allocates = true},
};

}  // namespace

extern const KernelTable kSparseSerializeCpu{kEntries};

}  // namespace rill
