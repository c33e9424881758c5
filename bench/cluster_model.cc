#include "bench/cluster_model.h"

#include <algorithm>
#include <queue>
#include <random>
#include <vector>

namespace rill::bench {
namespace {

constexpr double kRequestBytes = 300;  // of a call without a tensor, headers included

// A host's cores, each of which does one thing after the other, and its card.
struct Host {
  explicit Host(int cores) : free_at(static_cast<std::size_t>(cores)) {}

  // When work of so long ends that could begin at `now`, on the core that is free first.
  double compute(double now, double micros) {
    const auto core = std::ranges::min_element(free_at);
    *core = std::max(*core, now) + micros;
    core_micros += micros;
    return *core;
  }
  std::vector<double> free_at;
  double core_micros = 0;
  double out_free = 0, in_free = 0, out_micros = 0, in_micros = 0;
};

enum class Stage {
  run,           // the worker asks a server to run its part, and to forget the last step
  pull,          // and for its variables
  values,        // they come
  ask_gradient,  // the server asks for the gradient
  gradient,      // it comes
  ran,           // the server's part has ended
  ask_end,       // the worker waits for the update
  updated,       // which was done
};

struct Event {
  double time;
  int phase;  // 0: comes to the card, 1: to a core, 2: is done
  Stage stage;
  int worker, server;
  bool operator>(const Event& other) const { return time > other.time; }
};

class Run {
 public:
  Run(const ClusterCosts& costs, const ClusterShape& shape, std::uint64_t seed)
      : costs_(costs),
        shape_(shape),
        part_bytes_(shape.model_bytes / shape.servers),
        card_bytes_(costs.card_gigabits * 125),
        chance_(seed) {
    const int tasks = shape.workers + shape.servers;
    hosts_.assign(static_cast<std::size_t>(costs.is_one_machine ? 1 : tasks), Host(costs.cores));
    steps_.resize(static_cast<std::size_t>(shape.workers));
  }

  ClusterFigures run() {
    std::uniform_real_distribution<double> start(0, 1000);
    for (int worker = 0; worker < shape_.workers; ++worker) begin(worker, start(chance_));
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      take(event);
    }
    return figures();
  }

 private:
  struct Step {
    double began = 0;
    int pulled = 0, ran = 0, asked = 0, done = 0;
    bool is_computed = false;
    std::vector<int> waiting;  // servers that have asked for their gradient
  };

  Host& host_of_worker(int worker) {
    return costs_.is_one_machine ? hosts_[0] : hosts_[static_cast<std::size_t>(worker)];
  }
  Host& host_of_server(int server) {
    return costs_.is_one_machine ? hosts_[0]
                                 : hosts_[static_cast<std::size_t>(shape_.workers + server)];
  }
  Step& step(int worker) { return steps_[static_cast<std::size_t>(worker)]; }
  static bool goes_to_server(Stage stage) {
    return stage == Stage::run || stage == Stage::pull || stage == Stage::gradient ||
           stage == Stage::ask_end;
  }
  double bytes_of(Stage stage) const {
    return kRequestBytes + (stage == Stage::values || stage == Stage::gradient ? part_bytes_ : 0.0);
  }
  double core_micros_of(Stage stage) const {
    return costs_.message_micros + bytes_of(stage) * costs_.byte_nanos * 1e-3;
  }

  void send(double now, Stage stage, int worker, int server) {
    const bool to_server = goes_to_server(stage);
    Host& from = to_server ? host_of_worker(worker) : host_of_server(server);
    double sent = from.compute(now, core_micros_of(stage));
    if (card_bytes_ > 0) {
      const double micros = bytes_of(stage) / card_bytes_;
      from.out_free = std::max(from.out_free, sent) + micros;
      from.out_micros += micros;
      sent = from.out_free;
    }
    events_.push({sent + costs_.latency_micros, 0, stage, worker, server});
  }

