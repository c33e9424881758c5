#include "rill/serve/model/response_cache.h"

#include <algorithm>
#include <string_view>

namespace rill::serve {
namespace {

constexpr std::int64_t kBytesOfAnswer = 256;  // beside its tensors

std::string_view bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.raw_data()), tensor.byte_size()};
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  return (hash ^ value) * kOdd + (hash >> 29);
}

std::uint64_t hash_of(const CompiledStepRef& step, const std::vector<Tensor>& feeds) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(step.get());
  const auto add = [&](std::string_view bytes) {
    hash = mixed(hash, std::hash<std::string_view>()(bytes));
  };
  for (const Tensor& feed : feeds) {
    hash = mixed(hash, static_cast<std::uint64_t>(feed.dtype()));
    for (const std::int64_t dim : feed.shape().dims())
      hash = mixed(hash, static_cast<std::uint64_t>(dim));
    if (feed.dtype() == DType::string)
      for (const std::string& text : feed.flat<std::string>()) add(text);
    else
      add(bytes_of(feed));
  }
  return hash;
}

// Bit by bit: zeros of two signs, and two NaNs, are not the same.
bool is_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() != DType::string) return bytes_of(a) == bytes_of(b);
  return std::ranges::equal(a.flat<std::string>(), b.flat<std::string>());
}

std::int64_t size_of(const std::vector<Tensor>& tensors) {
  std::size_t bytes = 0;
  for (const Tensor& tensor : tensors) {
    bytes += tensor.byte_size();
    if (tensor.dtype() == DType::string)
      for (const std::string& text : tensor.flat<std::string>()) bytes += text.size();
  }
  return static_cast<std::int64_t>(bytes);
}

// Values of other kinds have no bytes that say what they are.
bool can_be_kept(const std::vector<Tensor>& tensors) {
  return std::ranges::none_of(tensors, [](const Tensor& tensor) {
    return tensor.dtype() == DType::resource || tensor.dtype() == DType::variant;
  });
}

class CachingRunner : public StepRunner {
 public:
  CachingRunner(std::unique_ptr<StepRunner> inside, std::int64_t max_bytes, ModelMetrics* metrics)
      : inside_(std::move(inside)), cache_(std::make_shared<ResponseCache>(max_bytes, metrics)) {}

  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    std::vector<Tensor> values;
    if (!can_be_kept(feeds)) return inside_->run(step, std::move(feeds), limits, std::move(done));
    if (cache_->find(step, feeds, &values)) return done(std::move(values), {});
    inside_->run(step, feeds, limits,
                 [cache = cache_, step, feeds, done = std::move(done)](std::vector<Tensor> results,
                                                                       std::optional<Error> error) {
                   if (!error && can_be_kept(results)) cache->keep(step, feeds, results);
                   done(std::move(results), std::move(error));
                 });
  }

 private:
  const std::unique_ptr<StepRunner> inside_;
  const std::shared_ptr<ResponseCache> cache_;
};

}  // namespace

ResponseCache::Answers::iterator ResponseCache::place_of(std::uint64_t hash,
                                                         const CompiledStepRef& step,
                                                         const std::vector<Tensor>& feeds) {
  const auto [from, to] = places_.equal_range(hash);
  const auto found = std::find_if(from, to, [&](const auto& place) {
    return place.second->step == step && std::ranges::equal(place.second->feeds, feeds, is_same);
  });
  return found == to ? answers_.end() : found->second;
}

bool ResponseCache::find(const CompiledStepRef& step, const std::vector<Tensor>& feeds,
                         std::vector<Tensor>* values) {
  const std::uint64_t hash = hash_of(step, feeds);
  const std::lock_guard lock(mutex_);
  const auto place = place_of(hash, step, feeds);
  const bool is_there = place != answers_.end();
  if (metrics_ != nullptr) (is_there ? metrics_->cache_hits : metrics_->cache_misses).add();
  if (!is_there) return false;
  answers_.splice(answers_.begin(), answers_, place);
  *values = place->values;
  return true;
}

void ResponseCache::forget(Answers::iterator answer) {
  const auto [from, to] = places_.equal_range(answer->hash);
  places_.erase(std::find_if(from, to, [&](const auto& place) { return place.second == answer; }));
  bytes_ -= answer->bytes;
  answers_.erase(answer);
}

void ResponseCache::keep(const CompiledStepRef& step, const std::vector<Tensor>& feeds,
                         const std::vector<Tensor>& values) {
  const std::int64_t bytes = size_of(feeds) + size_of(values) + kBytesOfAnswer;
  if (bytes > max_bytes_) return;
  // Feeds may lie in the bytes of a request, and results be slices of a batch's.
  const auto copied = [](const std::vector<Tensor>& tensors) {
    std::vector<Tensor> own;
    for (const Tensor& tensor : tensors) own.push_back(tensor.clone());
    return own;
  };
  Answer answer{step, copied(feeds), copied(values), hash_of(step, feeds), bytes};
  const std::lock_guard lock(mutex_);
  if (place_of(answer.hash, step, feeds) != answers_.end()) return;
  while (bytes_ + bytes > max_bytes_) forget(std::prev(answers_.end()));
  bytes_ += bytes;
  answers_.push_front(std::move(answer));
  places_.emplace(answers_.front().hash, answers_.begin());
}

std::int64_t ResponseCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::unique_ptr<StepRunner> caching_runner(std::unique_ptr<StepRunner> inside,
                                           std::int64_t max_bytes, ModelMetrics* metrics) {
  return std::make_unique<CachingRunner>(std::move(inside), max_bytes, metrics);
}

}  // namespace rill::serve
