#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSdcaCases{
    "sdca", [] {
      std::vector<OpCase> rows;
      // A single example: the order of several is random.
      const auto add = [&](const char* op, const char* loss, float label, float dual, float l1,
                           std::int64_t partitions) {
        const Tensor ids = tensor<std::int64_t>({2}, {5, 9});
        rows.push_back(
            {.op = op,
             .in = {list({tensor<std::int64_t>({2}, {0, 0})}), list({ids}),
                    list({tensor<float>({2}, {1, 0.5})}), list({tensor<float>({1, 2}, {1, 0.5})}),
                    tensor<float>({1}, {2}), tensor<float>({1}, {label}), list({ids}),
                    list({tensor<float>({1, 2}, {0.1, 0.2})}),
                    list({tensor<float>({1, 2}, {0.3, -0.1})}),
                    tensor<float>({1, 4}, {dual, 0, 0, 0})},
             .attrs = {{"loss_type", std::string(loss)},
                       {"l1", l1},
                       {"l2", 0.5F},
                       {"num_loss_partitions", partitions},
                       {"num_inner_iterations", std::int64_t{1}}}});
      };
      for (const char* loss :
           {"logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"})
        for (const char* op : {"SdcaOptimizer", "SdcaOptimizerV2"}) {
          add(op, loss, 1, 0.1F, 0, 1);
          add(op, loss, 0, -0.05F, 0.1F, 3);
        }
      rows.push_back(
          {.op = "SdcaFprint",
           .in = {strings({4}, {"", "abc", "hello world, hello",
                                "a longer one, of more "
                                "than sixty-four bytes, so that the loop runs twice"})}});
      add_graphs(rows, {"SdcaShrinkL1"}, R"(
        v = Variable(dtype=float, shape=[3])
        Assign(v, [1.0 -0.25 -2.0])
        case = $OP((v), l1=0.5, l2=1.0)
        fetch v)");
      return rows;
    }};

}  // namespace rill
