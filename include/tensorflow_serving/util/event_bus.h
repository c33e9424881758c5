#ifndef TENSORFLOW_SERVING_UTIL_EVENT_BUS_H_
#define TENSORFLOW_SERVING_UTIL_EVENT_BUS_H_

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/macros.h"

namespace tensorflow {
namespace serving {

// Brings events to whoever has subscribed, one at a time, on the thread that publishes them. What
// is called back may neither publish nor subscribe.
template <typename E>
class EventBus : public std::enable_shared_from_this<EventBus<E>> {
 public:
  struct EventAndTime {
    const E& event;
    uint64 event_time_micros;
  };
  typedef std::function<void(const EventAndTime&)> Callback;

  // Ends with it.
  class Subscription {
   public:
    explicit Subscription(std::weak_ptr<EventBus<E>> bus) : bus_(std::move(bus)) {}
    ~Subscription() {
      if (std::shared_ptr<EventBus<E>> bus = bus_.lock()) bus->Unsubscribe(this);
    }

   private:
    std::weak_ptr<EventBus<E>> bus_;
    TF_DISALLOW_COPY_AND_ASSIGN(Subscription);
  };

  struct Options {
    Env* env = Env::Default();
  };
  static std::shared_ptr<EventBus> CreateEventBus(const Options& options = Options()) {
    return std::shared_ptr<EventBus>(new EventBus(options));
  }
  ~EventBus() = default;

  std::unique_ptr<Subscription> Subscribe(const Callback& callback) TF_MUST_USE_RESULT {
    std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<Subscription> subscription(new Subscription(this->shared_from_this()));
    subscribers_.push_back(Subscriber{subscription.get(), callback});
    return subscription;
  }
  void Publish(const E& event) {
    std::lock_guard<std::mutex> lock(mutex_);
    const EventAndTime told = {event, env_->NowMicros()};
    for (const Subscriber& subscriber : subscribers_) subscriber.callback(told);
  }

 private:
  struct Subscriber {
    const Subscription* subscription;
    Callback callback;
  };
  explicit EventBus(const Options& options) : env_(options.env) {}
  void Unsubscribe(const Subscription* subscription) {
    std::lock_guard<std::mutex> lock(mutex_);
    subscribers_.erase(
        std::remove_if(subscribers_.begin(), subscribers_.end(),
                       [&](const Subscriber& one) { return one.subscription == subscription; }),
        subscribers_.end());
  }

  Env* const env_;
  std::mutex mutex_;
  std::vector<Subscriber> subscribers_;
  TF_DISALLOW_COPY_AND_ASSIGN(EventBus);
};

}  // namespace serving
}  // namespace tensorflow

#endif
