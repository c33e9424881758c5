// What is set for single models: limits, priorities, cached answers, canaries, shadows; and models
// that are made of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/model/ensemble.h"
#include "rill/serve/model/response_cache.h"
#include "rill/serve/server.h"
#include "tests/cpp/await_testing.h"
#include "tests/cpp/http_testing.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

template <class Message>
Message of_text(const std::string& text) {
  Message message;
  parse_text_config(text, "test", &message);
  return message;
}

serving::ServingOptions settings_of(const std::string& text) {
  return of_text<serving::ServingOptions>(text);
}

TEST(ModelSettings, refuse_what_makes_no_sense) {
  ModelSettings settings;
  for (const char* wrong :
       {"model { }", "model { name: 'a' } model { name: 'a' }",
        "model { name: 'a' max_running_steps: -1 }",
        "model { name: 'a' canary { version: 1 percent: 101 } }",
        "model { name: 'a' canary { percent: 1 } }", "model { name: 'a' shadow { percent: 1 } }"})
    EXPECT_THROW(settings.set(settings_of(wrong)), Error) << wrong;
  EXPECT_TRUE(settings.all()->empty());
}

TEST(ModelSettings, give_canaries_and_shadows_their_share) {
  ModelSettings settings;
  settings.set(
      settings_of("model { name: 'a' canary { version: 7 percent: 12.5 } "
                  "shadow { model_name: 'b' percent: 50 } }"));
  int canaries = 0, shadows = 0;
  for (int i = 0; i < 800; ++i) {
    canaries += settings.canary("a")->is_its_turn;
    shadows += settings.shadow("a").has_value();
  }
  EXPECT_NEAR(canaries, 100, 1);
  EXPECT_NEAR(shadows, 400, 1);
  EXPECT_FALSE(settings.canary("b"));
}

class CachedAnswers : public testing::Test {
 protected:
  // Answers with what it was asked, and counts.
  class Counting : public StepRunner {
   public:
    explicit Counting(int* runs) : runs_(runs) {}
    void run(const CompiledStepRef&, std::vector<Tensor> feeds, const RequestLimits&,
             TensorsDone done) override {
      ++*runs_;
      if (feeds[0].dtype() == DType::f32 && feeds[0].flat<float>()[0] < 0)
        return done({}, Error(Code::kInvalidArgument, "negative"));
      done(std::move(feeds), {});
    }

   private:
    int* const runs_;
  };
  std::vector<Tensor> ask(StepRunner& runner, const Tensor& feed) {
    std::vector<Tensor> answer;
    runner.run(step_, {feed}, {}, [&](std::vector<Tensor> values, const std::optional<Error>&) {
      answer = std::move(values);
    });
    return answer;
  }
  std::unique_ptr<StepRunner> cached(std::int64_t bytes) {
    return caching_runner(std::make_unique<Counting>(&runs_), bytes, &metrics_);
  }
  const CompiledStepRef step_ = std::make_shared<CompiledStep>();
  int runs_ = 0;
  ModelMetrics metrics_{"a"};
};

TEST_F(CachedAnswers, are_given_for_the_same_bits_alone) {
  const auto runner = cached(1 << 20);
  const auto texts = [](const char* a, const char* b) {
    const std::vector<std::string> all{a, b};
    return Tensor::of<std::string>(Shape({2}), std::span<const std::string>(all));
  };
  const std::vector<Tensor> questions{Tensor::scalar(1.0f),
                                      Tensor::scalar(0.0f),
                                      Tensor::scalar(-0.0f),
                                      Tensor::scalar(1),
                                      Tensor::scalar(1.0f).reshaped(Shape({1})),
                                      texts("a", "bc"),
                                      texts("ab", "c")};
  for (const Tensor& question : questions) ask(*runner, question);
  const int all = runs_;
  EXPECT_EQ(all, 7);
  for (const Tensor& question : questions) {
    const auto answer = ask(*runner, question);
    if (answer.empty()) continue;
    EXPECT_TRUE(identical(answer[0], question));
  }
  EXPECT_EQ(runs_, all);
  EXPECT_EQ(metrics_.cache_hits.value(), 7);
  EXPECT_EQ(metrics_.cache_misses.value(), 7);
}

