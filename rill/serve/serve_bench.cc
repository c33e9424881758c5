// What the model server adds to the step that it runs, and how fast it reads and writes JSON.
#include <benchmark/benchmark.h>

#include <charconv>
#include <latch>
#include <random>
#include <semaphore>
#include <thread>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/batch/batching.h"
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
  const CompiledStepRef step =
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

// Layers of 784, 512, 512 and 10, as a step: weights are constants.
std::unique_ptr<ModelServable> layers(std::unique_ptr<StepRunner> runner) {
  saved_model::Model model;
  model.graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*model.graph);
  std::mt19937 random(1);
  Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
  Output last = x.output(0);
  std::int64_t width = 784;
  for (const std::int64_t next : {512, 512, 10}) {
    Tensor weights(DType::f32, Shape({width, next}));
    for (float& weight : weights.flat<float>())
      weight = static_cast<float>(random()) / 4e9f * 0.01f;
    Node& product = scope.add("MatMul", {last, weights});
    Node& sum = scope.add("BiasAdd", {product.output(0), Tensor::zeros(DType::f32, Shape({next}))});
    last = next == 10 ? sum.output(0) : scope.add("Relu", {sum.output(0)}).output(0);
    width = next;
  }
  model.session = std::make_unique<Session>(model.graph);
  SignatureDef& signature = (*model.meta_graph.mutable_signature_def())["serving_default"];
  signature.set_method_name("tensorflow/serving/predict");
  (*signature.mutable_inputs())["x"].set_name(x.output(0).name());
  (*signature.mutable_inputs())["x"].set_dtype(tensorflow::DT_FLOAT);
  (*signature.mutable_outputs())["y"].set_name(last.name());
  return std::make_unique<ModelServable>(std::move(model), std::move(runner));
}

// A step of so many rows of such layers, which is what joining can gain at most.
void layers_step(benchmark::State& state) {
  const auto model = layers(std::make_unique<DirectRunner>());
  const auto& signature = *model->signature("serving_default");
  const CompiledStepRef step =
      model->step({signature.inputs().at("x").name()}, {signature.outputs().at("y").name()});
  const std::vector<Tensor> feeds{Tensor::zeros(DType::f32, Shape({state.range(0), 784}))};
  for (auto _ : state) benchmark::DoNotOptimize(step->callable(feeds));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(layers_step)->Name("serve/layers_step")->Arg(1)->Arg(8)->Arg(64)->MeasureProcessCPUTime();

// Requests of one row for such layers, 64 at a time, from their bytes to those of the answer: the
// time of all threads for each. How they are joined: 0 not at all, 1 as suits itself, 2 in full
// batches.
void small_requests(benchmark::State& state) {
  const auto counts = std::make_shared<BatchingCounts>();
  BatchingOptions joined = batching_options("");
  if (state.range(0) == 2) joined = {.max_batch_size = 32, .batch_timeout_micros = 10'000};
  joined.counts = counts;
  std::unique_ptr<StepRunner> runner = std::make_unique<DirectRunner>();
  if (state.range(0) > 0) runner = batching_runners(joined)({});
  const auto model = layers(std::move(runner));
  messages::PredictRequest request;
  request.mutable_model_spec()->set_name("layers");
  to_proto(Tensor::zeros(DType::f32, Shape({1, 784})), &(*request.mutable_inputs())["x"],
           ProtoForm::content);
  const std::string bytes = request.SerializeAsString();
  constexpr int kInFlight = 64, kCallers = 2, kRequests = 1024;
  struct Exchange {
    messages::PredictRequest request;
    messages::PredictResponse response;
  };
  for (auto _ : state) {
    std::counting_semaphore<kInFlight> room(kInFlight);
    std::latch answered(kRequests);
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kCallers; ++caller)
      callers.emplace_back([&] {
        for (int i = 0; i < kRequests / kCallers; ++i) {
          room.acquire();
          const auto exchange = std::make_shared<Exchange>();
          exchange->request.ParseFromString(bytes);
          predict(*model, exchange->request, &exchange->response, {},
                  [&, exchange](std::optional<Error> error) {
                    if (error) state.SkipWithError(error->what());
                    benchmark::DoNotOptimize(exchange->response.SerializeAsString());
                    room.release();
                    answered.count_down();
                  });
        }
      });
    answered.wait();
    for (std::thread& caller : callers) caller.join();
  }
  state.SetItemsProcessed(state.iterations() * kRequests);
  if (counts->steps > 0)
    state.counters["rows_of_a_step"] =
        static_cast<double>(counts->rows) / static_cast<double>(counts->steps);
}
BENCHMARK(small_requests)
    ->Name("serve/64_small_requests")
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// A picture of 1024 x 1024 x 3 as text: bytes, decimals of four digits, floats as Python writes
// them; without and with a space behind each comma.
std::string picture(std::int64_t kind, bool spaced) {
  std::mt19937 random(1);
  const auto number = [&]() -> std::string {
    if (kind < 2) return std::to_string(random() % 256);
    char text[40];
    const float value = kind == 2 ? static_cast<float>(random() % 10000) / 1e4f
                                  : static_cast<float>(random() % 256) / 255;
    char* const end = kind == 2
                          ? std::to_chars(text, std::end(text), value).ptr
                          : std::to_chars(text, std::end(text), static_cast<double>(value)).ptr;
    return {text, end};
  };
  const char* const comma = spaced ? ", " : ",";
  std::string text = "{\"instances\": [[";
  for (int row = 0; row < 1024; ++row) {
    text.append(row > 0 ? comma : "").append("[");
    for (int column = 0; column < 1024; ++column) {
      text.append(column > 0 ? comma : "").append("[").append(number());
      for (int channel = 1; channel < 3; ++channel) text.append(comma).append(number());
      text += "]";
    }
    text += "]";
  }
  return text + "]]}";
}

void read_picture(benchmark::State& state) {
  Signatures signatures;
  (*signatures["serving_default"].mutable_inputs())["x"].set_dtype(
      state.range(0) == 0 ? tensorflow::DT_UINT8 : tensorflow::DT_FLOAT);
  const std::string text = picture(state.range(0), state.range(1) != 0);
  for (auto _ : state) benchmark::DoNotOptimize(parse_predict_request(text, signatures));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(read_picture)->Name("serve/read_picture")->ArgsProduct({{0, 1, 2, 3}, {0, 1}});

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

void write_whole_numbers(benchmark::State& state) {
  std::mt19937 random(1);
  Tensor values(DType::i32, Shape({1000, 1000}));
  for (std::int32_t& value : values.flat<std::int32_t>())
    value = static_cast<std::int32_t>(random() % 100'000);
  const std::map<std::string, Tensor> outputs{{"y", values}};
  std::size_t size = 0;
  for (auto _ : state) size = predict_response(outputs, JsonLayout::kRow).size();
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * size));
}
BENCHMARK(write_whole_numbers)->Name("serve/write_whole_numbers");

}  // namespace
}  // namespace rill::serve
