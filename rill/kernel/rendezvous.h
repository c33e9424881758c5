#pragma once

#include <exception>
#include <functional>
#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// Where Send meets Recv. A dead value tells the receiver that its branch was not taken.
class Rendezvous {
 public:
  using Receive = std::function<void(std::exception_ptr error, Tensor value, bool is_dead)>;
  virtual ~Rendezvous() = default;
  virtual void send(const std::string& key, Tensor value, bool is_dead) = 0;
  virtual void receive(const std::string& key, Receive done) = 0;
  virtual void abort(std::exception_ptr error) = 0;  // every waiting and later receive fails
};

}  // namespace rill
