#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "rill_serving/serving_options.pb.h"

namespace rill::serve {

using AllModelSettings = std::map<std::string, serving::ModelOptions>;  // by name

// What is set for single models beyond TensorFlow Serving's configuration. May be replaced while
// requests come. Safe from several threads at once.
class ModelSettings {
 public:
  // Throws InvalidArgument for names that are missing or there twice, and for what is no number of
  // its kind.
  void set(const serving::ServingOptions& options);

  std::shared_ptr<const AllModelSettings> all() const;
  // Of one model, or what there is without any.
  serving::ModelOptions of(const std::string& name) const;

  // The version that a request which names none is for, if it is the canary's turn; and the one
  // that the others are not for.
  struct Canary {
    std::int64_t version = 0;
    bool is_its_turn = false;
  };
  std::optional<Canary> canary(const std::string& name);
  // Who is asked too, if it is a shadow's turn.
  std::optional<serving::Shadow> shadow(const std::string& name);

 private:
  // Takes turns evenly, whatever pattern requests come in.
  class Share {
   public:
    explicit Share(double percent);
    bool next() { return all_ || next_.fetch_add(1, std::memory_order_relaxed) * kGolden < most_; }

   private:
    // Multiples of the golden ratio, as parts of 2^64, lie evenly.
    static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
    const std::uint64_t most_;
    const bool all_;
    std::atomic<std::uint64_t> next_ = 0;
  };
  struct Current {
    AllModelSettings settings;
    std::map<std::string, Share, std::less<>> canaries, shadows;
  };
  std::shared_ptr<Current> current() const;

  std::atomic<bool> is_empty_ = true;  // for requests, which seldom meet anything else
  mutable std::mutex mutex_;
  std::shared_ptr<Current> current_ = std::make_shared<Current>();  // guarded by mutex_
};

}  // namespace rill::serve
