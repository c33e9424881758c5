// Any bytes as a ModelInferRequest: tensors that are read can be given back.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>

#include "rill/base/error.h"
#include "rill/serve/kserve/contents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rill::serve;
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  inference::ModelInferRequest request;
  if (!request.ParseFromArray(data, static_cast<int>(size))) return 0;
  try {
    const Question question = kserve_question(request);
    request.clear_outputs();
    inference::ModelInferResponse response;
    write_kserve_answer(request, question.inputs, &response);
  } catch (const rill::Error&) {
  }
  return 0;
}
