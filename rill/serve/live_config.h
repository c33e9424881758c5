#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/serve/flags.h"
#include "rill/serve/server.h"

namespace rill::serve {

// Follows the files that flags name while a server runs: those of models, TLS, tokens, monitoring
// and batching. A file that cannot be used changes nothing. Not safe from several threads.
class LiveConfig {
 public:
  // `say` gets a line for everything that was read again, or could not be. `options` are those that
  // the server was made with. `give_up` ends waiting for models.
  LiveConfig(Server& server, const ServerFlags& flags, const ServerOptions& options,
             std::function<void(const std::string&)> say, std::function<bool()> give_up = {});

  // Reads again what has changed. To be called now and then; looks at a file once a second, at that
  // of models as often as its flag says.
  void look();
  // Reads everything again, whether it has changed or not.
  void read_all();

 private:
  struct Followed {
    const char* what;
    std::string path;
    std::int64_t interval_nanos;  // 0: only when all is read
    std::function<void()> read;
    std::string seen;  // which state of the file was read
    std::int64_t looked = 0;
  };
  void follow(const char* what, const std::string& path, std::function<void()> read,
              std::int64_t interval_seconds = 1);
  void read(Followed& file);

  const std::function<void(const std::string&)> say_;
  std::vector<Followed> files_;
};

}  // namespace rill::serve
