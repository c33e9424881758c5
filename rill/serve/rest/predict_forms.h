#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rill/net/http/http_server.h"
#include "rill/serve/rest/json_tensor.h"

// The forms in which a predict request and its answer may come, each chosen by a header. JSON is
// TensorFlow Serving's; the others are for tensors that are large.
namespace rill::serve {

enum class BodyForm {
  kJson,
  kBytes,     // application/octet-stream: the elements of one tensor as they lie in memory
  kNpy,       // application/x-npy: one tensor as numpy's .npy file
  kProtobuf,  // application/x-protobuf: PredictRequest and PredictResponse
};
// What a Content-Type names; JSON unless it is another form.
BodyForm body_form(std::string_view content_type);
// The first form that an Accept header names; none when it names none.
std::optional<BodyForm> accepted_form(std::string_view accept);

// What stands behind the "?" of a target.
std::map<std::string, std::string> query_of(std::string_view target);

// What was asked, and how it wants to be answered.
struct PredictQuestion {
  Question question;
  JsonLayout layout = JsonLayout::kColumn;
  BodyForm answer_form = BodyForm::kJson;
};
// Throws InvalidArgument saying what is wrong with the body, or missing in the query: "input" and
// "shape" of a body of one tensor, "signature_name", and "output" where the answer is one tensor.
PredictQuestion read_predict_body(const net::HttpRequest& request, std::string_view accept,
                                  const Signatures& signatures);

// `asked` may have lost its inputs. Throws InvalidArgument when the form has no room for the
// outputs.
net::HttpResponse write_predict_answer(const ServableId& id, const PredictQuestion& asked,
                                       const std::map<std::string, Tensor>& outputs);

}  // namespace rill::serve
