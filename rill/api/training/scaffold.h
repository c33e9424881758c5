#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rill/api/saver/saver.h"
#include "rill/api/train/queue_runner.h"

namespace rill::train {

class Scaffold;

struct ScaffoldOptions {
  Runnable init_op = {};
  std::vector<Feed> init_feed_dict = {};
  // Runs after init_op.
  std::function<void(const Scaffold&, Session&)> init_fn = {};
  Output ready_op = {}, ready_for_local_init_op = {};  // names of what is not initialised yet
  Runnable local_init_op = {};
  std::vector<Feed> local_init_feed_dict = {};
  Output summary_op = {};
  std::shared_ptr<Saver> saver = {};
};

// The operations that training needs besides those of the model. What the program does not give is
// looked for in the graph's collections, else made, by finalize().
class Scaffold {
 public:
  explicit Scaffold(ScaffoldOptions options = {}, const Scaffold* copy_from = nullptr);
  virtual ~Scaffold() = default;

  // Completes the parts and finalises the default graph.
  virtual Scaffold& finalize();

  const ScaffoldOptions& parts() const { return parts_; }
  Runnable init_op() const { return parts_.init_op; }
  Output ready_op() const { return parts_.ready_op; }
  Output ready_for_local_init_op() const { return parts_.ready_for_local_init_op; }
  Runnable local_init_op() const { return parts_.local_init_op; }
  Output summary_op() const { return parts_.summary_op; }
  const std::shared_ptr<Saver>& saver() const { return parts_.saver; }

  // Variables of this process, tables and what else is made anew for every session.
  static Node& default_local_init_op();

 protected:
  ScaffoldOptions parts_;
};
using ScaffoldRef = std::shared_ptr<Scaffold>;

}  // namespace rill::train
