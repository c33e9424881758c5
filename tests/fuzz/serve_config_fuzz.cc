// Any bytes as each of the model server's configuration files, and as its command line.
#include <cstdint>
#include <string>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/config/model_config.h"
#include "rill/serve/flags.h"
#include "rill/serve/model/op_policy.h"
#include "rill/serve/service/platforms.h"
#include "tensorflow_serving/config/monitoring_config.pb.h"
#include "tensorflow_serving/config/ssl_config.pb.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"

namespace {

template <class Message, class Use>
void attempt(const std::string& text, Use&& use) {
  try {
    Message message;
    rill::serve::parse_text_config(text, "config", &message);
    use(message);
  } catch (const rill::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tensorflow::serving;
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt<ModelServerConfig>(text, [](const auto& c) { (void)rill::serve::checked_models(c); });
  attempt<BatchingParameters>(text, [](const auto& c) { (void)rill::serve::batching_options(c); });
  attempt<PlatformConfigMap>(text, [](const auto& c) { (void)rill::serve::adapters_for(c); });
  attempt<MonitoringConfig>(text, [](const auto&) {});
  attempt<SSLConfig>(text, [](const auto&) {});
  try {
    std::vector<std::string> arguments, ignored;
    for (const std::string_view line : rill::split(text, '\n')) arguments.emplace_back(line);
    const auto flags = rill::serve::parse_flags(arguments, &ignored);
    const rill::serve::OpPolicy policy(flags.allowed_ops);
  } catch (const rill::Error&) {
  }
  return 0;
}
