#include "rill/serve/rest/predict_forms.h"

#include "rill/io/npy.h"
#include "rill/serve/kserve/types.h"
#include "rill/serve/rest/rest_path.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::serve {
namespace {

using Query = std::map<std::string, std::string>;

struct FormName {
  const char* name;
  BodyForm form;
};
constexpr FormName kForms[] = {{"application/json", BodyForm::kJson},
                               {"application/octet-stream", BodyForm::kBytes},
                               {"application/x-npy", BodyForm::kNpy},
                               {"application/x-protobuf", BodyForm::kProtobuf},
                               {"application/protobuf", BodyForm::kProtobuf}};

std::optional<BodyForm> form_of(std::string_view media_type) {
  const std::string name = lower(strip(media_type.substr(0, media_type.find(';'))));
  for (const FormName& form : kForms)
    if (name == form.name) return form.form;
  return std::nullopt;
}

const char* name_of(BodyForm form) {
  for (const FormName& known : kForms)
    if (known.form == form) return known.name;
  return "";
}

std::string member(const Query& query, const char* key) {
  const auto found = query.find(key);
  return found == query.end() ? std::string() : found->second;
}

const SignatureDef& find_signature(const Signatures& signatures, const std::string& given) {
  const std::string name = signature_name_of(given);
  const auto found = signatures.find(name);
  require(found != signatures.end(), "Serving signature name: \"", name,
          "\" not found in signature def");
  return found->second;
}

// "?shape=2,-1", or what the signature says.
PartialShape wanted_shape(const Query& query, const tensorflow::TensorInfo& info) {
  if (!query.contains("shape")) return shape_from_proto(info.tensor_shape());
  std::vector<std::int64_t> dims;
  for (const std::string_view item : split(member(query, "shape"), ',')) {
    long long dim = 0;
    if (strip(item).empty()) continue;
    require(parse_int(strip(item), &dim) && dim >= -1, "The shape has the dimension ",
            quoted(item));
    dims.push_back(dim);
  }
  return PartialShape(std::span<const std::int64_t>(dims));
}

// The shape of so many elements; the one dimension that is unknown follows from their number.
Shape full_shape(const PartialShape& wanted, std::uint64_t count) {
  std::vector<std::int64_t> dims(wanted.dims().begin(), wanted.dims().end());
  if (!wanted.has_rank()) dims = {-1};
  std::int64_t* unknown = nullptr;
  std::uint64_t known = 1;
  for (std::int64_t& dim : dims) {
    require(dim >= 0 || unknown == nullptr, "The shape ", wanted,
            " has several unknown dimensions: say ?shape=...");
    if (dim < 0)
      unknown = &dim;
    else
      known = Shape{static_cast<std::int64_t>(known), dim}.element_count();  // checks for overflow
  }
  if (unknown != nullptr) *unknown = known == 0 ? 0 : static_cast<std::int64_t>(count / known);
  return Shape(std::span<const std::int64_t>(dims));
}

// A single text is the body itself; several come each behind their length.
Tensor text_tensor(const std::string& body, const PartialShape& wanted) {
  const Shape shape = full_shape(wanted, 1);
  if (shape.element_count() != 1) return tensor_of_bytes(body, DType::string, shape);
  Tensor tensor(DType::string, shape);
  tensor.data<std::string>()[0] = body;
  return tensor;
}

Tensor bytes_tensor(const std::string& body, const Query& query,
                    const tensorflow::TensorInfo& info) {
  const DType dtype = dtype_from_proto(static_cast<int>(info.dtype()));
  const PartialShape wanted = wanted_shape(query, info);
  if (dtype == DType::string) return text_tensor(body, wanted);
  require(is_trivial(dtype), "A tensor of type ", dtype, " has no bytes");
  return tensor_of_bytes(body, dtype, full_shape(wanted, body.size() / element_size(dtype)));
}

// A body of one tensor.
Question tensor_question(BodyForm form, const std::string& body, const Query& query,
                         const Signatures& signatures) {
  Question question;
  question.signature = member(query, "signature_name");
  const SignatureDef& signature = find_signature(signatures, question.signature);
  std::string name = member(query, "input");
  require(!name.empty() || signature.inputs_size() == 1, "The signature has the inputs ",
          joined_names(signature.inputs()), ", and the body is one of them: say ?input=NAME");
  if (name.empty()) name = signature.inputs().begin()->first;
  const auto input = signature.inputs().find(name);
  require(input != signature.inputs().end(), "input tensor alias not found in signature: ", name,
          ". Inputs expected to be in the set {", joined_names(signature.inputs()), "}.");
  question.inputs[name] =
      form == BodyForm::kNpy ? parse_npy(body) : bytes_tensor(body, query, input->second);
  return question;
}

Question message_question(const std::string& body) {
  messages::PredictRequest request;
  require(request.ParseFromString(body), "The request is no ", request.GetTypeName());
  Question question;
  question.signature = request.model_spec().signature_name();
  for (const auto& [name, proto] : request.inputs()) {
    try {
      question.inputs[name] = from_proto(proto);
    } catch (const Error& error) {
      if (error.code() == Code::kResourceExhausted) throw;
      raise(Code::kInvalidArgument, "tensor parsing error: ", name);
    }
  }
  question.output_filter.assign(request.output_filter().begin(), request.output_filter().end());
  return question;
}

std::string message_bytes(const ServableId& id, const PredictQuestion& asked,
                          const std::map<std::string, Tensor>& outputs) {
  messages::PredictResponse response;
  messages::ModelSpec* spec = response.mutable_model_spec();
  spec->set_name(id.name);
  spec->mutable_version()->set_value(id.version);
  spec->set_signature_name(signature_name_of(asked.question.signature));
  for (const auto& [name, tensor] : outputs)
    to_proto(tensor, &(*response.mutable_outputs())[name], ProtoForm::fields);
  return response.SerializeAsString();
}

// The elements of a tensor, with headers that say what they are.
net::HttpResponse bytes_response(const std::string& name, const Tensor& tensor) {
  const bool is_text = tensor.dtype() == DType::string;
  require(is_text || is_trivial(tensor.dtype()), "A tensor of type ", tensor.dtype(),
          " has no bytes");
  std::vector<std::string> dims;
  for (const std::int64_t dim : tensor.shape().dims()) dims.push_back(str_cat(dim));
  return {.content_type = name_of(BodyForm::kBytes),
          .body = is_text && tensor.element_count() == 1 ? tensor.data<std::string>()[0]
                                                         : tensor_bytes(tensor),
          .headers = {{"Tensor-Name", percent_encoded(name)},
                      {"Tensor-Type", str_cat(tensor.dtype())},
                      {"Tensor-Shape", join(dims, ",")}}};
}

}  // namespace

