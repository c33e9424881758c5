// KServe's protocol over gRPC: every type, both forms of tensors, versions and labels, what is
// refused.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "inference/grpc_inference_service.pb.h"
#include "rill/net/grpc/grpc_client.h"
#include "rill/serve/kserve/contents.h"
#include "rill/serve/kserve/types.h"
#include "rill/serve/rest/kserve.h"
#include "rill/serve/server.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

class ServeKServe : public testing::Test {
 protected:
  ServeKServe() {
    models_.add("predict", kSavedModels + "predict/model", 1);
    models_.add("predict", kSavedModels + "predict/model", 3);
    models_.add("signatures", kSavedModels + "signatures/model");
    options_.core = core_options();
    options_.grpc.addresses = {"127.0.0.1:0"};
    options_.has_rest = false;
    messages::ModelServerConfig config = models_.config();
    auto& first = *config.mutable_model_config_list()->mutable_config(0);
    first.mutable_model_version_policy()->mutable_all();
    options_.core.allow_labels_for_unavailable = true;
    (*first.mutable_version_labels())["stable"] = 1;
    server_ = std::make_unique<Server>(options_, config);
    while (server_->core().available().size() < 3)  // one version of each is enough to start
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  net::RpcResult call(const std::string& method, const google::protobuf::Message& request) {
    std::promise<net::RpcResult> ended;
    const auto running =
        net::start_rpc({.address = str_cat("127.0.0.1:", server_->grpc_port()),
                        .method = "/inference.GRPCInferenceService/" + method,
                        .body = request.SerializeAsString(),
                        .timeout_ms = 20'000},
                       [&](net::RpcResult result) { ended.set_value(std::move(result)); });
    return ended.get_future().get();
  }
  template <class Response>
  Response ask(const std::string& method, const google::protobuf::Message& request) {
    const net::RpcResult result = call(method, request);
    EXPECT_EQ(result.code, Code::kOk) << result.message;
    Response response;
    EXPECT_TRUE(response.ParseFromString(result.body));
    return response;
  }

  ModelFolder models_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

inference::ModelInferRequest question(const std::string& version = "") {
  inference::ModelInferRequest request;
  request.set_model_name("predict");
  request.set_model_version(version);
  request.set_id("seven");
  auto* input = request.add_inputs();
  input->set_name("rows");
  input->set_datatype("FP32");
  for (const int dim : {2, 3}) input->add_shape(dim);
  for (int i = 0; i < 6; ++i) input->mutable_contents()->add_fp32_contents(static_cast<float>(i));
  return request;
}
inference::ModelInferRequest raw_question() {
  inference::ModelInferRequest request = question();
  const auto& elements = request.inputs(0).contents().fp32_contents();
  request.add_raw_input_contents(
      std::string(reinterpret_cast<const char*>(elements.data()), sizeof(float) * 6));
  request.mutable_inputs(0)->clear_contents();
  return request;
}

TEST_F(ServeKServe, health_and_metadata) {
  using namespace inference;
  EXPECT_TRUE(ask<ServerLiveResponse>("ServerLive", ServerLiveRequest()).live());
  EXPECT_TRUE(ask<ServerReadyResponse>("ServerReady", ServerReadyRequest()).ready());
  EXPECT_EQ(ask<ServerMetadataResponse>("ServerMetadata", ServerMetadataRequest()).name(), "rill");
  ModelReadyRequest ready;
  ready.set_name("predict");
  const std::pair<const char*, bool> kVersions[] = {{"", true},       {"1", true},  {"3", true},
                                                    {"stable", true}, {"2", false}, {"x", false}};
  for (const auto& [version, expected] : kVersions) {
    ready.set_version(version);
    EXPECT_EQ(ask<ModelReadyResponse>("ModelReady", ready).ready(), expected) << version;
  }
  ModelMetadataRequest asked;
  asked.set_name("predict");
  const auto metadata = ask<ModelMetadataResponse>("ModelMetadata", asked);
  EXPECT_EQ(metadata.platform(), "tensorflow_savedmodel");
  EXPECT_EQ(std::vector<std::string>(metadata.versions().begin(), metadata.versions().end()),
            (std::vector<std::string>{"1", "3"}));
  ASSERT_EQ(metadata.inputs_size(), 1);
  EXPECT_EQ(metadata.inputs(0).name(), "rows");
  EXPECT_EQ(metadata.inputs(0).datatype(), "FP32");
  EXPECT_EQ(metadata.inputs(0).shape(0), -1);
  EXPECT_EQ(metadata.outputs_size(), 2);
  asked.set_name("nobody");
  const net::RpcResult missing = call("ModelMetadata", asked);
  EXPECT_EQ(missing.code, Code::kNotFound);
  EXPECT_EQ(missing.message, "Servable not found for request: Latest(nobody)");
  const auto index = ask<RepositoryIndexResponse>("RepositoryIndex", RepositoryIndexRequest());
  ASSERT_EQ(index.models_size(), 3);
  EXPECT_EQ(index.models(0).name(), "predict");
  EXPECT_EQ(index.models(0).state(), "READY");
}

TEST_F(ServeKServe, infers_in_both_forms) {
  const auto listed = ask<inference::ModelInferResponse>("ModelInfer", question());
  EXPECT_EQ(listed.model_name(), "predict");
  EXPECT_EQ(listed.model_version(), "3");
  EXPECT_EQ(listed.id(), "seven");
  ASSERT_EQ(listed.outputs_size(), 2);
  EXPECT_EQ(listed.outputs(0).name(), "scores");
  ASSERT_EQ(listed.outputs(0).contents().fp32_contents_size(), 4);
  EXPECT_EQ(listed.raw_output_contents_size(), 0);
  const auto raw = ask<inference::ModelInferResponse>("ModelInfer", raw_question());
  ASSERT_EQ(raw.raw_output_contents_size(), 2);
  EXPECT_FALSE(raw.outputs(0).has_contents());
  const auto& scores = listed.outputs(0).contents().fp32_contents();
  EXPECT_EQ(raw.raw_output_contents(0),
            std::string(reinterpret_cast<const char*>(scores.data()), sizeof(float) * 4));
}

TEST_F(ServeKServe, versions_outputs_and_signatures) {
  using inference::ModelInferResponse;
  EXPECT_EQ(ask<ModelInferResponse>("ModelInfer", question("1")).model_version(), "1");
  EXPECT_EQ(ask<ModelInferResponse>("ModelInfer", question("stable")).model_version(), "1");
  EXPECT_EQ(call("ModelInfer", question("2")).code, Code::kNotFound);
  inference::ModelInferRequest request = question();
  request.add_outputs()->set_name("total");
  request.add_outputs()->set_name("scores");
  const auto ordered = ask<ModelInferResponse>("ModelInfer", request);
  EXPECT_EQ(ordered.outputs(0).name(), "total");
  EXPECT_EQ(ordered.outputs(1).name(), "scores");
  request = question();
  request.set_model_name("signatures");
  request.mutable_inputs(0)->set_name("x");
  (*request.mutable_parameters())["signature_name"].set_string_param("half");
  EXPECT_EQ(ask<ModelInferResponse>("ModelInfer", request).outputs(0).name(), "y");
  (*request.mutable_parameters())["signature_name"].set_string_param("none");
  const net::RpcResult result = call("ModelInfer", request);
  EXPECT_EQ(result.code, Code::kFailedPrecondition);
  EXPECT_EQ(result.message, "Serving signature key \"none\" not found.");
}

TEST_F(ServeKServe, what_is_refused) {
  const auto refused = [&](const auto& spoil, const std::string& message,
                           Code code = Code::kInvalidArgument, bool raw = false) {
    inference::ModelInferRequest request = raw ? raw_question() : question();
    spoil(request);
    const net::RpcResult result = call("ModelInfer", request);
    EXPECT_EQ(result.code, code) << message;
    EXPECT_NE(result.message.find(message), std::string::npos) << result.message;
  };
  using Request = inference::ModelInferRequest;
  refused([](Request& r) { r.mutable_inputs(0)->set_datatype("FP33"); }, "has no type \"FP33\"");
  refused([](Request& r) { r.mutable_inputs(0)->set_shape(0, 3); },
          "Input rows: there are 6 elements of type FP32 for the shape [3,3]");
  refused([](Request& r) { r.mutable_inputs(0)->set_shape(0, -1); }, "has the dimension -1");
  refused([](Request& r) { r.mutable_inputs(0)->set_datatype("FP16"); },
          "FP16 has to come in raw_input_contents");
  refused([](Request& r) { *r.add_inputs() = r.inputs(0); }, "Input rows is given twice");
  refused([](Request& r) { r.mutable_inputs(0)->set_name("x"); },
          "input tensor alias not found in signature: x");
  refused([](Request& r) { r.add_outputs()->set_name("x"); },
          "output tensor alias not found in signature: x");
  refused([](Request& r) { r.add_raw_input_contents("1"); },
          "it has contents beside raw_input_contents", Code::kInvalidArgument, false);
  refused([](Request& r) { r.add_raw_input_contents("1"); }, "2 raw_input_contents for 1 inputs",
          Code::kInvalidArgument, true);
  refused([](Request& r) { r.mutable_raw_input_contents(0)->pop_back(); }, "23 bytes were sent",
          Code::kInvalidArgument, true);
  refused([](Request& r) { r.mutable_inputs(0)->set_shape(0, std::int64_t{1} << 40); },
          "24 bytes were sent", Code::kInvalidArgument, true);
  refused(
      [](Request& r) {
        (*r.mutable_inputs(0)->mutable_parameters())["shared_memory_region"].set_string_param("a");
      },
      "The parameter shared_memory_region is not supported", Code::kUnimplemented);
  refused([](Request& r) { r.clear_model_name(); }, "ModelSpec has no name specified.");
}

template <class T>
void expect_round_trip(std::initializer_list<T> elements) {
  const Shape shape{static_cast<std::int64_t>(elements.size())};
  const std::vector<T> values(elements);
  Tensor tensor(dtype_of<T>, shape);
  std::copy(values.begin(), values.end(), tensor.data<T>());
  EXPECT_TRUE(identical(tensor, tensor_of_bytes(tensor_bytes(tensor), dtype_of<T>, shape)));
  EXPECT_EQ(parse_kserve_type(kserve_type(dtype_of<T>)), dtype_of<T>);
  inference::ModelInferResponse response;
  write_kserve_answer({}, {{"t", tensor}}, &response);
  inference::ModelInferRequest request;
  auto* input = request.add_inputs();
  input->set_name("t");
  input->set_datatype(response.outputs(0).datatype());
  *input->mutable_shape() = response.outputs(0).shape();
  if (response.outputs(0).has_contents())
    *input->mutable_contents() = response.outputs(0).contents();
  *request.mutable_raw_input_contents() = response.raw_output_contents();
  EXPECT_TRUE(identical(tensor, kserve_question(request).inputs.at("t")))
      << dtype_name(dtype_of<T>);
}

TEST(KServeContents, every_type_comes_back) {
  expect_round_trip<bool>({true, false});
  expect_round_trip<std::int8_t>({-128, 127});
  expect_round_trip<std::int16_t>({-32768, 32767});
  expect_round_trip<std::int32_t>({-5, 5});
  expect_round_trip<std::int64_t>({-5, std::int64_t{1} << 60});
  expect_round_trip<std::uint8_t>({0, 255});
  expect_round_trip<std::uint16_t>({0, 65535});
  expect_round_trip<std::uint32_t>({0, 4294967295u});
  expect_round_trip<std::uint64_t>({0, ~std::uint64_t{0}});
  expect_round_trip<half>({half(0.5f), half(-2.0f)});
  expect_round_trip<bfloat16>({bfloat16(0.5f), bfloat16(-2.0f)});
  expect_round_trip<float>({0.5f, -2.0f});
  expect_round_trip<double>({0.5, -2.0});
  expect_round_trip<std::string>({"", std::string("a\0b", 3), "text"});
}

TEST(KServeContents, integers_of_json_are_not_cut_off) {
  const auto parsed = [](const std::string& type, const std::string& number) {
    const std::string body = str_cat(R"({"inputs": [{"name": "x", "shape": [1], "datatype": ")",
                                     type, R"(", "data": [)", number, "]}]}");
    return parse_infer_request(body, body.size(), {{"serving_default", SignatureDef()}})
        .question.inputs.at("x");
  };
  const std::tuple<const char*, const char*, const char*> kLimits[] = {
      {"INT8", "-128", "128"},
      {"UINT8", "255", "-1"},
      {"INT16", "32767", "-32769"},
      {"UINT16", "65535", "65536"}};
  for (const auto& [type, fits, wrong] : kLimits) {
    EXPECT_EQ(parsed(type, fits).dtype(), parse_kserve_type(type));
    EXPECT_EQ(error_of([&] { parsed(type, wrong); }),
              str_cat("InvalidArgument: ", wrong, " is no ", type));
  }
}

TEST(KServeContents, integers_are_not_cut_off) {
  inference::ModelInferRequest request = question();
  auto* input = request.mutable_inputs(0);
  input->set_datatype("INT8");
  input->clear_contents();
  for (const int value : {0, 1, 2, 3, 4, 128}) input->mutable_contents()->add_int_contents(value);
  EXPECT_EQ(error_of([&] { kserve_question(request); }),
            "InvalidArgument: Input rows: 128 is no INT8");
}

}  // namespace
}  // namespace rill::serve
