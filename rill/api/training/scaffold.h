#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/saver/saver.h"
#include "rill/api/train/queue_runner.h"

namespace rill::train {

// What a session is restored with: a Saver, or what another language has for one.
struct Restorer {
  Restorer() = default;
  Restorer(std::shared_ptr<Saver> saver);

  explicit operator bool() const { return restore != nullptr; }

  std::function<void(Session&, const std::string& path)> restore = {};
  std::function<void(const std::vector<std::string>& paths)> recover_last_checkpoints = {};
};

class Scaffold;

// init_op: runs where no checkpoint was restored, at the chief only. local_init_op:
// for what every session has of its own (local variables, tables); runs in all of them.
// ready_for_local_init_op: what must be initialised before local_init_op may run.
struct ScaffoldOptions {
  Runnable init_op = {};
  std::vector<Feed> init_feed_dict = {};
  // Runs after init_op.
  std::function<void(const Scaffold&, Session&)> init_fn = {};
  Runnable ready_op = {}, ready_for_local_init_op = {};  // names of what is not initialised yet
  Runnable local_init_op = {};
  std::vector<Feed> local_init_feed_dict = {};
  Output summary_op = {};
  std::shared_ptr<Saver> saver = {};
  Restorer restorer = {};  // none: the saver
};

// The operations that training needs besides those of the model. What the program does not give is
// looked for in the graph's collections, else made, by finalize().
class Scaffold {
 public:
  // What is not given is taken from `copy_from`.
  explicit Scaffold(ScaffoldOptions options = {}, const Scaffold* copy_from = nullptr);
  virtual ~Scaffold() = default;

  // Completes the parts and finalises the default graph. Throws Misuse where a collection holds
  // several of a kind.
  virtual Scaffold& finalize();

  const ScaffoldOptions& parts() const { return parts_; }
  Runnable init_op() const { return parts_.init_op; }
  Output ready_op() const { return parts_.ready_op.tensor(); }
  Output ready_for_local_init_op() const { return parts_.ready_for_local_init_op.tensor(); }
  Runnable local_init_op() const { return parts_.local_init_op; }
  Output summary_op() const { return parts_.summary_op; }
  const std::shared_ptr<Saver>& saver() const { return parts_.saver; }

  // Variables of this process, tables and what else is made anew for every session.
  static Node& default_local_init_op();
  // What the collection holds, else what `make` makes, which is put there; none where it makes
  // none. Throws Misuse, naming the argument, where the collection holds several.
  static Runnable get_or_default(const std::string& arg_name, const std::string& collection_key,
                                 const std::function<Runnable()>& make);

 protected:
  ScaffoldOptions parts_;
};
using ScaffoldRef = std::shared_ptr<Scaffold>;

}  // namespace rill::train
