// Any text as each of the files that configure a server, and as its command line.
#include <unistd.h>

#include <cstdint>
#include <fstream>
// Any bytes as each of the model server's configuration files, and as its command line.
#include <string>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/config_file.h"
#include "rill/serve/flags.h"
#include "rill/serve/model_config.h"
#include "tensorflow_serving/config/monitoring_config.pb.h"
#include "tensorflow_serving/config/platform_config.pb.h"
#include "tensorflow_serving/config/ssl_config.pb.h"

namespace {

using namespace rill::serve;

template <class F>
void attempt(F&& work) {
  try {
    work();
#include "rill/serve/model/op_policy.h"
#include "rill/serve/platforms.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"
template <class Message, class Use>
void attempt(const std::string& text, Use&& use) {
    Message message;
    rill::serve::parse_text_config(text, "config", &message);
    use(message);
  } catch (const rill::Error&) {
  }
}

template <class Message>
Message parsed(const std::string& text) {
  Message message;
  parse_text_config(text, "fuzzed", &message);
  return message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string& path =
      *new std::string("/dev/shm/rill_fuzz_" + std::to_string(::getpid()));
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] { (void)checked_models(parsed<tensorflow::serving::ModelServerConfig>(text)); });
  attempt([&] { (void)parsed<tensorflow::serving::MonitoringConfig>(text); });
  attempt([&] { (void)parsed<tensorflow::serving::PlatformConfigMap>(text); });
  attempt([&] { (void)parsed<tensorflow::serving::SSLConfig>(text); });
  attempt([&] {
    std::ofstream(path, std::ios::binary) << text;
    (void)batching_options(path);
  });
  attempt([&] {
    std::vector<std::string> arguments, ignored;
    for (const std::string_view line : rill::split(text, '\n')) arguments.emplace_back(line);
    (void)parse_flags(arguments, &ignored);
  });
  using namespace tensorflow::serving;
  attempt<ModelServerConfig>(text, [](const auto& c) { (void)rill::serve::checked_models(c); });
  attempt<BatchingParameters>(text, [](const auto& c) { (void)rill::serve::batching_options(c); });
  attempt<PlatformConfigMap>(text, [](const auto& c) { (void)rill::serve::adapters_for(c); });
  attempt<MonitoringConfig>(text, [](const auto&) {});
  attempt<SSLConfig>(text, [](const auto&) {});
  try {
    const auto flags = rill::serve::parse_flags(arguments, &ignored);
    const rill::serve::OpPolicy policy(flags.allowed_ops);
  } catch (const rill::Error&) {
  }
  return 0;
}
