#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/error.h"
#include "rill/serve/core/servable.h"
#include "rill/serve/metrics/metric.h"

namespace rill::serve {

enum class Api { kPredict, kClassify, kRegress, kMultiInference, kSessionRun };
enum class Entry { kGrpc, kRest };
inline constexpr std::size_t kApis = 5, kEntryPoints = 2, kCodes = 17;

// Requests of one kind: how they ended, and how long those took that ended well.
struct RequestMetrics {
  std::array<Counter, kCodes> ended;
  Histogram micros;
  Exemplar exemplar;  // of `micros`
  void add(Code code, std::int64_t took_micros);
};
using RequestTable = std::array<std::array<RequestMetrics, kEntryPoints>, kApis>;

// Batches of one model.
struct BatchMetrics {
  Histogram queuing_micros;  // from when a request came until its batch was taken
  Histogram rows{Histogram::Scale::kSizes}, padding{Histogram::Scale::kSizes};
  Counter batches;
};

// Of one model, whatever its version.
struct ModelMetrics {
  explicit ModelMetrics(std::string given) : name(std::move(given)) {}
  const std::string name;
  RequestTable requests;
  std::array<Histogram, kApis> runtime_micros;
  Histogram examples{Histogram::Scale::kSizes};  // of classification and regression
  Counter logged, logs_lost;
  BatchMetrics batching;
  Counter queued;     // requests that wait for their turn now
  Counter refused;    // because there was more to do than can be done
  Counter cancelled;  // steps for which nobody waited any more
  Counter cache_hits, cache_misses;
  Counter shadows_good, shadows_bad, shadows_lost;  // requests that were asked of another too
};

// Of one version, signature by signature. Goes with the version.
struct VersionMetrics {
  VersionMetrics(ServableId given, ModelMetrics& given_model,
                 const std::vector<std::string>& signature_names);
  // Those that the model does not have are one.
  RequestTable& signature(const std::string& name);

  const ServableId id;
  ModelMetrics& model;
  std::map<std::string, RequestTable> signatures;
};

// "INVALID_ARGUMENT" of kInvalidArgument.
std::string upper_code_name(Code code);

// What is counted, under TensorFlow Serving's names. Who counts finds the place once and then adds
// to it without locks. There are as many places as models and versions, not as clients think of.
// Safe from several threads at once.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  // Stays as long as this does. Beyond the first thousand models all are one.
  ModelMetrics& model(const std::string& name);
  // Of requests for what is not served here.
  ModelMetrics& unknown_model() { return unknown_; }
  std::shared_ptr<VersionMetrics> version(const ServableId& id,
                                          const std::vector<std::string>& signature_names);
  BatchMetrics& batching(const std::string& model_name) { return model(model_name).batching; }
  Counter log_lines_lost, spans_sent, spans_lost;
  Counter& in_flight(Entry entry) { return in_flight_[static_cast<std::size_t>(entry)]; }

  // What became of a version.
  void on_status(const ServableId& id, const VersionStatus& status);

  // A connection was ended for what it did, or did not do. There are as many reasons as the code
  // has.
  void on_connection_end(Entry entry, const char* reason);

  // Everything in Prometheus' text form, or in that of OpenMetrics, which has exemplars.
  std::string prometheus(bool open_metrics = false) const;

 private:
  struct Loads {
    std::int64_t good = 0, bad = 0, unloads = 0;
  };
  struct Snapshot;
  Snapshot snapshot() const;

  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ModelMetrics>> models_;
  std::vector<std::weak_ptr<VersionMetrics>> versions_;
  std::map<ServableId, State> states_;
  std::map<std::string, Loads> loads_;
  std::map<std::pair<Entry, std::string>, std::int64_t> connection_ends_;
  ModelMetrics unknown_, other_;
  std::array<Counter, kEntryPoints> in_flight_;
};

}  // namespace rill::serve
