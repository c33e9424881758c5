#include "rill/serve/kserve/contents.h"

#include <algorithm>
#include <limits>

#include "rill/base/error.h"
#include "rill/serve/kserve/model_info.h"
#include "rill/serve/kserve/types.h"
#include "rill/tensor/dtype_visit.h"

namespace rill::serve {
namespace {

using Input = inference::ModelInferRequest::InferInputTensor;
using Contents = inference::InferTensorContents;

template <class T>
constexpr bool has_list = std::is_integral_v<T> || std::is_same_v<T, float> ||
                          std::is_same_v<T, double> || std::is_same_v<T, std::string>;

// The list for elements of this type; narrow integers share one with wider ones.
template <class T>
const auto& list_of(const Contents& contents) {
  if constexpr (std::is_same_v<T, bool>)
    return contents.bool_contents();
  else if constexpr (std::is_same_v<T, std::string>)
    return contents.bytes_contents();
  else if constexpr (std::is_same_v<T, float>)
    return contents.fp32_contents();
  else if constexpr (std::is_same_v<T, double>)
    return contents.fp64_contents();
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return contents.int64_contents();
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return contents.uint64_contents();
  else if constexpr (std::is_signed_v<T>)
    return contents.int_contents();
  else
    return contents.uint_contents();
}
// The same of contents that may change.
template <class T>
auto& list_of(Contents* contents) {
  auto& list = list_of<T>(std::as_const(*contents));
  return const_cast<std::remove_cvref_t<decltype(list)>&>(list);
}

bool has_list_for(DType dtype) {
  return visit_dtype(dtype, []<class T>() { return has_list<T>; });
}

template <class T, class Element>
T narrowed(const Element& element) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    require(element >= std::numeric_limits<T>::min() && element <= std::numeric_limits<T>::max(),
            element, " is no ", kserve_type(dtype_of<T>));
  return static_cast<T>(element);
}

template <class T>
Tensor tensor_of_list(const Contents& contents, const Shape& shape) {
  const auto& list = list_of<T>(contents);
  require(list.size() == shape.element_count(), "there are ", list.size(), " elements of type ",
          kserve_type(dtype_of<T>), " for the shape ", shape);
  Tensor tensor(dtype_of<T>, shape);
  std::ranges::transform(list, tensor.data<T>(),
                         [](const auto& element) { return narrowed<T>(element); });
  return tensor;
}

Tensor tensor_of(const Input& input, const std::string* raw) {
  const DType dtype = parse_kserve_type(input.datatype());
  for (const std::int64_t dim : input.shape())
    require(dim >= 0, "its shape has the dimension ", dim);
  const Shape shape(std::span(input.shape().data(), static_cast<std::size_t>(input.shape_size())));
  require(raw == nullptr || !input.has_contents(), "it has contents beside raw_input_contents");
  if (raw != nullptr) return tensor_of_bytes(*raw, dtype, shape);
  return visit_dtype(dtype, [&]<class T>() -> Tensor {
    if constexpr (has_list<T>) return tensor_of_list<T>(input.contents(), shape);
    raise(Code::kInvalidArgument, input.datatype(), " has to come in raw_input_contents");
  });
}

void check_parameters(const auto& parameters) {
  for (const auto& [name, value] : parameters) check_kserve_parameter(name);
}

}  // namespace

Question kserve_question(const inference::ModelInferRequest& request) {
  Question question;
  check_parameters(request.parameters());
  const auto signature = request.parameters().find("signature_name");
  if (signature != request.parameters().end())
    question.signature = signature->second.string_param();
  const bool is_raw = request.raw_input_contents_size() > 0;
  require(!is_raw || request.raw_input_contents_size() == request.inputs_size(), "There are ",
          request.raw_input_contents_size(), " raw_input_contents for ", request.inputs_size(),
          " inputs");
  for (int i = 0; i < request.inputs_size(); ++i) {
    const Input& input = request.inputs(i);
    check_parameters(input.parameters());
    Tensor tensor;
    try {
      tensor = tensor_of(input, is_raw ? &request.raw_input_contents(i) : nullptr);
    } catch (const Error& error) {
      raise(error.code(), "Input ", input.name(), ": ", error.message());
    }
    require(question.inputs.emplace(input.name(), std::move(tensor)).second, "Input ", input.name(),
            " is given twice");
  }
  for (const auto& output : request.outputs()) {
    check_parameters(output.parameters());
    question.output_filter.push_back(output.name());
  }
  return question;
}

void write_kserve_answer(const inference::ModelInferRequest& request,
                         const std::map<std::string, Tensor>& outputs,
                         inference::ModelInferResponse* response) {
  response->set_id(request.id());
  std::vector<std::string> names;
  for (const auto& output : request.outputs()) names.push_back(output.name());
  if (names.empty())
    for (const auto& [name, tensor] : outputs) names.push_back(name);
  const bool is_raw =
      request.raw_input_contents_size() > 0 ||
      std::ranges::any_of(outputs, [](const auto& o) { return !has_list_for(o.second.dtype()); });
  for (const std::string& name : names) {
    const Tensor& tensor = outputs.at(name);
    auto* output = response->add_outputs();
    output->set_name(name);
    output->set_datatype(std::string(kserve_type(tensor.dtype())));
    for (const std::int64_t dim : tensor.shape().dims()) output->add_shape(dim);
    if (is_raw)
      response->add_raw_output_contents(tensor_bytes(tensor));
    else
      visit_dtype(tensor.dtype(), [&]<class T>() {
        if constexpr (has_list<T>) {
          auto& list = list_of<T>(output->mutable_contents());
          const auto elements = tensor.flat<T>();
          list.Reserve(static_cast<int>(elements.size()));
          for (const T& element : elements) *list.Add() = element;
        }
      });
  }
}

}  // namespace rill::serve
