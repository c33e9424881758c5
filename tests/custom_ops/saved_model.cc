// Asks a SavedModel for what its signature promises: saved_model FOLDER NUMBER
#include <cstdlib>
#include <iostream>

#include "tensorflow/cc/saved_model/loader.h"
#include "tensorflow/cc/saved_model/tag_constants.h"
#include "tensorflow/core/framework/tensor.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  tensorflow::SavedModelBundle bundle;
  const tensorflow::Status loaded =
      tensorflow::LoadSavedModel(tensorflow::SessionOptions(), tensorflow::RunOptions(), argv[1],
                                 {tensorflow::kSavedModelTagServe}, &bundle);
  if (!loaded.ok()) {
    std::cout << tensorflow::error::Code_Name(loaded.code()) << "\n";
    return 1;
  }
  const auto& signature = bundle.GetSignatures().at("serving_default");
  tensorflow::Tensor x(tensorflow::DT_FLOAT, tensorflow::TensorShape());
  x.scalar<float>()() = std::strtof(argv[2], nullptr);
  std::vector<tensorflow::Tensor> outputs;
  TF_CHECK_OK(bundle.session->Run({{signature.inputs().at("x").name(), x}},
                                  {signature.outputs().at("y").name()}, {}, &outputs));
  std::cout << outputs[0].scalar<float>()() << "\n";
  return 0;
}