TEST_F(CachedAnswers, are_forgotten_when_there_are_too_many_and_errors_at_once) {
  const auto runner = cached(3 * (256 + 8));
  for (int i = 0; i < 4; ++i) ask(*runner, Tensor::scalar(static_cast<float>(i)));
  EXPECT_EQ(runs_, 4);
  ask(*runner, Tensor::scalar(3.0f));
  ask(*runner, Tensor::scalar(1.0f));
  EXPECT_EQ(runs_, 4);
  ask(*runner, Tensor::scalar(0.0f));  // it was the oldest
  EXPECT_EQ(runs_, 5);
  for (int i = 0; i < 2; ++i) ask(*runner, Tensor::scalar(-1.0f));
  EXPECT_EQ(runs_, 7);
  // What is larger than the cache is not kept.
  for (int i = 0; i < 2; ++i) ask(*runner, Tensor::zeros(DType::f32, Shape({1000})));
  EXPECT_EQ(runs_, 9);
}

class ServedSettings : public testing::Test {
 protected:
  ServedSettings() {
    models_.add("predict", kSavedModels + "predict/model", 1);
    models_.add("predict", kSavedModels + "predict/model", 2);
    options_.core = core_options();
    options_.core.settings = options_.settings;
    options_.has_grpc = false;
    options_.core.platforms["ensemble"] = std::make_shared<EnsembleAdapter>(options_.finder);
  }
  messages::ModelServerConfig config() {
    auto config = models_.config();
    for (auto& model : *config.mutable_model_config_list()->mutable_config())
      model.mutable_model_version_policy()->mutable_all();
    for (const auto& [name, text] : ensembles_) {
      const std::string path = directory_ / name;
      make_directories(path + "/1");
      write_file(path + "/1/ensemble.pbtxt", text);
      auto* model = config.mutable_model_config_list()->add_config();
      model->set_name(name);
      model->set_base_path(path);
      model->set_model_platform("ensemble");
    }
    return config;
  }
  Server& server() {
    if (server_) return *server_;
    server_ = std::make_unique<Server>(options_, config());
    // One version of each model is there; the other one of "predict" may still come.
    EXPECT_TRUE(await([&] {
      const auto all = server_->core().available();
      return std::ranges::count(all, "predict", &ServableId::name) == 2;
    }));
    return *server_;
  }
  HttpAnswer ask(const std::string& path, const std::string& body) {
    HttpClient client(server().rest_port());
    return client.ask(body.empty() ? "GET" : "POST", path, body, {});
  }

  ScratchDirectory directory_;
  ModelFolder models_;
  std::map<std::string, std::string> ensembles_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServedSettings, send_a_canary_its_share) {
  options_.settings->set(
      settings_of("model { name: 'predict' canary { version: 2 percent: 25 } }"));
  std::map<std::int64_t, int> asked;
  messages::ModelSpec spec;
  spec.set_name("predict");
  for (int i = 0; i < 40; ++i) ++asked[server().core().find(spec).id().version];
  EXPECT_NEAR(asked[2], 10, 2);
  EXPECT_EQ(asked[1] + asked[2], 40);
  // Who names a version gets it.
  spec.mutable_version()->set_value(2);
  EXPECT_EQ(server().core().find(spec).id().version, 2);
  // A canary that is not there takes nothing.
  options_.settings->set(
      settings_of("model { name: 'predict' canary { version: 9 percent: 50 } }"));
  spec.clear_version();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(server().core().find(spec).id().version, 2);
}

TEST_F(ServedSettings, ask_a_shadow_too) {
  models_.add("other", kSavedModels + "predict/model", 1);
  options_.settings->set(
      settings_of("model { name: 'predict' shadow { model_name: 'other' percent: 50 } }"));
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(ask("/v1/models/predict:predict", R"({"inputs": [[0.0, 0.0, 0.0]]})").status, 200);
  ModelMetrics& counts = options_.metrics->model("other");
  EXPECT_TRUE(await([&] { return counts.shadows_good.value() >= 9; }));
  EXPECT_EQ(counts.shadows_bad.value(), 0);
}

