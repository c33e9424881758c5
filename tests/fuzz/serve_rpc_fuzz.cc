// Any bytes as the message of each method that clients may call; the first says which.
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cstdint>
#include <future>

#include "rill/base/clock.h"
#include "rill/serve/rpc/methods.h"
#include "tests/fuzz/serve_fuzzing.h"

namespace {

using namespace rill::serve;
namespace net = rill::net;

constexpr std::int64_t kPatienceNanos = 200'000'000;

// A call whose bytes are here; it ends when it is answered.
class FuzzedCall : public net::RpcCall {
 public:
  FuzzedCall(const std::uint8_t* data, std::size_t size,
             std::shared_ptr<std::promise<void>> answered)
      : bytes_(data, static_cast<int>(size)), answered_(std::move(answered)) {}
  google::protobuf::io::ZeroCopyInputStream& request() override { return bytes_; }
  net::CallLimits limits() override {
    return {.deadline_nanos = rill::monotonic_nanos() + kPatienceNanos};
  }
  void reply_bytes(std::string, std::string_view, std::shared_ptr<const void>) override {
    answered_->set_value();
  }
  void reply(const google::protobuf::MessageLite& message) override {
    (void)message.SerializeAsString();
    answered_->set_value();  // throws when there is a second answer
  }
  void fail(const rill::Error& error) override {
    (void)error.message().size();
    answered_->set_value();
  }

 private:
  google::protobuf::io::ArrayInputStream bytes_;
  const std::shared_ptr<std::promise<void>> answered_;
};

// Every method by name: first those that the first bytes of the seeds stand for.
std::vector<std::string> names_of(const net::RpcMethods& methods) {
  std::vector<std::string> names;
  for (const char* name : {"ModelService/GetModelStatus", "ModelService/HandleReloadConfigRequest",
                           "PredictionService/Classify", "PredictionService/GetModelMetadata",
                           "PredictionService/MultiInference", "PredictionService/Predict",
                           "PredictionService/Regress"})
    names.push_back(std::string("/tensorflow.serving.") + name);
  for (const auto& [name, method] : methods)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

// Those that ask models, and those that change which there are: these have a server of their own.
struct Servers {
  Servers() { asked.reload(fuzzed_models()); }
  ServerCore asked{fuzzed_core()}, changed{fuzzed_core()};
  Service asking{asked}, changing{changed};
  const net::RpcMethods methods = serving_methods(asking),
                        changing_methods = serving_methods(changing);
  const std::vector<std::string> names = names_of(methods);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Servers& servers = *new Servers;
  if (size == 0) return 0;
  const std::string& name = servers.names[data[0] % servers.names.size()];
  const bool changes = name.find("Reload") != std::string::npos;
  const net::RpcMethod& method = (changes ? servers.changing_methods : servers.methods).at(name);
  const auto answered = std::make_shared<std::promise<void>>();
  method(std::make_shared<FuzzedCall>(data + 1, size - 1, answered));
  answered->get_future().wait();
  return 0;
}
