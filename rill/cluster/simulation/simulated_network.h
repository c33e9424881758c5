#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rill/base/simulated_threads.h"
#include "rill/cluster/service.h"

namespace rill::cluster {

class SimulatedCall;

// How a network treats messages.
struct Weather {
  std::int64_t least_delay_nanos = 50'000, most_delay_nanos = 2'000'000;
  double slow = 0.01;  // of messages; they take up to so long
  std::int64_t slow_nanos = 1'500'000'000;
  double broken = 0;               // of messages; they find that their connection has ended
  double reset_when_healed = 0.3;  // of what a cut held back
};

// What a task's measures are worth where they fail: faults that a simulation must find.
struct PlantedFaults {
  std::set<std::string> dropped_methods;  // "CleanupGraph": never sent, answered well
  std::set<std::string> doubled_methods;  // sent twice
  bool no_timeouts = false;               // of calls
  bool no_departures = false;             // who has left is never noticed
  bool wrong_errors = false;              // Unavailable is said as Internal
  // What arrives in place of a request's bytes.
  std::function<std::string(const std::string& method, const std::string& body)> rewrite;
};

// A network of simulated processes. Messages between two processes arrive in the order in which
// they were sent, as on one connection, after delays of chance; hosts can be cut off from each
// other in one direction; processes end, and who called them hears of it, or not.
class SimulatedNetwork final : public Network {
 public:
  using Process = SimulatedThreads::Process;

  SimulatedNetwork(SimulatedThreads& threads, Weather weather);
  ~SimulatedNetwork();
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;

  void place(Process process, std::string host);
  // Its own process reaches it without the network.
  void listen(Process process, const std::string& address,
              const std::shared_ptr<const Service>& service);
  // The process is gone. `silently`: its machine is, and says nothing to those who wait for it.
  void end(Process process, bool silently);
  bool has_ended(Process process) const { return ended_.contains(process); }

  void cut(const std::string& from, const std::string& to);  // messages wait until it is healed
  void heal();                                               // all cuts
  void break_connections(const std::string& one, const std::string& other);

  std::shared_ptr<Link> link_to(const std::string& address) override;
  std::size_t calls_under_way() const { return calls_.size(); }
  std::size_t messages() const { return messages_; }
  SimulatedThreads& threads() const { return threads_; }

  PlantedFaults planted;

 private:
  friend class SimulatedCall;
  using Hosts = std::pair<std::string, std::string>;
  using Deliver = std::function<void()>;
  struct Message {
    Process from, to;
    Deliver deliver, lost;  // `lost` may be empty
  };
  struct Listener {
    Process process;
    std::shared_ptr<const net::RpcMethods> methods;
    std::weak_ptr<const Service> service;
  };

  void send(Message message);
  void forward(Message message);
  bool is_cut(Process from, Process to) const;
  std::int64_t delay();
  const Listener* listener(const std::string& address) const;

  SimulatedThreads& threads_;
  const Weather weather_;
  std::map<Process, std::string> hosts_;
  std::map<std::string, Listener> listeners_;  // by address
  std::set<Process> ended_, vanished_;         // vanished: and their hosts say nothing
  std::set<Hosts> cuts_;
  std::map<Hosts, std::deque<Message>> held_;
  std::map<std::pair<Process, Process>, std::int64_t> last_arrival_;
  std::map<std::uint64_t, std::shared_ptr<SimulatedCall>> calls_;
  std::uint64_t next_call_ = 1;
  std::size_t messages_ = 0;
};

}  // namespace rill::cluster
