#include "rill/board/log/log_store.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/log.h"

namespace rill::board {
namespace {

constexpr std::int64_t kPatienceNanos = 25'000'000'000;  // of who waits for news
constexpr std::int64_t kTellNanos = 150'000'000;         // between news while much is being read

}  // namespace

LogStore::LogStore(Options options)
    : options_(std::move(options)),
      runs_(std::make_shared<const std::vector<std::shared_ptr<Run>>>()) {
  if (!options_.follows)
    look();
  else
    thread_ = std::jthread([this](const std::stop_token& stop) { keep_looking(stop); });
}

LogStore::~LogStore() { stop(); }

void LogStore::stop() {
  is_stopping_ = true;
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  note_change();
}

LogStore::Runs LogStore::runs() const {
  const std::lock_guard lock(mutex_);
  return {runs_->begin(), runs_->end()};
}

std::shared_ptr<const Run> LogStore::run(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::lower_bound(
      *runs_, name, {}, [](const auto& run) { return std::string_view(run->name()); });
  return found != runs_->end() && (*found)->name() == name ? *found : nullptr;
}

std::uint64_t LogStore::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

bool LogStore::is_loaded() const {
  const std::lock_guard lock(mutex_);
  return is_loaded_;
}

void LogStore::wait_until_loaded() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_loaded_; });
}

void LogStore::on_change(std::uint64_t known, std::function<void(std::uint64_t)> tell) {
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    if (version_ == known && !has_ended_) {
      waiting_.push_back({monotonic_nanos() + kPatienceNanos, std::move(tell)});
      return;
    }
    version = version_;
  }
  tell(version);
}

void LogStore::note_change() {
  std::vector<Waiting> told;
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    version = ++version_;
    told.swap(waiting_);
  }
  changed_.notify_all();
  for (const Waiting& one : told) one.tell(version);
}

void LogStore::tell_patient() {
  std::vector<Waiting> told;
  const std::int64_t now = monotonic_nanos();
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    version = version_;
    const auto rest =
        std::ranges::partition(waiting_, [&](const Waiting& one) { return one.until > now; });
    std::ranges::move(rest, std::back_inserter(told));
    waiting_.erase(rest.begin(), rest.end());
  }
  for (const Waiting& one : told) one.tell(version);
}

void LogStore::keep_looking(const std::stop_token& stop) {
  std::condition_variable_any pause;
  std::mutex mutex;
  while (!stop.stop_requested()) {
    const std::int64_t start = monotonic_nanos();
    try {
      look();
    } catch (const std::exception& error) {  // no memory, perhaps: what is there stays
      log(LogLevel::kWarning, "rill board: ", error.what());
    }
    tell_patient();
    const double took = 1e-9 * static_cast<double>(monotonic_nanos() - start);
    std::unique_lock lock(mutex);
    pause.wait_for(
        lock, stop,
        std::chrono::duration<double>(std::max(options_.reload_seconds, std::min(4 * took, 30.0))),
        [] { return false; });
  }
}

void LogStore::look() {
  std::vector<FoundRun> found = find_runs(options_.directories);
  std::ranges::stable_sort(found, {}, &FoundRun::name);
  // Several directories may have runs of one name: the first counts.
  const auto twins = std::ranges::unique(found, {}, &FoundRun::name);
  found.erase(twins.begin(), twins.end());
  auto runs = std::make_shared<std::vector<std::shared_ptr<Run>>>();
  bool is_other = false;
  {
    const std::lock_guard lock(mutex_);
    auto known = runs_->begin();
    for (const FoundRun& one : found) {
      while (known != runs_->end() && (*known)->name() < one.name) ++known;
      const bool is_known = known != runs_->end() && (*known)->name() == one.name &&
                            (*known)->directory() == one.directory;
      is_other |= !is_known;
      runs->push_back(is_known ? *known : std::make_shared<Run>(one.name, one.directory));
    }
    is_other |= runs->size() != runs_->size();
    runs_ = runs;
  }
  if (is_other) note_change();
  read_runs(found);
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_loaded_, true)) {
    ++version_;
    changed_.notify_all();
  }
}

void LogStore::read_runs(const std::vector<FoundRun>& found) {
  std::shared_ptr<const std::vector<std::shared_ptr<Run>>> runs;
  {
    const std::lock_guard lock(mutex_);
    runs = runs_;
  }
  std::vector<std::size_t> stale;
  for (std::size_t i = 0; i < found.size(); ++i)
    if ((*runs)[i]->is_stale(found[i].files)) stale.push_back(i);
  if (stale.empty()) return;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::int64_t> told = monotonic_nanos();
  std::atomic<bool> is_news = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < stale.size(); i = next++) {
      if (is_stopping_) return;
      if ((*runs)[stale[i]]->follow(found[stale[i]].files)) is_news = true;
      const std::int64_t now = monotonic_nanos();
      std::int64_t last = told;
      if (now - last > kTellNanos && told.compare_exchange_strong(last, now) &&
          is_news.exchange(false))
        note_change();
    }
  };
  const auto wanted = options_.threads > 0 ? static_cast<unsigned>(options_.threads)
                                           : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(wanted, stale.size()); ++i)
    others.emplace_back(work);
  work();
  others.clear();
  if (is_news) note_change();
}

}  // namespace rill::board
