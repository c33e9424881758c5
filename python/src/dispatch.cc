#include "dispatch.h"

#include <algorithm>
#include <map>

#include "package.h"
#include "ragged_tensors.h"
#include "rill/api/ragged/elementwise.h"
#include "rill/api/sparse/sparse_tensor.h"
#include "rill/ops/register.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

// --- functions of single elements ----------------------------------------------------------------

// Those that are more than one elementwise op. With rows in several arguments, these must agree.
constexpr const char* kOfElements[] = {"bitcast",
                                       "cast",
                                       "clip_by_value",
                                       "debugging.check_numerics",
                                       "dtypes.saturate_cast",
                                       "identity",
                                       "io.decode_base64",
                                       "io.decode_compressed",
                                       "io.encode_base64",
                                       "math.abs",
                                       "math.add_n",
                                       "math.angle",
                                       "math.conj",
                                       "math.imag",
                                       "math.log_sigmoid",
                                       "math.real",
                                       "math.round",
                                       "nn.dropout",
                                       "nn.elu",
                                       "nn.embedding_lookup",
                                       "nn.leaky_relu",
                                       "nn.relu",
                                       "nn.relu6",
                                       "nn.selu",
                                       "nn.softsign",
                                       "nn.swish",
                                       "ones_like",
                                       "stop_gradient",
                                       "strings.as_string",
                                       "strings.join",
                                       "strings.length",
                                       "strings.lower",
                                       "strings.regex_full_match",
                                       "strings.regex_replace",
                                       "strings.strip",
                                       "strings.substr",
                                       "strings.to_hash_bucket",
                                       "strings.to_hash_bucket_fast",
                                       "strings.to_hash_bucket_strong",
                                       "strings.to_number",
                                       "strings.unicode_script",
                                       "strings.unicode_transcode",
                                       "strings.upper",
                                       "substr",
                                       "to_bfloat16",
                                       "to_complex128",
                                       "to_complex64",
                                       "to_double",
                                       "to_float",
                                       "to_int32",
                                       "to_int64",
                                       "zeros_like"};
// Their first two arguments are broadcast.
constexpr const char* kOfPairs[] = {"div",           "dtypes.complex",   "floor_div",
                                    "math.add",      "math.divide",      "math.divide_no_nan",
                                    "math.floordiv", "math.logical_xor", "math.squared_difference",
                                    "math.truediv",  "math.floormod",    "math.multiply_no_nan"};
constexpr const char* kOfSparse[] = {"math.abs",  "math.bessel_i0e", "math.bessel_i1e",
                                     "math.erf",  "math.negative",   "math.sign",
                                     "math.sqrt", "math.square",     "math.tanh"};

template <std::size_t N>
bool is_among(const char* const (&paths)[N], std::string_view path) {
  return std::ranges::any_of(paths, [&](const char* known) { return path == known; });
}

// The tensors that an elementwise op has; 0 for other functions.
std::size_t elementwise_inputs(const Function& f) {
  if (f.plain.op == nullptr) return 0;
  const Op& op = standard_ops().at(f.plain.op);
  return op.has(kElementwise) ? op.inputs.size() : 0;
}

// Arguments of which some are replaced; holds what replaces them.
struct Replaced {
  std::vector<PyObject*> values;
  std::vector<nb::object> held;

  explicit Replaced(std::span<PyObject* const> given) : values(given.begin(), given.end()) {}
  void put(std::size_t i, nb::object value) {
    values[i] = value.ptr();
    held.push_back(std::move(value));
  }
};

bool is_list_or_tuple(nb::handle value) {
  return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr());
}

bool holds_ragged(nb::handle value) {
  if (!is_list_or_tuple(value)) return is_ragged(value);
  const std::span items(PySequence_Fast_ITEMS(value.ptr()),
                        static_cast<std::size_t>(PySequence_Fast_GET_SIZE(value.ptr())));
  return std::ranges::any_of(items, [](PyObject* item) { return is_ragged(item); });
}

nb::object give_in_rows(const ragged::FlatArguments& all, nb::handle result) {
  return give(all.in_rows(tensor_object(result).output));
}