BodyForm body_form(std::string_view content_type) {
  return form_of(content_type).value_or(BodyForm::kJson);
}

std::optional<BodyForm> accepted_form(std::string_view accept) {
  for (const std::string_view item : split(accept, ','))
    if (const auto form = form_of(item)) return form;
  return std::nullopt;
}

std::map<std::string, std::string> query_of(std::string_view target) {
  Query query;
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return query;
  for (const std::string_view item : split(target.substr(mark + 1), '&')) {
    const std::size_t equals = std::min(item.find('='), item.size());
    query[percent_decoded(item.substr(0, equals))] =
        percent_decoded(item.substr(std::min(equals + 1, item.size())));
  }
  return query;
}

PredictQuestion read_predict_body(const net::HttpRequest& request, std::string_view accept,
                                  const Signatures& signatures) {
  PredictQuestion asked;
  const BodyForm form = body_form(request.content_type);
  const Query query = query_of(request.target);
  if (form == BodyForm::kJson) {
    JsonQuestion parsed = parse_predict_request(request.body, signatures);
    asked.question = std::move(parsed.question);
    asked.layout = parsed.layout;
  } else if (form == BodyForm::kProtobuf) {
    asked.question = message_question(request.body);
  } else {
    asked.question = tensor_question(form, request.body, query, signatures);
  }
  asked.answer_form = accepted_form(accept).value_or(
      form == BodyForm::kProtobuf ? BodyForm::kProtobuf : BodyForm::kJson);
  if (query.contains("output")) asked.question.output_filter = {member(query, "output")};
  return asked;
}

net::HttpResponse write_predict_answer(const ServableId& id, const PredictQuestion& asked,
                                       const std::map<std::string, Tensor>& outputs) {
  if (asked.answer_form == BodyForm::kJson)
    return {.body = predict_response(outputs, asked.layout)};
  if (asked.answer_form == BodyForm::kProtobuf)
    return {.content_type = name_of(BodyForm::kProtobuf),
            .body = message_bytes(id, asked, outputs)};
  require(outputs.size() == 1, "The answer has the outputs ", joined_names(outputs), ", and ",
          name_of(asked.answer_form), " has room for one: say ?output=NAME");
  const auto& [name, tensor] = *outputs.begin();
  if (asked.answer_form == BodyForm::kBytes) return bytes_response(name, tensor);
  return {.content_type = name_of(BodyForm::kNpy), .body = npy_bytes(tensor)};
}

}  // namespace rill::serve
