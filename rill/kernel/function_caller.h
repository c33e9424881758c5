#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/tensor/tensor.h"

namespace rill {

// Calls functions of the graph's library; what If, While and PartitionedCall stand on.
class FunctionCaller {
 public:
  using Done = std::function<void(std::exception_ptr error, std::vector<Tensor> results)>;
  virtual ~FunctionCaller() = default;
  virtual void call(const FuncName& function, std::vector<Tensor> arguments, Done done) = 0;
};

}  // namespace rill