nb::object map_elements(const Function& f, const std::vector<std::string>& names,
                        std::span<PyObject* const> given) {
  std::vector<ragged::RaggedOrDense> found;
  for (PyObject* argument : given) {
    const nb::handle value = argument;
    if (is_ragged(value)) found.push_back(ragged_or_dense(value));
    if (!is_list_or_tuple(value) || !holds_ragged(value)) continue;
    for (nb::handle item : value)
      if (is_ragged(item)) found.push_back(ragged_or_dense(item));
  }
  const ragged::FlatArguments all = ragged::with_same_rows(found);
  Replaced arguments(given);
  std::size_t next = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const nb::handle value = given[i];
    if (is_ragged(value)) arguments.put(i, give(all.flat[next++]));
    if (!is_list_or_tuple(value) || !holds_ragged(value)) continue;
    nb::list items;
    for (nb::handle item : value)
      items.append(is_ragged(item) ? give(all.flat[next++]) : nb::borrow(item));
    arguments.put(i, items);
  }
  return give_in_rows(all, run_function(f, Call(names, arguments.values)));
}

nb::object map_pairs(const Function& f, const std::vector<std::string>& names,
                     std::span<PyObject* const> given) {
  const bool first = is_ragged(given[0]);
  const ragged::RaggedOrDense known = ragged_or_dense(given[first ? 0 : 1]);
  const DType type = std::get<RaggedTensor>(known).dtype();
  const ragged::RaggedOrDense other = ragged_or_dense(given[first ? 1 : 0], type);
  const auto all = first ? ragged::broadcast({known, other}) : ragged::broadcast({other, known});
  Replaced arguments(given);
  arguments.put(0, give(all.flat[0]));
  arguments.put(1, give(all.flat[1]));
  return give_in_rows(all, run_function(f, Call(names, arguments.values)));
}

nb::object map_sparse(const Function& f, const std::vector<std::string>& names,
                      std::span<PyObject* const> given) {
  SparseTensor result = sparse_of(given[0]);
  Replaced arguments(given);
  arguments.put(0, give(result.values));
  const nb::object values = run_function(f, Call(names, arguments.values));
  result.values = tensor_object(values).output;
  return give(result);
}

const RaggedForm* form_of(std::string_view path) {
  static const auto& forms = *[] {
    auto* map = new std::map<std::string_view, const RaggedForm*>;
    for (const RaggedForm& form : ragged_forms()) map->emplace(form.path, &form);
    return map;
  }();
  const auto found = forms.find(path);
  return found == forms.end() ? nullptr : found->second;
}

}  // namespace

namespace {

// Whether a value can be of one of the classes that functions treat in their own way: these are
// none of Python's own, and no tensors.
bool may_be_special(PyObject* value) {
  if (Py_TYPE(value) == eager_tensor_type || Py_TYPE(value) == tensor_type) return false;
  if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) {
    const std::span items(PySequence_Fast_ITEMS(value),
                          static_cast<std::size_t>(PySequence_Fast_GET_SIZE(value)));
    return std::ranges::any_of(items, may_be_special);
  }
  return (Py_TYPE(value)->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
}

}  // namespace

nb::object dispatched(const Function& f, const std::vector<std::string>& names,
                      std::span<PyObject* const> values) {
  if (std::ranges::none_of(values, may_be_special)) return {};
  const std::string_view path = function_path(f);
  if (std::ranges::any_of(values, [](PyObject* value) { return holds_ragged(value); })) {
    if (const RaggedForm* form = form_of(path)) return form->run(Call(names, values));
    const std::size_t inputs = elementwise_inputs(f);
    if (inputs == 2 || is_among(kOfPairs, path)) return map_pairs(f, names, values);
    if (inputs == 1 || is_among(kOfElements, path)) return map_elements(f, names, values);
    return {};
  }
  if (is_sparse(values[0]) && is_among(kOfSparse, path)) return map_sparse(f, names, values);
  return operator_form(path, names, values);
}

}  // namespace rill::python
