#pragma once

// For tests of the model server alone: models that TensorFlow wrote, in a directory of the form
// that a server watches, and what TensorFlow answered when it was asked.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "rill/base/file_testing.h"
#include "rill/base/json.h"
#include "rill/serve/config/model_config.h"
#include "rill/serve/model/model_adapter.h"
#include "rill/serve/service/service.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::serve {

inline const std::string kSavedModels = "tests/golden/models/saved_models/";

// A directory of models with numbered versions.
class ModelFolder {
 public:
  void add(const std::string& name, const std::string& model, int version = 1) {
    const std::string to = str_cat(path(name), "/", version), hidden = to + ".new";
    make_directories(path(name));
    std::filesystem::copy(model, hidden, std::filesystem::copy_options::recursive);
    std::filesystem::rename(hidden, to);  // a version appears whole
    names_.insert(name);
  }
  void remove(const std::string& name, int version) {
    std::filesystem::remove_all(str_cat(path(name), "/", version));
  }
  std::string path(const std::string& name) const { return directory_ / name; }
  const std::set<std::string>& names() const { return names_; }
  messages::ModelServerConfig config() const {
    messages::ModelServerConfig config;
    for (const std::string& name : names_)
      *config.mutable_model_config_list()->add_config() =
          single_model(name, path(name)).model_config_list().config(0);
    return config;
  }

 private:
  ScratchDirectory directory_;
  std::set<std::string> names_;
};

inline ServerCoreOptions core_options(const ModelOptions& model = {}) {
  ServerCoreOptions options;
  options.manager.max_load_retries = 0;
  options.platforms["tensorflow"] = std::make_shared<ModelAdapter>(model);
  return options;
}

// A server of these models without a front end.
struct ServedModels {
  explicit ServedModels(const ModelFolder& models,
                        const ServerCoreOptions& options = core_options())
      : core(options) {
    core.reload(models.config());
  }
  ServerCore core;
  Service service{core};
};

inline std::string from_base64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == std::string::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((held += 6) >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xff);
  }
  return bytes;
}

// One question of tests/golden/models/saved_models.json with TensorFlow's answer.
struct GoldenCall {
  std::string signature;
  Json feeds, answer;

  static Tensor tensor(const Json& stored) {
    std::vector<std::int64_t> dims;
    for (const Json& dim : stored.find("shape")->items) dims.push_back(std::stoll(dim.text));
    const Shape shape{std::span<const std::int64_t>(dims)};
    const std::vector<Json>& data = stored.find("data")->items;
    const std::string& dtype = stored.find("dtype")->text;
    if (dtype == "object") {
      std::vector<std::string> texts;
      for (const Json& item : data) texts.push_back(from_base64(item.text));
      return Tensor::of<std::string>(shape, std::span<const std::string>(texts));
    }
    const auto numbers = [&]<class T>(T) {
      std::vector<T> values;
      for (const Json& item : data) values.push_back(static_cast<T>(std::stod(item.text)));
      return Tensor::of<T>(shape, std::span<const T>(values));
    };
    if (dtype == "int64") return numbers(std::int64_t{});
    if (dtype == "int32") return numbers(std::int32_t{});
    if (dtype == "float64") return numbers(double{});
    EXPECT_EQ(dtype, "float32");
    return numbers(float{});
  }

  messages::PredictRequest request(const std::string& model) const {
    messages::PredictRequest request;
    request.mutable_model_spec()->set_name(model);
    request.mutable_model_spec()->set_signature_name(signature);
    for (const auto& [name, stored] : feeds.members)
      to_proto(tensor(stored), &(*request.mutable_inputs())[name]);
    return request;
  }
  void expect(const messages::PredictResponse& response) const {
    EXPECT_EQ(static_cast<std::size_t>(response.outputs_size()), answer.members.size());
    for (const auto& [name, stored] : answer.members) {
      const Tensor expected = tensor(stored.items.at(0));
      const Tensor got = from_proto(response.outputs().at(name));
      EXPECT_EQ(got.shape(), expected.shape());
      ASSERT_EQ(got.dtype(), expected.dtype());
      if (got.dtype() != DType::f32) {
        EXPECT_TRUE(identical(got, expected)) << name;
        continue;
      }
      for (std::size_t i = 0; i < got.flat<float>().size(); ++i)
        EXPECT_NEAR(got.flat<float>()[i], expected.flat<float>()[i],
                    1e-5 * std::max(1.0f, std::abs(expected.flat<float>()[i])));
    }
  }
  std::vector<std::string> texts(const std::string& input) const {
    return strings(*feeds.find(input));
  }
  std::vector<std::string> expected_texts(const std::string& output) const {
    return strings(answer.find(output)->items.at(0));
  }
  std::vector<float> expected_floats(const std::string& output) const {
    const Tensor values = tensor(answer.find(output)->items.at(0));
    return {values.flat<float>().begin(), values.flat<float>().end()};
  }

 private:
  static std::vector<std::string> strings(const Json& stored) {
    const Tensor values = tensor(stored);
    return {values.flat<std::string>().begin(), values.flat<std::string>().end()};
  }
};

// Those of the model whose signature is one that servers know.
inline std::vector<GoldenCall> golden_calls(const std::string& model) {
  static const Json& all =
      *new Json(parse_json(read_file(std::string("tests/golden/models/saved_models.json"))));
  const Json& entry = *all.find(model);
  const std::vector<Json>& asked = entry.find("question")->find("calls")->items;
  const std::vector<Json>& answered = entry.find("answer")->find("calls")->items;
  std::vector<GoldenCall> calls;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string& signature = asked[i].find("signature")->text;
    const Json* known = entry.find("answer")->find("signatures")->find(signature);
    if (known->find("methodName")->text.starts_with("tensorflow/serving/"))
      calls.push_back({signature, *asked[i].find("feeds"), answered[i]});
  }
  return calls;
}

}  // namespace rill::serve
