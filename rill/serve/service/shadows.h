#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "rill/serve/config/model_settings.h"
#include "rill/serve/metrics/metrics.h"
#include "rill/serve/model/requests.h"
#include "rill/serve/service/server_core.h"

namespace rill::serve {

// Requests that are asked of another model too, on threads of their own: nobody waits for them, and
// when too many are on their way, more are lost. Safe from several threads at once.
class Shadows {
 public:
  // Copies the request; returns at once. What becomes of it is counted with the model that is
  // asked, if there are metrics.
  template <class Request, class Response>
  void ask(ServerCore& core, const serving::Shadow& shadow, Metrics* metrics,
           const Request& request,
           void (*ask)(const ModelServable&, const Request&, Response*, const RequestLimits&,
                       Done)) {
    struct Asked {
      Request request;
      Response response;
    };
    begin(core, shadow, metrics, [&] {
      auto asked = std::make_shared<Asked>(Asked{request, {}});
      return [asked, ask](const ModelServable& model, const RequestLimits& limits, Done done) {
        ask(model, asked->request, &asked->response, limits,
            [asked, done](const auto& error) { done(error); });
      };
    });
  }
  void ask(ServerCore& core, const serving::Shadow& shadow, Metrics* metrics,
           const Question& question);
  void wait();  // until none is on its way

 private:
  using AskModel = std::function<void(const ModelServable&, const RequestLimits&, Done)>;
  void begin(ServerCore& core, const serving::Shadow& shadow, Metrics* metrics,
             const std::function<AskModel()>& copy);
  void end();

  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;  // guarded by mutex_
};

}  // namespace rill::serve
