#include "rill/serve/model/requests.h"
#include "tensorflow_serving/apis/input.pb.h"

namespace rill::serve {

Tensor serialized_examples(const messages::Input& input) {
  // Two messages one after the other are the first with the fields of the second put in.
  std::string context;
  const auto* examples = &input.example_list().examples();
  if (input.kind_case() == messages::Input::kExampleListWithContext) {
    context = input.example_list_with_context().context().SerializeAsString();
    examples = &input.example_list_with_context().examples();
  }
  require(!examples->empty(), "Input is empty.");
  Tensor tensor(DType::string, Shape({examples->size()}));
  auto* text = tensor.data<std::string>();
  for (const tensorflow::Example& example : *examples) {
    *text = context;
    require(example.AppendToString(text++), "An example is too large");
  }
  return tensor;
}

}  // namespace rill::serve
