// A prediction request as a client of the model server puts it together.
#include <iostream>

#include "tensorflow/core/example/example.pb.h"
#include "tensorflow/core/example/feature.pb.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/framework/types.pb.h"
#include "tensorflow_serving/apis/predict.pb.h"

int main() {
  tensorflow::Example example;
  tensorflow::Features* features = example.mutable_features();
  google::protobuf::Map<std::string, tensorflow::Feature>& feature_map =
      *features->mutable_feature();
  for (int i = 0; i < 3; ++i) {
    tensorflow::Feature _feature;
    tensorflow::FloatList* fl = _feature.mutable_float_list();
    fl->add_value(3.1415926f + i);
    feature_map["feature_" + std::to_string(i)] = _feature;
  }
  std::string example_str = "";
  example.SerializeToString(&example_str);
  tensorflow::TensorProto example_proto;
  example_proto.set_dtype(tensorflow::DataType::DT_STRING);
  example_proto.add_string_val(example_str);
  example_proto.mutable_tensor_shape()->add_dim()->set_size(1);
  tensorflow::serving::PredictRequest request;
  request.mutable_model_spec()->set_name("model-name");
  (*request.mutable_inputs())["examples"] = example_proto;

  tensorflow::Tensor tensor;
  CHECK(tensor.FromProto(request.inputs().at("examples")));
  tensorflow::Example read;
  CHECK(read.ParseFromString(tensor.vec<tensorflow::string>()(0)));
  std::cout << read.features().feature().at("feature_2").float_list().value(0) << "\n";
  return 0;
}
