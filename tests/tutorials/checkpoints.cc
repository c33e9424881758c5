// Saves variables and reads them into another session. The Python twin is checkpoints.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const std::string folder = temporary_folder("checkpoints");
  const tf::Variable v({1.0f, 2.0f}, {.name = "v"}), w(5, {.name = "w"});
  tf::train::Saver saver;
  {
    tf::Session sess;
    sess.run(tf::global_variables_initializer());
    sess.run(v.assign(v * 10.0f));
    saver.save(sess, folder + "/model", {.global_step = 3});
  }
  tf::Session sess;
  saver.restore(sess, *tf::train::latest_checkpoint(folder));
  show("v", sess.run(v));
  show("w", sess.run(w));
  show("names", tf::Tensor::scalar(
                    std::string(*tf::train::latest_checkpoint(folder)).substr(folder.size())));
  return 0;
}
