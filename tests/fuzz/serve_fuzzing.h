#pragma once

// For fuzz targets of the model server alone: small models, served in this process.
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "rill/serve/config/model_config.h"
#include "rill/serve/model/model_adapter.h"
#include "rill/serve/service/server_core.h"
#include "rill/serve/service/service.h"

namespace rill::serve {

inline ServerCoreOptions fuzzed_core() {
  ServerCoreOptions options;
  options.manager.max_load_retries = 0;
  options.source.poll_wait_seconds = 0;  // look once
  options.platforms["tensorflow"] = std::make_shared<ModelAdapter>(ModelOptions{});
  return options;
}

// A directory for this process that holds version 1 of each of these SavedModels; it stays.
inline messages::ModelServerConfig fuzzed_models() {
  std::string folder = "/tmp/rill_fuzz_XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) std::abort();
  messages::ModelServerConfig config;
  for (const char* name : {"predict", "classify", "regress", "texts"}) {
    const std::string base = folder + "/" + name;
    std::filesystem::create_directories(base);
    std::filesystem::create_directory_symlink(
        std::filesystem::absolute("tests/golden/models/saved_models/" + std::string(name) +
                                  "/model"),
        base + "/1");
    *config.mutable_model_config_list()->add_config() =
        single_model(name, base).model_config_list().config(0);
  }
  return config;
}

}  // namespace rill::serve
