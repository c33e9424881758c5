// Models that TensorFlow wrote, asked through the service of the model server.
#include <gtest/gtest.h>

#include <future>

#include "rill/base/file_testing.h"
#include "rill/io/record_writer.h"
#include "tensorflow_serving/apis/prediction_log.pb.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

class ServeModel : public testing::Test {
 protected:
  ServeModel() {
    for (const char* name : {"predict", "classify", "regress", "signatures", "texts"})
      models_.add(name, str_cat("tests/golden/models/saved_models/", name, "/model"));
  }
  template <class Response, class Request>
  Response ask(const Request& request, void (Service::*method)(const Request&, Response*,
                                                               const RequestLimits&, Done) const) {
    Response response;
    std::promise<std::optional<Error>> ended;
    (server().service.*method)(request, &response, {}, [&](std::optional<Error> error) {
      ended.set_value(std::move(error));
    });
    if (const auto error = ended.get_future().get()) throw *error;
    return response;
  }
  ServedModels& server() {
    if (!server_) server_ = std::make_unique<ServedModels>(models_);
    return *server_;
  }
  std::string predict_error(const messages::PredictRequest& request) {
    return error_of([&] { ask(request, &Service::predict); });
  }

  ModelFolder models_;
  std::unique_ptr<ServedModels> server_;
};

TEST_F(ServeModel, predicts_what_tensorflow_does) {
  for (const char* name : {"predict", "signatures", "texts", "classify", "regress"}) {
    for (const GoldenCall& call : golden_calls(name)) {
      messages::PredictRequest request = call.request(name);
      const auto response = ask(request, &Service::predict);
      EXPECT_EQ(response.model_spec().name(), name);
      EXPECT_EQ(response.model_spec().version().value(), 1);
      EXPECT_EQ(response.model_spec().signature_name(), call.signature);
      call.expect(response);
    }
  }
}

TEST_F(ServeModel, filters_outputs) {
  const GoldenCall call = golden_calls("classify").at(0);
  messages::PredictRequest request = call.request("classify");
  request.add_output_filter("scores");
  const auto response = ask(request, &Service::predict);
  ASSERT_EQ(response.outputs_size(), 1);
  EXPECT_TRUE(response.outputs().contains("scores"));
  request.add_output_filter("scores");
  EXPECT_EQ(predict_error(request), "InvalidArgument: duplicate output tensor alias: scores");
  request.set_output_filter(1, "no");
  EXPECT_EQ(predict_error(request),
            "InvalidArgument: output tensor alias not found in signature: no Outputs expected to "
            "be in the set {classes,scores}.");
}

TEST_F(ServeModel, says_what_is_wrong_with_inputs) {
  const messages::PredictRequest good = golden_calls("classify").at(0).request("classify");
  messages::PredictRequest request = good;
  (*request.mutable_inputs())["more"] = good.inputs().at("inputs");
  EXPECT_EQ(predict_error(request),
            "InvalidArgument: input size does not match signature: 2!=1 len({inputs,more}) != "
            "len({inputs}). Sent extra: {more}. Missing but required: {}.");
  request.mutable_inputs()->erase("inputs");
  EXPECT_EQ(predict_error(request),
            "InvalidArgument: input tensor alias not found in signature: more. Inputs expected to "
            "be in the set {inputs}.");
  request = good;
  (*request.mutable_inputs())["inputs"].set_tensor_content("too little");
  EXPECT_EQ(predict_error(request), "InvalidArgument: tensor parsing error: inputs");
}

TEST_F(ServeModel, says_which_model_is_missing) {
  messages::PredictRequest request = golden_calls("classify").at(0).request("classify");
  request.mutable_model_spec()->set_signature_name("k");
  EXPECT_EQ(predict_error(request), "FailedPrecondition: Serving signature key \"k\" not found.");
  request.mutable_model_spec()->mutable_version()->set_value(7);
  EXPECT_EQ(predict_error(request),
            "NotFound: Servable not found for request: Specific(classify, 7)");
  request.mutable_model_spec()->set_version_label("x");
  EXPECT_EQ(predict_error(request), "InvalidArgument: Unrecognized servable version label: x");
  request.mutable_model_spec()->Clear();
  EXPECT_EQ(predict_error(request), "InvalidArgument: ModelSpec has no name specified.");
  request.mutable_model_spec()->set_name("m");
  EXPECT_EQ(predict_error(request), "NotFound: Servable not found for request: Latest(m)");
}

messages::ClassificationRequest classification(const char* model) {
  messages::ClassificationRequest request;
  request.mutable_model_spec()->set_name(model);
  for (const std::string& bytes : golden_calls(model).at(0).texts("inputs"))
    EXPECT_TRUE(
        request.mutable_input()->mutable_example_list()->add_examples()->ParseFromString(bytes));
  return request;
}

TEST_F(ServeModel, classifies) {
  const GoldenCall call = golden_calls("classify").at(0);
  const auto response = ask(classification("classify"), &Service::classify);
  const auto labels = call.expected_texts("classes");
  const auto scores = call.expected_floats("scores");
  std::size_t i = 0;
  for (const auto& row : response.result().classifications())
    for (const auto& one : row.classes()) {
      EXPECT_EQ(one.label(), labels.at(i));
      EXPECT_NEAR(one.score(), scores.at(i), 1e-5);
      ++i;
    }
  EXPECT_EQ(i, labels.size());
}

