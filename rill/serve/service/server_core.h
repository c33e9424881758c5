#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/serve/config/config_messages.h"
#include "rill/serve/config/model_settings.h"
#include "rill/serve/core/file_system_source.h"
#include "rill/serve/core/manager.h"
#include "tensorflow_serving/apis/model.pb.h"

namespace rill::serve {

struct ServerCoreOptions {
  ManagerOptions manager;
  FileSystemSourceOptions source;
  // What makes servables of a platform's directories. There must be one for every platform that a
  // configuration names; "tensorflow" is ModelAdapter's.
  std::map<std::string, std::shared_ptr<PathAdapter>> platforms;
  bool allow_labels_for_unavailable = false;
  // Which of the requests that name no version go to a canary; may be empty.
  std::shared_ptr<ModelSettings> settings;
  // Sees a configuration that is about to be used, and may refuse it by throwing.
  std::function<void(const tensorflow::serving::ModelServerConfig&)> on_config;
  // Whether the first configuration waits for every model, rather than for one, while others have
  // no version, or one that failed to load and may be tried again.
  bool is_strict = true;
  int first_load_threads = 0;  // until the first configuration is there; 0: 4 for each core
};

// Which models are served: a configuration that can be replaced, and what came of it. Safe from
// several threads at once.
class ServerCore {
 public:
  explicit ServerCore(const ServerCoreOptions& options);
  ~ServerCore();

  // Replaces the configuration and waits until every model that is new has a version that serves.
  // Throws InvalidArgument or FailedPrecondition when it is refused as a whole, Unknown naming
  // models that failed to load, Aborted when a later configuration has taken one away that was
  // waited for. `give_up` is asked now and then whether to wait no longer.
  void reload(const tensorflow::serving::ModelServerConfig& config,
              const std::function<bool()>& give_up = {});
  // Throws NotFound for a model that is new or lies elsewhere now, and whose directory is not
  // there. Who asks over the network wants to know; a file may name a model before it is copied.
  void require_base_paths(const tensorflow::serving::ModelServerConfig& config) const;
  tensorflow::serving::ModelServerConfig config() const;
  // Takes a model of the configuration out of service, or brings it back and waits for a version
  // that serves; a new configuration brings all back. Throws NotFound for another model, and what
  // reload() throws of models.
  void unload(const std::string& name);
  void load(const std::string& name, const std::function<bool()>& give_up = {});
  Manager& manager();
  // Ends waiting, for good.
  void stop();

  // Which version is asked for; nothing: the highest. Throws InvalidArgument when the name is
  // missing or there is no such label.
  std::optional<std::int64_t> version_of(const tensorflow::serving::ModelSpec& spec) const;
  // The servable that is asked for: a version, a label, or the highest version. Throws NotFound, or
  // InvalidArgument when the name is missing or there is no such label.
  Handle find(const tensorflow::serving::ModelSpec& spec) const;
  // All versions, or the one that is asked for. Throws NotFound.
  std::vector<VersionStatus> statuses(const tensorflow::serving::ModelSpec& spec) const;
  std::vector<ServableId> available() const;
  bool has_model(const std::string& name) const;  // whether the configuration has it
  // Whether every model of the configuration has a version that serves.
  bool is_ready() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill::serve
