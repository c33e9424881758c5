#pragma once

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "rill/cluster/simulation/simulated_network.h"
#include "rill/net/grpc/rpc_call.h"

namespace rill::cluster {

// A call over a simulated network, as its caller sees it.
class SimulatedCall final : public net::PendingCall,
                            public std::enable_shared_from_this<SimulatedCall> {
 public:
  struct Wanted {
    std::string address, method, body;
    Link::Read read;
    CallOptions options;
    Done done;
  };
  SimulatedCall(SimulatedNetwork& network, Wanted wanted);

  void start();
  void cancel() override;

 private:
  friend class SimulatedNetwork;
  class Answering;  // as who answers sees it

  void connect();
  void send_request(const SimulatedNetwork::Listener& listener);
  void arrive(const std::shared_ptr<const net::RpcMethods>& methods);
  void answer(Code code, std::string message, std::string bytes);  // from the other side
  void end(Code code, std::string message, std::string bytes);
  void give_up(Code code, const char* why);
  void tell_that_it_is_over();

  SimulatedNetwork& network_;
  const std::uint64_t id_;
  const SimulatedNetwork::Process from_;
  SimulatedNetwork::Process to_ = 0;  // 0: not sent yet
  Wanted wanted_;
  std::int64_t deadline_nanos_ = 0;
  std::shared_ptr<bool> is_gone_ = std::make_shared<bool>(false);  // as the other side knows
  bool is_over_ = false;
  bool is_broken_ = false;  // its connection is: nothing comes over it any more
};

}  // namespace rill::cluster