TEST_F(ServeModel, classification_in_a_context) {
  // Examples without features get them from what they have in common.
  messages::ClassificationRequest request = classification("classify");
  messages::ClassificationRequest in_context = request;
  auto* list = in_context.mutable_input()->mutable_example_list_with_context();
  *list->mutable_context() = request.input().example_list().examples(1);
  list->add_examples();
  list->add_examples();
  const auto plain = ask(request, &Service::classify);
  const auto same = ask(in_context, &Service::classify);
  ASSERT_EQ(same.result().classifications_size(), 2);
  for (const auto& row : same.result().classifications())
    EXPECT_EQ(row.classes(0).score(), plain.result().classifications(1).classes(0).score());
}

TEST_F(ServeModel, says_what_is_wrong_with_a_classification) {
  const auto error = [&](const messages::ClassificationRequest& request) {
    return error_of([&] { ask(request, &Service::classify); });
  };
  messages::ClassificationRequest request = classification("classify");
  request.mutable_input()->Clear();
  EXPECT_EQ(error(request), "InvalidArgument: Input is empty.");
  request.mutable_model_spec()->set_signature_name("k");
  EXPECT_EQ(error(request), "InvalidArgument: No signature was found with the name: k");
  request = classification("regress");
  EXPECT_EQ(error(request),
            "InvalidArgument: Expected classification signature method_name to be "
            "tensorflow/serving/classify. Was: tensorflow/serving/regress");
}

TEST_F(ServeModel, regresses) {
  const GoldenCall call = golden_calls("regress").at(0);
  messages::RegressionRequest request;
  request.mutable_model_spec()->set_name("regress");
  *request.mutable_input() = classification("regress").input();
  const auto response = ask(request, &Service::regress);
  const auto expected = call.expected_floats("outputs");
  ASSERT_EQ(response.result().regressions_size(), static_cast<int>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(response.result().regressions(static_cast<int>(i)).value(), expected[i], 1e-5);
}

TEST_F(ServeModel, several_at_once) {
  messages::MultiInferenceRequest request;
  *request.mutable_input() = classification("classify").input();
  messages::InferenceTask* task = request.add_tasks();
  task->mutable_model_spec()->set_name("classify");
  task->set_method_name("tensorflow/serving/classify");
  const auto response = ask(request, &Service::multi_inference);
  ASSERT_EQ(response.results_size(), 1);
  EXPECT_EQ(response.results(0).model_spec().version().value(), 1);
  const auto alone = ask(classification("classify"), &Service::classify);
  EXPECT_EQ(response.results(0).classification_result().SerializeAsString(),
            alone.result().SerializeAsString());
  const auto error = [&] { return error_of([&] { ask(request, &Service::multi_inference); }); };
  *request.add_tasks() = request.tasks(0);
  EXPECT_EQ(error(), "InvalidArgument: Duplicate evaluation of signature: serving_default");
  request.mutable_tasks(1)->mutable_model_spec()->set_name("regress");
  EXPECT_EQ(error(),
            "InvalidArgument: All ModelSpecs in a MultiInferenceRequest must access the same model "
            "name.");
}

TEST_F(ServeModel, tells_its_signatures) {
  messages::GetModelMetadataRequest request;
  request.mutable_model_spec()->set_name("classify");
  const auto error = [&] { return error_of([&] { ask(request, &Service::get_metadata); }); };
  EXPECT_EQ(error(),
            "InvalidArgument: GetModelMetadataRequest must specify at least one metadata_field");
  request.add_metadata_field("signature_def");
  const auto response = ask(request, &Service::get_metadata);
  messages::SignatureDefMap map;
  ASSERT_TRUE(response.metadata().at("signature_def").UnpackTo(&map));
  EXPECT_EQ(map.signature_def().at("serving_default").method_name(), "tensorflow/serving/classify");
  request.add_metadata_field("other");
  EXPECT_EQ(error(), "InvalidArgument: Metadata field other is not supported");
}

TEST_F(ServeModel, tells_how_versions_are) {
  messages::GetModelStatusRequest request;
  request.mutable_model_spec()->set_name("classify");
  const auto response = ask(request, &Service::get_status);
  ASSERT_EQ(response.model_version_status_size(), 1);
  EXPECT_EQ(response.model_version_status(0).state(), messages::ModelVersionStatus::AVAILABLE);
  const auto error = [&] { return error_of([&] { ask(request, &Service::get_status); }); };
  request.mutable_model_spec()->mutable_version()->set_value(9);
  EXPECT_EQ(error(), "NotFound: Could not find version 9 of model classify");
  request.mutable_model_spec()->set_name("m");
  EXPECT_EQ(error(), "NotFound: Could not find any versions of model m");
}

TEST_F(ServeModel, warm_up_comes_first) {
  const GoldenCall call = golden_calls("predict").at(0);
  const auto write = [&](int count, const std::string& signature) {
    const std::string folder = models_.path("predict") + "/1/assets.extra";
    make_directories(folder);
    RecordWriter writer(folder + "/tf_serving_warmup_requests");
    messages::PredictionLog log;
    *log.mutable_predict_log()->mutable_request() = call.request("another name");
    log.mutable_predict_log()->mutable_request()->mutable_model_spec()->set_signature_name(
        signature);
    for (int i = 0; i < count; ++i) writer.write(log.SerializeAsString());
    writer.close();
  };
  write(3, call.signature);
  EXPECT_NO_THROW(ServedModels{models_});
  write(1, "unknown");
  EXPECT_NE(error_of([&] { ServedModels{models_}; }).find("Serving signature key \"unknown\""),
            std::string::npos);
  write(1001, call.signature);
  EXPECT_NE(error_of([&] { ServedModels{models_}; }).find("exceeds the maximum (1000)"),
            std::string::npos);
}

}  // namespace
}  // namespace rill::serve
