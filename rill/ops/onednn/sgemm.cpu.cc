#include "rill/ops/onednn/sgemm.h"

#include <dnnl.h>

#include "rill/base/error.h"
#include "rill/ops/onednn/one_thread.h"

namespace rill {

void run_sgemm(const Sgemm& p) {
  const OneThread one_thread;
  const auto status =
      dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, 1.0f, p.a,
                 p.lda, p.b, p.ldb, p.adds ? 1.0f : 0.0f, p.c, p.ldc);
  if (status != dnnl_success)
    raise(Code::kInternal, "oneDNN refused a product of ", p.m, "x", p.k, " and ", p.k, "x", p.n,
          ": status ", static_cast<int>(status));
}

}  // namespace rill