TEST_F(ServedSettings, ensembles_ask_one_model_after_the_other) {
  // Twice the same model: its answer has the shape of its question.
  const std::string signature = R"(
    signature_def { key: "serving_default" value {
      inputs { key: "in" value { name: "in" dtype: DT_FLOAT tensor_shape { dim { size: -1 } dim { size: 3 } } } }
      outputs { key: "out" value { name: "last" dtype: DT_FLOAT } } } })";
  const GoldenCall golden = golden_calls("predict").at(0);
  const std::string input = golden.feeds.members.at(0).first;
  const std::string output = golden.answer.members.at(0).first;
  ensembles_["both"] =
      str_cat("step { model_name: 'predict' version: 1 input_map { key: '", input,
              "' value: 'in' } output_map { key: '", output, "' value: 'last' } }", signature);
  ensembles_["itself"] = str_cat("step { model_name: 'itself' input_map { key: 'in' value: 'in' } ",
                                 "output_map { key: 'out' value: 'last' } }", signature);
  const HttpAnswer plain = ask("/v1/models/predict:predict", R"({"inputs": [[1.0, 2.0, 3.0]]})");
  const HttpAnswer both = ask("/v1/models/both:predict", R"({"inputs": [[1.0, 2.0, 3.0]]})");
  EXPECT_EQ(both.status, 200) << both.body;
  EXPECT_EQ(ask("/v1/models/both/metadata", "").status, 200);
  EXPECT_NE(both.body.find("outputs"), std::string::npos);
  const HttpAnswer endless = ask("/v1/models/itself:predict", R"({"inputs": [[1.0, 2.0, 3.0]]})");
  EXPECT_EQ(endless.status, 400);
  EXPECT_NE(endless.body.find("levels deep"), std::string::npos) << endless.body;
}

TEST_F(ServedSettings, models_go_and_come_back) {
  EXPECT_EQ(ask("/v2/repository/models/predict/unload", "{}").status, 200);
  EXPECT_TRUE(await([&] {
    return ask("/v1/models/predict:predict", R"({"inputs": [[0.0, 0.0, 0.0]]})").status == 404;
  }));
  EXPECT_EQ(ask("/readyz", "").status, 200);  // as somebody wants it
  EXPECT_EQ(ask("/v2/repository/models/predict/load", "{}").status, 200);
  EXPECT_EQ(ask("/v1/models/predict:predict", R"({"inputs": [[0.0, 0.0, 0.0]]})").status, 200);
  EXPECT_EQ(ask("/v2/repository/models/nobody/load", "{}").status, 404);
  EXPECT_EQ(ask("/v2/repository/models/predict/other", "{}").status, 400);
}

TEST(Ensemble, says_what_does_not_fit) {
  const auto check = [](const std::string& text) {
    check_ensemble(of_text<serving::Ensemble>(text));
  };
  const std::string signature =
      "signature_def { key: 's' value { inputs { key: 'a' value { name: 'in' } } "
      "outputs { key: 'b' value { name: 'out' } } } }";
  const std::string good =
      "step { model_name: 'm' input_map { key: 'x' value: 'in' } output_map { key: 'y' value: "
      "'out' } }";
  check(good + signature);
  for (const std::string& wrong :
       {std::string(), good, signature, good + good + signature,
        "step { model_name: 'm' input_map { key: 'x' value: 'nowhere' } output_map { key: 'y' "
        "value: 'out' } }" +
            signature,
        "step { model_name: 'm' input_map { key: 'x' value: 'in' } }" + signature,
        "step { input_map { key: 'x' value: 'in' } output_map { key: 'y' value: 'out' } }" +
            signature})
    EXPECT_THROW(check(wrong), Error) << wrong;
}

}  // namespace
}  // namespace rill::serve
