#include "rill/cluster/simulation/simulated_network.h"

#include <algorithm>

#include "rill/cluster/simulation/simulated_call.h"

namespace rill::cluster {
namespace {

// After so long a server notices a client whose machine is gone: kept in step with Server's.
constexpr std::int64_t kNoticeNanos = 40'000'000'000;

class SimulatedLink final : public Link {
 public:
  SimulatedLink(SimulatedNetwork& network, std::string address)
      : network_(network), address_(std::move(address)) {}

  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request,
                                         MutableMessageRef response, const CallOptions& options,
                                         Done done) override {
    const auto read = [response](google::protobuf::io::ZeroCopyInputStream& bytes) {
      return response->ParseFromZeroCopyStream(&bytes);
    };
    return call(method, std::move(request), Read(read), options, std::move(done));
  }
  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request, Read read,
                                         const CallOptions& options, Done done) override {
    const auto call = std::make_shared<SimulatedCall>(
        network_, SimulatedCall::Wanted{address_, method, request->SerializeAsString(),
                                        std::move(read), options, std::move(done)});
    call->start();
    return call;
  }
  const std::string& address() const override { return address_; }

 private:
  SimulatedNetwork& network_;
  const std::string address_;
};

}  // namespace

SimulatedNetwork::SimulatedNetwork(SimulatedThreads& threads, Weather weather)
    : threads_(threads), weather_(weather) {
  stand_in_for_network(this);
}

SimulatedNetwork::~SimulatedNetwork() { stand_in_for_network(nullptr); }

std::shared_ptr<Link> SimulatedNetwork::link_to(const std::string& address) {
  const auto own = listeners_.find(address);
  if (own != listeners_.end() && own->second.process == threads_.process())
    return cluster::link_to(address, own->second.service);
  return std::make_shared<SimulatedLink>(*this, address);
}

// --- processes -----------------------------------------------------------------------------------

void SimulatedNetwork::place(Process process, std::string host) {
  hosts_[process] = std::move(host);
}

// What was sent to the machine while it was gone finds that nobody knows of it.
void SimulatedNetwork::listen(Process process, const std::string& address,
                              const std::shared_ptr<const Service>& service) {
  listeners_[address] = {process, std::make_shared<const net::RpcMethods>(service->methods()),
                         service};
  const std::string host = hosts_[process];
  std::erase_if(vanished_, [&](Process gone) { return hosts_[gone] == host; });
  for (auto& [hosts, messages] : held_)
    if (hosts.second == host && !cuts_.contains(hosts)) {
      const std::deque<Message> all = std::exchange(messages, {});
      for (const Message& message : all) forward(message);
    }
}

const SimulatedNetwork::Listener* SimulatedNetwork::listener(const std::string& address) const {
  const auto it = listeners_.find(address);
  // Who does not know that the machine is gone sends to it as before.
  if (it == listeners_.end()) return nullptr;
  return ended_.contains(it->second.process) && !vanished_.contains(it->second.process)
             ? nullptr
             : &it->second;
}

void SimulatedNetwork::end(Process process, bool silently) {
  ended_.insert(process);
  if (silently) vanished_.insert(process);
  const auto calls = calls_;
  for (const auto& [id, call] : calls) {
    if (call->from_ == process) {
      if (call->to_ != 0 && !planted.no_departures) {
        const auto noticed = [gone = call->is_gone_] { *gone = true; };
        threads_.start_at(threads_.now_nanos() + (silently ? kNoticeNanos : delay()), call->to_,
                          noticed);
      }
      call->end(Code::kCancelled, "The process has ended", {});
    } else if (call->to_ == process && !silently) {
      const auto closed = [call] { call->give_up(Code::kUnavailable, "Socket closed"); };
      forward({process, call->from_, closed, {}});
    }
  }
}

// --- messages ------------------------------------------------------------------------------------

std::int64_t SimulatedNetwork::delay() {
  const auto chance = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(threads_.below(static_cast<std::uint64_t>(bound)));
  };
  if (threads_.happens(weather_.slow)) return chance(weather_.slow_nanos);
  return weather_.least_delay_nanos +
         chance(weather_.most_delay_nanos - weather_.least_delay_nanos + 1);
}

bool SimulatedNetwork::is_cut(Process from, Process to) const {
  return cuts_.contains({hosts_.at(from), hosts_.at(to)}) || vanished_.contains(to);
}

// What an ended process says is heard by nobody.
void SimulatedNetwork::send(Message message) {
  ++messages_;
  if (has_ended(message.from)) return;
  if (message.lost && threads_.happens(weather_.broken))
    return break_connections(hosts_.at(message.from), hosts_.at(message.to));
  const Hosts hosts{hosts_.at(message.from), hosts_.at(message.to)};
  if (is_cut(message.from, message.to) || !held_[hosts].empty()) {
    held_[hosts].push_back(std::move(message));
    return;
  }
  forward(std::move(message));
}

void SimulatedNetwork::forward(Message message) {
  std::int64_t& last = last_arrival_[{message.from, message.to}];
  last = std::max(last + 1, threads_.now_nanos() + delay());
  const Process to = message.to;
  threads_.start_at(last, to, [this, message = std::move(message)] {
    if (!has_ended(message.to)) return message.deliver();
    if (vanished_.contains(message.to)) {
      held_[{hosts_.at(message.from), hosts_.at(message.to)}].push_back(message);
      return;
    }
    // The machine answers that it knows of no such connection.
    if (message.lost) threads_.start_at(threads_.now_nanos() + delay(), message.from, message.lost);
  });
}

void SimulatedNetwork::cut(const std::string& from, const std::string& to) {
  cuts_.emplace(from, to);
}

void SimulatedNetwork::heal() {
  const std::set<Hosts> healed = std::exchange(cuts_, {});
  for (const Hosts& hosts : healed) {
    if (threads_.happens(weather_.reset_when_healed)) {
      break_connections(hosts.first, hosts.second);
      continue;
    }
    const std::deque<Message> all = std::exchange(held_[hosts], {});
    for (const Message& message : all) send(message);
  }
}

// Whoever waits for the other side is told that it cannot be reached; what was under way is lost.
void SimulatedNetwork::break_connections(const std::string& one, const std::string& other) {
  held_.erase({one, other});
  held_.erase({other, one});
  const auto calls = calls_;
  for (const auto& [id, call] : calls) {
    if (call->to_ == 0) continue;
    const std::string &from = hosts_.at(call->from_), &to = hosts_.at(call->to_);
    if ((from != one || to != other) && (from != other || to != one)) continue;
    call->is_broken_ = true;
    if (!planted.no_departures) *call->is_gone_ = true;
    threads_.start_at(threads_.now_nanos() + delay(), call->from_,
                      [call] { call->give_up(Code::kUnavailable, "Connection reset by peer"); });
  }
}

}  // namespace rill::cluster