  void take(Event event) {
    Host& to =
        goes_to_server(event.stage) ? host_of_server(event.server) : host_of_worker(event.worker);
    if (event.phase == 0 && card_bytes_ > 0) {
      const double micros = bytes_of(event.stage) / card_bytes_;
      to.in_free = std::max(event.time, to.in_free + micros);
      to.in_micros += micros;
      event.time = to.in_free;
    }
    if (event.phase == 2) return handle(event);
    if (event.phase == 1) event.time = to.compute(event.time, core_micros_of(event.stage));
    ++event.phase;
    events_.push(event);
  }

  void begin(int worker, double now) {
    Step& s = step(worker);
    const int done = s.done;
    s = {};
    s.done = done;
    s.began = now;
    now = host_of_worker(worker).compute(now, costs_.step_micros);
    for (int server = 0; server < shape_.servers; ++server) {
      send(now, Stage::run, worker, server);
      send(now, Stage::pull, worker, server);
      if (shape_.servers > 1) send(now, Stage::ask_end, worker, server);
    }
  }

  void handle(const Event& e) {
    Step& s = step(e.worker);
    switch (e.stage) {
      case Stage::run:
        return send(e.time, Stage::ask_gradient, e.worker, e.server);
      case Stage::pull:
        return send(e.time, Stage::values, e.worker, e.server);
      case Stage::values:
        if (++s.pulled == shape_.servers) compute(e);
        return;
      case Stage::ask_gradient:
        if (s.is_computed) return send(e.time, Stage::gradient, e.worker, e.server);
        s.waiting.push_back(e.server);
        return;
      case Stage::gradient: {
        const double applied =
            host_of_server(e.server).compute(e.time, part_bytes_ * costs_.apply_byte_nanos * 1e-3);
        send(applied, Stage::ran, e.worker, e.server);
        if (shape_.servers > 1) send(applied, Stage::updated, e.worker, e.server);
        return;
      }
      case Stage::ask_end:
        return;
      case Stage::ran:
      case Stage::updated:
        if (++s.ran == (shape_.servers > 1 ? 2 : 1) * shape_.servers) end(e);
        return;
    }
  }

  void compute(const Event& e) {
    Step& s = step(e.worker);
    const double computed = host_of_worker(e.worker).compute(e.time, shape_.compute_micros);
    s.is_computed = true;
    for (const int server : s.waiting) send(computed, Stage::gradient, e.worker, server);
    s.waiting.clear();
  }

  void end(const Event& e) {
    Step& s = step(e.worker);
    if (s.done > 0) {  // the first one finds everything idle
      taken_micros_ += e.time - s.began;
      ++counted_;
      first_ = std::min(first_, s.began);
      last_ = std::max(last_, e.time);
    }
    if (++s.done < shape_.steps) begin(e.worker, e.time);
  }

  ClusterFigures figures() {
    ClusterFigures all;
    const double span = last_ - first_;
    double whole = 0;
    for (const Host& host : hosts_)
      for (const double free_at : host.free_at) whole = std::max(whole, free_at);
    all.steps_per_second = static_cast<double>(counted_) / span * 1e6;
    all.step_millis = taken_micros_ / static_cast<double>(counted_) / 1e3;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const bool is_worker = static_cast<int>(i) < shape_.workers;
      const double cores = hosts_[i].core_micros / whole / costs_.cores,
                   card = std::max(hosts_[i].in_micros, hosts_[i].out_micros) / whole;
      double& most_cores = is_worker ? all.worker_cores : all.server_cores;
      double& most_card = is_worker ? all.worker_card : all.server_card;
      most_cores = std::max(most_cores, cores);
      most_card = std::max(most_card, card);
    }
    return all;
  }

  const ClusterCosts costs_;
  const ClusterShape shape_;
  const double part_bytes_, card_bytes_;  // of a server; in a microsecond
  std::mt19937_64 chance_;
  std::vector<Host> hosts_;
  std::vector<Step> steps_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double taken_micros_ = 0, first_ = 1e300, last_ = 0;
  std::int64_t counted_ = 0;
};

}  // namespace

ClusterFigures simulate_steps(const ClusterCosts& costs, const ClusterShape& shape,
                              std::uint64_t seed) {
  return Run(costs, shape, seed).run();
}

}  // namespace rill::bench
