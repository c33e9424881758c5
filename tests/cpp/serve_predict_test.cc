// What a request costs in steps, and that looking signatures up once changes no answer.
#include <atomic>

#include "rill/base/file_testing.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/model/requests.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::serve {
namespace {

class CountingRunner : public StepRunner {
 public:
  explicit CountingRunner(int* runs) : runs_(*runs) {}
  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    ++runs_;
    direct_.run(step, std::move(feeds), limits, std::move(done));
  }

 private:
  int& runs_;
  DirectRunner direct_;
};

// y = 2 a, z = a + b; and examples with a feature "x", of which scores and a value are made.
class Predict : public testing::Test {
 protected:
  Predict() {
    saved_model::Model model;
    model.graph = std::make_shared<Graph>(standard_ops());
    Scope scope(*model.graph);
    const Output a = scope.add("Placeholder", {}, {{"dtype", DType::f32}}).output(0);
    const Output b = scope.add("Placeholder", {}, {{"dtype", DType::f32}}).output(0);
    const Output y = scope.add("Add", {a, a}).output(0), z = scope.add("Add", {a, b}).output(0);
    const Output texts = scope.add("Placeholder", {}, {{"dtype", DType::string}}).output(0);
    Node& parsed =
        scope.add("ParseExample",
                  {texts, Tensor::of<std::string>({0}, std::span<const std::string>()),
                   std::vector<Input>(), std::vector<Input>{Tensor::scalar(std::string("x"))},
                   std::vector<Input>{Tensor::vector<float>({-1})}},
                  {{"sparse_types", std::vector<DType>()},
                   {"dense_shapes", std::vector<PartialShape>{PartialShape({1})}}});
    model.session = std::make_unique<Session>(model.graph);
    auto& signatures = *model.meta_graph.mutable_signature_def();
    const auto add = [&](const char* name, const char* method, std::map<std::string, Output> in,
                         std::map<std::string, Output> out) {
      SignatureDef& signature = signatures[name];
      signature.set_method_name(std::string("tensorflow/serving/") + method);
      for (const auto& [key, tensor] : in) {
        (*signature.mutable_inputs())[key].set_name(tensor.name());
        (*signature.mutable_inputs())[key].set_dtype(tensorflow::DT_FLOAT);
      }
      for (const auto& [key, tensor] : out)
        (*signature.mutable_outputs())[key].set_name(tensor.name());
    };
    add("serving_default", "predict", {{"a", a}, {"b", b}}, {{"y", y}, {"z", z}});
    add("twice", "predict", {{"a", a}, {"same", a}}, {{"y", y}, {"again", y}});
    add("scores", "classify", {{"inputs", texts}}, {{"scores", parsed.output(0)}});
    add("value", "regress", {{"inputs", texts}}, {{"outputs", parsed.output(0)}});
    model_ =
        std::make_unique<ModelServable>(std::move(model), std::make_unique<CountingRunner>(&runs_));
  }

  static messages::PredictRequest request(std::vector<std::string> inputs,
                                          std::vector<std::string> filter = {},
                                          const std::string& signature = "") {
    messages::PredictRequest request;
    request.mutable_model_spec()->set_signature_name(signature);
    float value = 1;
    for (const std::string& name : inputs) {
      to_proto(Tensor::vector<float>({value}), &(*request.mutable_inputs())[name]);
      value += 2;
    }
    for (const std::string& name : filter) request.add_output_filter(name);
    return request;
  }
  // "y=2 z=4", or the error.
  std::string ask(const messages::PredictRequest& request) {
    messages::PredictResponse response;
    std::string text;
    predict(*model_, request, &response, {}, [&](std::optional<Error> error) {
      if (error) text = error->what();
    });
    std::map<std::string, float> sorted;
    for (const auto& [name, proto] : response.outputs())
      sorted[name] = from_proto(proto).flat<float>()[0];
    for (const auto& [name, value] : sorted)
      text += str_cat(text.empty() ? "" : " ", name, "=", value);
    return text;
  }
  static void add_examples(messages::Input* input, std::initializer_list<float> values) {
    for (const float value : values) {
      auto& features = *input->mutable_example_list()->add_examples()->mutable_features();
      (*features.mutable_feature())["x"].mutable_float_list()->add_value(value);
    }
  }

  int runs_ = 0;
  std::unique_ptr<ModelServable> model_;
};

TEST_F(Predict, the_same_first_and_later) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(request({"a", "b"})), "y=2 z=4");
    EXPECT_EQ(ask(request({"a", "b"}, {"z"})), "z=4");
    EXPECT_EQ(ask(request({"a", "same"}, {}, "twice")), "again=6 y=6");
    EXPECT_EQ(ask(request({"a"})),
              "InvalidArgument: input size does not match signature: 1!=2 len({a}) != len({a,b}). "
              "Sent extra: {}. Missing but required: {b}.");
    EXPECT_EQ(
        ask(request({"a", "c"})),
        "InvalidArgument: input tensor alias not found in signature: c. Inputs expected to be "
        "in the set {a,b}.");
    EXPECT_EQ(
        ask(request({"a", "b"}, {"w"})),
        "InvalidArgument: output tensor alias not found in signature: w Outputs expected to be "
        "in the set {y,z}.");
    EXPECT_EQ(ask(request({"a", "b"}, {"y", "y"})),
              "InvalidArgument: duplicate output tensor alias: y");
    EXPECT_EQ(ask(request({"a"}, {}, "none")),
              "FailedPrecondition: Serving signature key \"none\" not found.");
    auto broken = request({"a", "b"});
    (*broken.mutable_inputs())["b"].mutable_tensor_shape()->add_dim()->set_size(7);
    (*broken.mutable_inputs())["b"].set_tensor_content("xyz");
    EXPECT_EQ(ask(broken), "InvalidArgument: tensor parsing error: b");
  }
  EXPECT_EQ(runs_, 9);
}

TEST_F(Predict, several_inferences_are_one_step) {
  messages::MultiInferenceRequest request;
  for (const char* name : {"scores", "value"}) {
    auto* task = request.add_tasks();
    task->mutable_model_spec()->set_name("m");
    task->mutable_model_spec()->set_signature_name(name);
    task->set_method_name(name == std::string("scores") ? "tensorflow/serving/classify"
                                                        : "tensorflow/serving/regress");
  }
  add_examples(request.mutable_input(), {0.5f, 3});
  messages::MultiInferenceResponse response;
  std::optional<Error> error;
  multi_inference(*model_, request, &response, {}, [&](std::optional<Error> e) { error = e; });
  ASSERT_FALSE(error) << error->what();
  EXPECT_EQ(runs_, 1);
  ASSERT_EQ(response.results_size(), 2);
  EXPECT_EQ(response.results(0).classification_result().classifications(1).classes(0).score(), 3);
  EXPECT_EQ(response.results(1).regression_result().regressions(0).value(), 0.5f);
}

TEST_F(Predict, examples_of_a_request_are_one_step) {
  messages::RegressionRequest request;
  request.mutable_model_spec()->set_signature_name("value");
  add_examples(request.mutable_input(), {1, 2, 3});
  messages::RegressionResponse response;
  regress(*model_, request, &response, {}, [](std::optional<Error>) {});
  EXPECT_EQ(runs_, 1);
  ASSERT_EQ(response.result().regressions_size(), 3);
  EXPECT_EQ(response.result().regressions(2).value(), 3);
}

}  // namespace
}  // namespace rill::serve
