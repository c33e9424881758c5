#include "rill/ops/onednn/one_thread.h"

// Part of every OpenMP runtime; the header omp.h comes with a compiler, not with the runtime.
extern "C" int omp_get_max_threads(void);
extern "C" void omp_set_num_threads(int count);

namespace rill {

OneThread::OneThread() : before_(omp_get_max_threads()) {
  if (before_ != 1) omp_set_num_threads(1);
}

OneThread::~OneThread() {
  if (before_ != 1) omp_set_num_threads(before_);
}

}  // namespace rill
