#include "rill/api/rnn/linear.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/products.h"
#include "rill/api/variables/get_variable.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {

Output linear(const std::vector<Output>& x, std::int64_t size,
              const nn::rnn_cell::Activation& activation) {
  require(!x.empty(), "linear needs a tensor");
  std::int64_t depth = 0;
  for (const Output& part : x) {
    require(part.shape().rank() == 2 && part.shape()[1] >= 0,
            "linear expects shape[1] to be provided for shape ", to_text(part.shape()));
    depth += part.shape()[1];
  }
  const DType dtype = base_type(x[0].dtype());
  const Variable kernel = get_variable("kernel", {depth, size}, {.dtype = dtype});
  const Output all = x.size() == 1 ? x[0] : concat({x.begin(), x.end()}, 1);
  const Output product = matmul(all, kernel);
  const Variable bias =
      get_variable("bias", {size}, {.dtype = dtype, .initializer = zeros_initializer()});
  const Output sum = raw::BiasAdd(product, bias);
  return activation ? activation(sum) : sum;
}

}  // namespace rill::contrib::rnn
