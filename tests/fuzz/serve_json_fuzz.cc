// Any bytes as the body of a REST request, for signatures of several kinds, and as its path.
#include <cstdint>
#include <string>

#include "rill/base/error.h"
#include "rill/serve/rest/json_examples.h"
#include "rill/serve/rest/json_tensor.h"
#include "rill/serve/rest/rest_path.h"
#include "tensorflow_serving/apis/input.pb.h"

namespace {

rill::serve::Signatures make_signatures() {
  rill::serve::Signatures signatures;
  auto& one = *signatures["serving_default"].mutable_inputs();
  one["x"].set_dtype(tensorflow::DT_FLOAT);
  auto& more = *signatures["more"].mutable_inputs();
  more["i"].set_dtype(tensorflow::DT_INT32);
  more["u"].set_dtype(tensorflow::DT_UINT64);
  more["s"].set_dtype(tensorflow::DT_STRING);
  more["b"].set_dtype(tensorflow::DT_BOOL);
  return signatures;
}

template <class F>
void attempt(F&& work) {
  try {
    work();
  } catch (const rill::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& signatures = *new rill::serve::Signatures(make_signatures());
  const std::string body(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const auto parsed = rill::serve::parse_predict_request(body, signatures);
    (void)rill::serve::predict_response(parsed.question.inputs, parsed.layout);
  });
  attempt([&] {
    tensorflow::serving::ModelSpec spec;
    tensorflow::serving::Input input;
    rill::serve::parse_examples_request(body, &spec, &input);
  });
  for (const char* method : {"GET", "POST"})
    attempt([&] { (void)rill::serve::parse_rest_path(method, body); });
  return 0;
}
