// The whole model server: requests over gRPC and HTTP while models come, change and go.
#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>

#include "rill/net/grpc/grpc_client.h"
#include "rill/serve/server.h"
#include "tensorflow_serving/apis/get_model_status.pb.h"
#include "tests/cpp/http_testing.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

class ServeServer : public testing::Test {
 protected:
  ServeServer() {
    models_.add("predict", kSavedModels + "predict/model");
    models_.add("classify", kSavedModels + "classify/model");
    models_.add("regress", kSavedModels + "regress/model");
    options_.core = core_options();
    options_.grpc.addresses = {"127.0.0.1:0"};
    options_.rest.prometheus_path = "/monitoring/prometheus/metrics";
  }
  Server& server() {
    if (!server_) server_ = std::make_unique<Server>(options_, models_.config());
    return *server_;
  }
  std::string address() { return str_cat("127.0.0.1:", server().grpc_port()); }

  net::RpcResult call(const std::string& method, const google::protobuf::Message& request,
                      std::int64_t timeout_ms = 20'000) {
    std::promise<net::RpcResult> ended;
    const auto running =
        net::start_rpc({.address = address(),
                        .method = "/tensorflow.serving." + method,
                        .body = request.SerializeAsString(),
                        .timeout_ms = timeout_ms},
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
  HttpAnswer http(const std::string& method, const std::string& target,
                  const std::string& body = {}, const std::string& headers = {}) {
    HttpClient client(server().rest_port());
    return client.ask(method, target, body, headers);
  }
  // The state of a version as clients see it.
  messages::ModelVersionStatus::State state(const std::string& model, std::int64_t version) {
    messages::GetModelStatusRequest request;
    request.mutable_model_spec()->set_name(model);
    const auto response =
        ask<messages::GetModelStatusResponse>("ModelService/GetModelStatus", request);
    for (const auto& status : response.model_version_status())
      if (status.version() == version) return status.state();
    return messages::ModelVersionStatus::UNKNOWN;
  }
  bool await(const std::function<bool()>& done) {
    for (int i = 0; i < 1000; ++i) {
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  ModelFolder models_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServeServer, predicts_over_grpc) {
  for (const GoldenCall& golden : golden_calls("predict"))
    golden.expect(
        ask<messages::PredictResponse>("PredictionService/Predict", golden.request("predict")));
}

TEST_F(ServeServer, says_what_is_wrong_over_grpc) {
  messages::PredictRequest request = golden_calls("predict").at(0).request("predict");
  request.mutable_model_spec()->set_name("m");
  net::RpcResult result = call("PredictionService/Predict", request);
  EXPECT_EQ(result.code, Code::kNotFound);
  EXPECT_EQ(result.message, "Servable not found for request: Latest(m)");
  EXPECT_EQ(call("PredictionService/Nothing", request).code, Code::kUnimplemented);
  std::promise<net::RpcResult> ended;
  net::start_rpc({.address = address(),
                  .method = "/tensorflow.serving.PredictionService/Predict",
                  .body = "\xff no message",
                  .timeout_ms = 20'000},
                 [&](net::RpcResult answer) { ended.set_value(std::move(answer)); });
  EXPECT_EQ(ended.get_future().get().code, Code::kInvalidArgument);
}

TEST_F(ServeServer, lists_its_endpoints) {
  const auto reflect = [&](int field, const std::string& text) {
    google::protobuf::UnknownFieldSet fields;
    fields.AddLengthDelimited(field, text);
    std::string body;
    fields.SerializeToString(&body);
    std::promise<net::RpcResult> ended;
    net::start_rpc({.address = address(),
                    .method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                    .body = body,
                    .timeout_ms = 20'000},
                   [&](net::RpcResult result) { ended.set_value(std::move(result)); });
    const net::RpcResult result = ended.get_future().get();
    EXPECT_EQ(result.code, Code::kOk) << result.message;
    return result.body;
  };
  const std::string services = reflect(7, "");
  for (const char* name : {"tensorflow.serving.PredictionService",
                           "tensorflow.serving.ModelService", "grpc.health.v1.Health"})
    EXPECT_NE(services.find(name), std::string::npos) << name;
  const std::string file = reflect(4, "tensorflow.serving.PredictionService");
  EXPECT_NE(file.find("tensorflow_serving/apis/prediction_service.proto"), std::string::npos);
  EXPECT_NE(file.find("tensorflow/core/framework/tensor.proto"), std::string::npos);
  EXPECT_NE(reflect(3, "nowhere.proto").find("There is no nowhere.proto"), std::string::npos);
}

TEST_F(ServeServer, answers_many_at_once) {
  const GoldenCall golden = golden_calls("predict").at(0);
  const std::string body = golden.request("predict").SerializeAsString();
  constexpr int kCalls = 500;
  std::atomic<int> good = 0;
  std::promise<void> all;
  std::atomic<int> left = kCalls;
  for (int i = 0; i < kCalls; ++i)
    net::start_rpc({.address = address(),
                    .method = "/tensorflow.serving.PredictionService/Predict",
                    .body = body,
                    .timeout_ms = 20'000},
                   [&](net::RpcResult result) {
                     if (result.code == Code::kOk) ++good;
                     if (--left == 0) all.set_value();
                   });
  all.get_future().wait();
  EXPECT_EQ(good, kCalls);
}

TEST_F(ServeServer, predicts_over_http) {
  HttpAnswer answer =
      http("POST", "/v1/models/predict:predict", R"({"inputs": {"rows": [[0.0, 0.0, 0.0]]}})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_NE(answer.headers.find("application/json"), std::string::npos);
  const Json parsed = parse_json(answer.body);
  EXPECT_EQ(parsed.find("outputs")->find("scores")->items.at(0).items.size(), 2u);
  answer = http("POST", "/v1/models/regress/versions/1:regress",
                R"({"examples": [{"x": [0.5, 0.25, -1.5]}, {"x": [0.0, 0.0, 1.0]}]})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(parse_json(answer.body).find("results")->items.size(), 2u);
  answer =
      http("POST", "/v1/models/classify:classify", R"({"examples": [{"x": [0.5, 0.25, -1.5]}]})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(parse_json(answer.body).find("results")->items.at(0).items.at(1).items.at(0).text,
            "yes");
}

TEST_F(ServeServer, says_what_is_wrong_over_http) {
  HttpAnswer answer = http("POST", "/v1/models/m:predict", "{}");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, "{ \"error\": \"Servable not found for request: Latest(m)\" }");
  answer = http("POST", "/v1/models/predict:predict", "");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, R"({ "error": "JSON Parse error: The document is empty" })");
  EXPECT_EQ(http("GET", "/v1/models").status, 400);
  EXPECT_EQ(http("GET", "/elsewhere").status, 404);
  EXPECT_EQ(http("NONSENSE", "/v1/models/m").status, 400);
}

TEST_F(ServeServer, tells_about_models_over_http) {
  HttpAnswer answer = http("GET", "/v1/models/classify");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body,
            "{\n \"model_version_status\": [\n  {\n   \"version\": \"1\",\n   \"state\": "
            "\"AVAILABLE\",\n   \"status\": {\n    \"error_code\": \"OK\",\n    \"error_message\": "
            "\"\"\n   }\n  }\n ]\n}\n");
  answer = http("GET", "/v1/models/classify/metadata");
  const Json parsed = parse_json(answer.body);
  EXPECT_EQ(parsed.find("model_spec")->find("version")->text, "1");
  const Json& signature = *parsed.find("metadata")
                               ->find("signature_def")
                               ->find("signature_def")
                               ->find("serving_default");
  EXPECT_EQ(signature.find("method_name")->text, "tensorflow/serving/classify");
  EXPECT_EQ(http("GET", "/livez").status, 200);
  EXPECT_EQ(http("GET", "/readyz").status, 200);
  http("POST", "/v1/models/predict:predict", R"({"inputs": {"rows": [[0.0, 0.0, 0.0]]}})");
  answer = http("GET", "/monitoring/prometheus/metrics");
  EXPECT_NE(
      answer.body.find(":tensorflow:serving:request_count{model_name=\"predict\",status=\"OK\"} 1"),
      std::string::npos)
      << answer.body;
}

TEST_F(ServeServer, speaks_kserve) {
  EXPECT_EQ(http("GET", "/v2/health/live").status, 200);
  EXPECT_EQ(http("GET", "/v2/health/ready").status, 200);
  EXPECT_EQ(http("GET", "/v2/models/predict/ready").status, 200);
  EXPECT_EQ(http("GET", "/v2/models/m/ready").status, 400);
  EXPECT_EQ(http("GET", "/v2/models/predict/versions/1").body,
            R"({"name":"predict","versions":["1"],"platform":"tensorflow_savedmodel","inputs":)"
            R"([{"name":"rows","datatype":"FP32","shape":[-1,3]}],"outputs":[{"name":"scores",)"
            R"("datatype":"FP32","shape":[-1,2]},{"name":"total","datatype":"FP32","shape":[]}]})");
  const HttpAnswer answer = http(
      "POST", "/v2/models/predict/infer",
      R"({"inputs": [{"name": "rows", "shape": [1, 3], "datatype": "FP32", "data": [0, 0, 0]}]})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  const Json parsed = parse_json(answer.body);
  EXPECT_EQ(parsed.find("model_version")->text, "1");
  EXPECT_EQ(parsed.find("outputs")->items.at(0).find("data")->items.size(), 2u);
  EXPECT_EQ(http("POST", "/v2/models/m/infer", "{}").status, 404);
  EXPECT_EQ(http("GET", "/v2/elsewhere").status, 400);
}

TEST_F(ServeServer, requests_without_a_token) {
  options_.token = "secret";
  EXPECT_EQ(http("GET", "/v1/models/predict").status, 401);
  EXPECT_EQ(http("GET", "/v1/models/predict", "", "Authorization: Bearer wrong!\r\n").status, 401);
  EXPECT_EQ(http("GET", "/v1/models/predict", "", "Authorization: Bearer secret\r\n").status, 200);
  EXPECT_EQ(http("GET", "/readyz").status, 200);  // is asked by who has none
  EXPECT_EQ(
      call("PredictionService/Predict", golden_calls("predict").at(0).request("predict")).code,
      Code::kUnauthenticated);
}

// Keys and certificates are made anew: those in a repository grow old.
TEST_F(ServeServer, speaks_tls) {
  ScratchDirectory directory;
  const std::string key = directory / "key.pem", certificate = directory / "certificate.pem";
  const std::string command =
      str_cat("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext ",
              "subjectAltName=IP:127.0.0.1 -keyout ", key, " -out ", certificate, " 2>/dev/null");
  ASSERT_EQ(std::system(command.c_str()), 0);
  options_.grpc.tls = std::make_shared<net::Tls>(
      net::TlsFiles{read_file(key), read_file(certificate), read_file(certificate), true});
  const std::string place = str_cat("127.0.0.1:", server().grpc_port());
  const auto ask_with = [&](const grpc::SslCredentialsOptions& tls) {
    grpc::GenericStub stub(grpc::CreateChannel(place, grpc::SslCredentials(tls)));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    const std::string body = golden_calls("predict").at(0).request("predict").SerializeAsString();
    const grpc::Slice slice(body);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> ended;
    stub.UnaryCall(&context, "/tensorflow.serving.PredictionService/Predict", grpc::StubOptions(),
                   &request, &response,
                   [&](grpc::Status status) { ended.set_value(std::move(status)); });
    return ended.get_future().get();
  };
  const std::string trusted = read_file(certificate);
  const grpc::Status known = ask_with({trusted, read_file(key), trusted});
  EXPECT_TRUE(known.ok()) << known.error_message();
  EXPECT_EQ(ask_with({trusted, "", ""}).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_NE(
      call("PredictionService/Predict", golden_calls("predict").at(0).request("predict")).code,
      Code::kOk);  // without TLS
}

TEST_F(ServeServer, one_connection_many_requests) {
  HttpClient client(server().rest_port());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client.ask("GET", "/v1/models/predict", "", "").status, 200);
}

TEST_F(ServeServer, large_and_broken_requests) {
  options_.http.max_body_bytes = 1000;
  EXPECT_EQ(http("POST", "/v1/models/predict:predict", std::string(2000, ' ')).status, 413);
  EXPECT_EQ(HttpClient(server().rest_port()).raw("no request at all\r\n\r\n").status, 400);
  EXPECT_EQ(
      http("POST", "/v1/models/predict:predict", "no gzip", "Content-Encoding: gzip\r\n").status,
      400);
  EXPECT_EQ(http("GET", "/v1/models/predict").status, 200);  // it goes on
}

TEST_F(ServeServer, a_slow_client_is_left) {
  options_.http.timeout_ms = options_.http.idle_ms = 200;
  HttpClient client(server().rest_port());
  EXPECT_EQ(client.raw("POST /v1/models/predict:predict HTTP/1.1\r\nContent-Le").status, 408);
  EXPECT_EQ(http("GET", "/v1/models/predict").status, 200);
}

TEST_F(ServeServer, reload_of_the_configuration) {
  server();
  models_.add("more", kSavedModels + "predict/model", 5);
  messages::ReloadConfigRequest request;
  *request.mutable_config() = models_.config();
  request.mutable_config()->mutable_model_config_list()->mutable_config()->DeleteSubrange(0, 1);
  ask<messages::ReloadConfigResponse>("ModelService/HandleReloadConfigRequest", request);
  golden_calls("predict").at(0).expect(ask<messages::PredictResponse>(
      "PredictionService/Predict", golden_calls("predict").at(0).request("more")));
  EXPECT_TRUE(await([&] { return state("classify", 1) == messages::ModelVersionStatus::END; }));
  *request.mutable_config()->mutable_model_config_list()->add_config() =
      request.config().model_config_list().config(0);
  const net::RpcResult result = call("ModelService/HandleReloadConfigRequest", request);
  EXPECT_EQ(result.code, Code::kInvalidArgument);
  EXPECT_NE(result.message.find("multiple times in config list"), std::string::npos);
}

TEST_F(ServeServer, labels) {
  server();
  messages::ReloadConfigRequest request;
  *request.mutable_config() = models_.config();
  for (auto& model : *request.mutable_config()->mutable_model_config_list()->mutable_config())
    (*model.mutable_version_labels())["stable"] = 1;
  ask<messages::ReloadConfigResponse>("ModelService/HandleReloadConfigRequest", request);
  EXPECT_EQ(http("POST", "/v1/models/predict/labels/stable:predict",
                 R"({"inputs": {"rows": [[0.0, 0.0, 0.0]]}})")
                .status,
            200);
  (*request.mutable_config()
        ->mutable_model_config_list()
        ->mutable_config(0)
        ->mutable_version_labels())["canary"] = 9;
  const net::RpcResult result = call("ModelService/HandleReloadConfigRequest", request);
  EXPECT_EQ(result.code, Code::kFailedPrecondition);
  EXPECT_EQ(result.message,
            "Request to assign label to version 9 of model classify, which is not currently "
            "available for inference");
}

TEST_F(ServeServer, no_request_fails_while_versions_change) {
  server();
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0, requests = 0;
  const messages::PredictRequest request = golden_calls("predict").at(0).request("predict");
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i)
    clients.emplace_back([&] {
      while (!stop) {
        if (call("PredictionService/Predict", request).code != Code::kOk) ++failures;
        ++requests;
      }
    });
  for (int version = 2; version <= 4; ++version) {
    models_.add("predict", kSavedModels + "predict/model", version);
    EXPECT_TRUE(await(
        [&] { return state("predict", version) == messages::ModelVersionStatus::AVAILABLE; }));
    models_.remove("predict", version - 1);
  }
  make_directories(models_.path("predict") + "/5");  // broken: there is no model in it
  EXPECT_TRUE(await([&] { return state("predict", 5) == messages::ModelVersionStatus::END; }));
  stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failures, 0);
  EXPECT_GT(requests, 50);
  EXPECT_EQ(state("predict", 4), messages::ModelVersionStatus::AVAILABLE);
}

TEST_F(ServeServer, a_model_that_is_broken_from_the_start) {
  models_.remove("predict", 1);  // which would be served instead
  make_directories(models_.path("predict") + "/2");
  const std::string error = error_of([&] { server(); });
  EXPECT_TRUE(
      error.starts_with("Unknown: 1 model(s) did not become available: {{name: predict "
                        "version: 2} due to error: "))
      << error;
}

TEST_F(ServeServer, shutting_down_answers_what_is_in_flight) {
  server();
  const messages::PredictRequest request = golden_calls("predict").at(0).request("predict");
  std::atomic<int> bad = 0, good = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      while (true) {
        const net::RpcResult result = call("PredictionService/Predict", request, 5000);
        if (result.code == Code::kUnavailable) return;  // no more are taken
        ++(result.code == Code::kOk ? good : bad);
        if (result.code != Code::kOk)
          ADD_FAILURE() << code_name(result.code) << ": " << result.message;
      }
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server().shut_down(5000);
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(bad, 0);
  EXPECT_GT(good, 0);
}

}  // namespace
}  // namespace rill::serve
