// What the model server adds to the step that it runs, and how fast it reads and writes JSON.
#include <benchmark/benchmark.h>

#include <random>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/model/requests.h"
#include "rill/serve/rest/json_tensor.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::serve {
namespace {

// Half of x, plus two.
std::unique_ptr<ModelServable> half_plus_two() {
  saved_model::Model model;
  model.graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*model.graph);
  Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
  Node& half = scope.add("Mul", {x.output(0), Tensor::scalar(0.5f)});
  Node& y = scope.add("AddV2", {half.output(0), Tensor::scalar(2.0f)});
  model.session = std::make_unique<Session>(model.graph);
  SignatureDef& signature = (*model.meta_graph.mutable_signature_def())["serving_default"];
  signature.set_method_name("tensorflow/serving/predict");
  (*signature.mutable_inputs())["x"].set_name(x.output(0).name());
  (*signature.mutable_inputs())["x"].set_dtype(tensorflow::DT_FLOAT);
  (*signature.mutable_outputs())["y"].set_name(y.output(0).name());
  return std::make_unique<ModelServable>(std::move(model), std::make_unique<DirectRunner>());
}

void bare_step(benchmark::State& state) {
  const auto model = half_plus_two();
  const auto& signature = *model->signature("serving_default");
  const StepRef step =
      model->step({signature.inputs().at("x").name()}, {signature.outputs().at("y").name()});
  const std::vector<Tensor> feeds{Tensor::vector<float>({1, 2, 5})};
  for (auto _ : state) benchmark::DoNotOptimize(step->callable(feeds));
}
BENCHMARK(bare_step)->Name("serve/bare_step");

void predict_request(benchmark::State& state) {
  const auto model = half_plus_two();
  messages::PredictRequest request;
  request.mutable_model_spec()->set_name("half");
  to_proto(Tensor::vector<float>({1, 2, 5}), &(*request.mutable_inputs())["x"]);
  const std::string bytes = request.SerializeAsString();
  for (auto _ : state) {
    messages::PredictRequest parsed;
    messages::PredictResponse response;
    parsed.ParseFromString(bytes);
    predict(*model, parsed, &response, {}, [](std::optional<Error>) {});
    benchmark::DoNotOptimize(response.SerializeAsString());
  }
}
BENCHMARK(predict_request)->Name("serve/predict_request");

// A picture of 1024 x 1024 x 3 as text.
std::string picture(bool decimals) {
  std::mt19937 random(1);
  std::string text = "{\"instances\": [[";
  for (int row = 0; row < 1024; ++row) {
    text += row > 0 ? ",[" : "[";
    for (int column = 0; column < 1024; ++column)
      text += decimals ? str_cat(column > 0 ? ",[" : "[", random() % 10000 / 1e4f, ",",
                                 random() % 10000 / 1e4f, ",", random() % 10000 / 1e4f, "]")
                       : str_cat(column > 0 ? ",[" : "[", random() % 256, ",", random() % 256, ",",
                                 random() % 256, "]");
    text += "]";
  }
  return text + "]]}";
}

void read_picture(benchmark::State& state) {
  Signatures signatures;
  (*signatures["serving_default"].mutable_inputs())["x"].set_dtype(
      state.range(0) == 0 ? tensorflow::DT_UINT8 : tensorflow::DT_FLOAT);
  const std::string text = picture(state.range(0) == 2);
  for (auto _ : state) benchmark::DoNotOptimize(parse_predict_request(text, signatures));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(read_picture)->Name("serve/read_picture")->Arg(0)->Arg(1)->Arg(2);

void write_floats(benchmark::State& state) {
  std::mt19937 random(1);
  Tensor values(DType::f32, Shape({1000, 1000}));
  for (float& value : values.flat<float>()) value = static_cast<float>(random()) / 4e9f;
  const std::map<std::string, Tensor> outputs{{"y", values}};
  std::size_t size = 0;
  for (auto _ : state) size = predict_response(outputs, JsonLayout::kRow).size();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size));
}
BENCHMARK(write_floats)->Name("serve/write_floats");

}  // namespace
}  // namespace rill::serve
