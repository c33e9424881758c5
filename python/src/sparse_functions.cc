// tf.sparse and tf.sets.
#include "rill/api/sparse/sparse_ops.h"

#include "array_functions.h"
#include "errors.h"
#include "inputs.h"
#include "plain_values.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/sparse.h"
#include "sparse_tensors.h"
#include "truth.h"

namespace rill::python {
namespace {

SparseTensor sparse_arg(const Call& call, const char* name = "sp_input") {
  return sparse_of(call[name]);
}

// --- reductions --------------------------------------------------------------------------------

sparse::ReduceOptions sparse_reduce_options(const Call& call) {
  const nb::handle axis = either(call, "axis", "reduction_axes");
  const nb::handle keep = either(call, "keepdims", "keep_dims");
  sparse::ReduceOptions options;
  if (!axis.is_none()) options.axis = input_from(axis, "reduction_axes");
  options.keepdims = truth_of(keep);
  return options;
}

// --- inputs that may be sparse or dense --------------------------------------------------------

std::vector<sparse::CrossInput> cross_inputs(nb::handle list) {
  if (!PyList_Check(list.ptr()) && !PyTuple_Check(list.ptr())) type_error("Inputs must be a list");
  std::vector<sparse::CrossInput> inputs;
  for (nb::handle item : list) {
    if (is_sparse(item)) {
      inputs.emplace_back(sparse_of(item));
    } else if (is_tensor(item)) {
      inputs.emplace_back(tensor_object(item).output);
    } else {
      type_error("All inputs must be Tensor or SparseTensor.");
    }
  }
  return inputs;
}

// --- others ------------------------------------------------------------------------------------

std::optional<std::vector<std::int64_t>> placeholder_shape(nb::handle shape) {
  if (shape.is_none()) return {};
  std::vector<std::int64_t> dims;
  for (nb::handle dim : nb::object(nb::borrow(shape))) {
    nb::object value = nb::hasattr(dim, "value") ? nb::object(dim.attr("value")) : nb::borrow(dim);
    dims.push_back(value.is_none() ? -1 : integer_of(value));
  }
  return dims;
}

nb::object sparse_add(const Call& call) {
  const nb::handle a = call["a"], b = call["b"];
  if (!is_sparse(a) && !is_sparse(b))
    type_error("At least one input should be SparseTensor; do you mean to use tf.add()?");
  if (is_sparse(a) && is_sparse(b)) {
    const nb::handle limit = either(call, "threshold", "thresh");
    const SparseTensor left = sparse_of(a), right = sparse_of(b);
    return give(
        sparse::add(left, right, limit.is_none() ? Input(0) : input_from(limit, "threshold")));
  }
  const bool first = is_sparse(a);
  return give(sparse::add(sparse_of(first ? a : b), input_from(first ? b : a, "b")));
}

IndexedSlices slices_arg(nb::handle value) {
  const auto part = [&](const char* name) {
    nb::object tensor = value.attr(name);
    return is_tensor(tensor) ? tensor_object(tensor).output : Output();
  };
  return {part("values"), part("indices"), part("dense_shape")};
}

nb::object merge_sparse_ids(const Call& call) {
  std::vector<SparseTensor> ids;
  std::vector<Input> sizes;
  if (is_sparse(call["sp_ids"])) {
    ids.push_back(sparse_of(call["sp_ids"]));
    sizes.push_back(call.input("vocab_size"));
  } else {
    if (!PyList_Check(call["sp_ids"].ptr()) && !PyTuple_Check(call["sp_ids"].ptr()))
      type_error("sp_ids has to be a SparseTensor or list thereof. Found ",
                 type_name_of(call["sp_ids"]));
    ids = sparse_list_of(call["sp_ids"]);
    sizes = call.inputs("vocab_size");
  }
  return give(sparse::merge(ids, sparse_arg(call, "sp_values"), sizes,
                            {.already_sorted = call.flag("already_sorted"), .name = call.name()}));
}

const Function kSparse[] = {
    {"sparse.placeholder(dtype, shape=None, name=None)",
     [](const Call& call) {
       const nb::handle shape = call["shape"];
       if (is_tensor(shape))
         return give(sparse::placeholder(
             call.dtype("dtype"), {},
             {.name = call.name(), .shape_tensor = tensor_object(shape).output}));
       return give(sparse::placeholder(call.dtype("dtype"), placeholder_shape(shape),
                                       {.name = call.name()}));
     },
     "A sparse tensor that is fed."},
    {"sparse.to_dense(sp_input, default_value=None, validate_indices=True, name=None)",
     [](const Call& call) {
       return give(sparse::to_dense(sparse_arg(call),
                                    {.default_value = call.optional_input("default_value"),
                                     .validate_indices = call.flag("validate_indices"),
                                     .name = call.name()}));
     },
     "A sparse tensor with all of its elements."},
    {"sparse.from_dense(tensor, name=None)",
     [](const Call& call) {
       return give(sparse::from_dense(call.input("tensor"), {.name = call.name()}));
     },
     "What of a tensor is not zero."},
    {"sparse.reorder(sp_input, name=None)",
     [](const Call& call) {
       return give(sparse::reorder(sparse_arg(call), {.name = call.name()}));
     },
     "A sparse tensor with its elements in the order of their indices."},
    {"sparse.reshape(sp_input, shape, name=None)",
     [](const Call& call) {
       return give(sparse::reshape(sparse_arg(call), call.input("shape"), {.name = call.name()}));
     },
     "A sparse tensor in another shape."},
    {"sparse.transpose(sp_input, perm=None, name=None)",
     [](const Call& call) {
       return give(sparse::transpose(sparse_arg(call),
                                     {.perm = call.optional_input("perm"), .name = call.name()}));
     },
     "A sparse tensor with its dimensions in another order."},
    {"sparse.concat(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None, "
     "expand_nonconcat_dims=None)",
     [](const Call& call) {
       if (call.has("expand_nonconcat_dims"))
         value_error("Cannot specify both 'expand_nonconcat_dim' and 'expand_nonconcat_dims'.");
       const nb::handle axis = either(call, "axis", "concat_dim");
       return give(sparse::concat(
           integers(axis).at(0), sparse_list_of(call["sp_inputs"]),
           {.expand_nonconcat_dim = call.flag("expand_nonconcat_dim"), .name = call.name()}));
     },
     "Sparse tensors one after the other."},
    {"sparse.split(keyword_required=None, sp_input=None, num_split=None, axis=None, name=None, "
     "split_dim=None)",
     [](const Call& call) {
       if (call.has("keyword_required"))
         value_error("Keyword arguments are required for this function.");
       const nb::handle axis = either(call, "axis", "split_dim");
       if (!call.has("sp_input")) value_error("sp_input is required");
       if (!call.has("num_split")) value_error("num_split is required");
       if (axis.is_none()) value_error("axis is required");
       return give(sparse::split(sparse_arg(call), call.integer("num_split"),
                                 input_from(axis, "split_dim"), {.name = call.name()}));
     },
     "Parts of a sparse tensor."},
    {"sparse.slice(sp_input, start, size, name=None)",
     [](const Call& call) {
       return give(sparse::slice(sparse_arg(call), call.input("start", DType::i64),
                                 call.input("size", DType::i64), {.name = call.name()}));
     },
     "A box of a sparse tensor."},
    {"sparse.add(a, b, threshold=None, thresh=None)", sparse_add, "a + b"},
    {"sparse.maximum(sp_a, sp_b, name=None)",
     [](const Call& call) {
       return give(sparse::maximum(sparse_arg(call, "sp_a"), sparse_arg(call, "sp_b"),
                                   {.name = call.name()}));
     },
     "The larger elements of two sparse tensors."},
    {"sparse.minimum(sp_a, sp_b, name=None)",
     [](const Call& call) {
       return give(sparse::minimum(sparse_arg(call, "sp_a"), sparse_arg(call, "sp_b"),
                                   {.name = call.name()}));
     },
     "The smaller elements of two sparse tensors."},
    {"sparse.sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None)",
     [](const Call& call) {
       return give(sparse::matmul(sparse_arg(call, "sp_a"), call.input("b"),
                                  {.adjoint_a = call.flag("adjoint_a"),
                                   .adjoint_b = call.flag("adjoint_b"),
                                   .name = call.name()}));
     },
     "The product of a sparse and a dense matrix."},
    {"sparse.reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None)",
     [](const Call& call) {
       return give(sparse::reduce_sum(sparse_arg(call), sparse_reduce_options(call)));
     },
     "Sums along dimensions."},
    {"sparse.reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None)",
     [](const Call& call) {
       return give(sparse::reduce_max(sparse_arg(call), sparse_reduce_options(call)));
     },
     "Maxima along dimensions."},
    {"sparse.reduce_sum_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, "
     "keep_dims=None)",
     [](const Call& call) {
       return give(sparse::reduce_sum_sparse(sparse_arg(call), sparse_reduce_options(call)));
     },
     "Sums along dimensions, as a sparse tensor."},
    {"sparse.reduce_max_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, "
     "keep_dims=None)",
     [](const Call& call) {
       return give(sparse::reduce_max_sparse(sparse_arg(call), sparse_reduce_options(call)));
     },
     "Maxima along dimensions, as a sparse tensor."},
    {"sparse.retain(sp_input, to_retain)",
     [](const Call& call) {
       return give(sparse::retain(sparse_arg(call), call.input("to_retain")));
     },
     "Some elements of a sparse tensor."},
    {"sparse.mask(a, mask_indices, name=None)",
     [](const Call& call) {
       return give(Gradient(
           sparse::mask(slices_arg(call["a"]), call.input("mask_indices"), {.name = call.name()})));
     },
     "The rows of IndexedSlices that are not among others."},
    {"sparse.fill_empty_rows(sp_input, default_value, name=None)",
     [](const Call& call) -> nb::object {
       const auto filled = sparse::fill_empty_rows(sparse_arg(call), call.input("default_value"),
                                                   {.name = call.name()});
       return nb::make_tuple(give(filled.first), give(filled.second));
     },
     "A sparse tensor with a value in each row."},
    {"sparse.reset_shape(sp_input, new_shape=None)",
     [](const Call& call) {
       return give(sparse::reset_shape(sparse_arg(call), call.optional_input("new_shape")));
     },
     "A sparse tensor in a larger shape, or in the smallest."},
    {"sparse.softmax(sp_input, name=None)",
     [](const Call& call) {
       return give(sparse::softmax(sparse_arg(call), {.name = call.name()}));
     },
     "The softmax of the elements of each row."},
    {"sparse.merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False)",
     merge_sparse_ids, "Values at the places that ids name."},
    {"sparse.to_indicator(sp_input, vocab_size, name=None)",
     [](const Call& call) {
       return give(
           sparse::to_indicator(sparse_arg(call), call.input("vocab_size"), {.name = call.name()}));
     },
     "True at the ids of each row."},
    {"sparse.expand_dims(sp_input, axis=None, name=None)",
     [](const Call& call) {
       return give(sparse::expand_dims(sparse_arg(call),
                                       {.axis = call.optional_input("axis"), .name = call.name()}));
     },
     "A sparse tensor with a new dimension of size 1."},
    {"sparse.eye(num_rows, num_columns=None, dtype=tf.float32, name=None)",
     [](const Call& call) {
       return give(
           sparse::eye(call.input("num_rows"), {.num_columns = call.optional_input("num_columns"),
                                                .dtype = call.dtype("dtype"),
                                                .name = call.name()}));
     },
     "Ones on the diagonal."},
    {"sparse.cross(inputs, name=None)",
     [](const Call& call) {
       return give(sparse::cross(cross_inputs(call["inputs"]), {.name = call.name()}));
     },
     "For each row every choice of one element of each input."},
    {"sparse.cross_hashed(inputs, num_buckets=0, hash_key=None, name=None)",
     [](const Call& call) {
       return give(sparse::cross_hashed(cross_inputs(call["inputs"]),
                                        {.num_buckets = call.integer("num_buckets"),
                                         .hash_key = call.optional_integer("hash_key").value_or(0),
                                         .name = call.name()}));
     },
     "Hashes of every choice of one element of each input."},
    {"io.serialize_sparse(sp_input, name=None, out_type=tf.string)",
     [](const Call& call) {
       const SparseTensor s = sparse_arg(call);
       return give(raw::SerializeSparse(s.indices, s.values, s.dense_shape,
                                        {.out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "A sparse tensor as three strings."},
    {"io.serialize_many_sparse(sp_input, name=None, out_type=tf.string)",
     [](const Call& call) {
       const SparseTensor s = sparse_arg(call);
       return give(
           raw::SerializeManySparse(s.indices, s.values, s.dense_shape,
                                    {.out_type = call.dtype("out_type"), .name = call.name()}));
     },
     "The rows of a sparse tensor, each as three strings."},
    {"io.deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None)",
     [](const Call& call) {
       const auto made = raw::DeserializeManySparse(call.input("serialized_sparse"),
                                                    call.dtype("dtype"), {.name = call.name()});
       const std::int64_t rank = call.optional_integer("rank").value_or(-1);
       Graph& graph = made.sparse_indices.node->graph();
       graph.refine_shape(made.sparse_indices, {-1, rank});
       graph.refine_shape(made.sparse_shape, {rank});
       return give(SparseTensor(made.sparse_indices, made.sparse_values, made.sparse_shape));
     },
     "The sparse tensor that serialize_many_sparse wrote."},
};

}  // namespace

void bind_sparse_functions() { add_functions(kSparse); }

}  // namespace rill::python
