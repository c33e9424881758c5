#include "rill/ops/onednn/gemm_int8.h"

#include <dnnl.h>

#include "rill/base/error.h"
#include "rill/ops/onednn/one_thread.h"

namespace rill {

bool has_exact_byte_gemm() {
  static const dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
  return isa == dnnl_cpu_isa_avx512_core_vnni || isa == dnnl_cpu_isa_avx512_core_bf16;
}

void run_byte_gemm(const ByteGemm& p) {
  const OneThread one_thread;
  const std::int32_t nothing = 0;
  const auto status = dnnl_gemm_u8s8s32('N', 'N', 'F', p.m, p.n, p.k, 1.0f, p.a, p.k, p.a_zero, p.b,
                                        p.n, p.b_zero, 0.0f, p.c, p.n, &nothing);
  if (status != dnnl_success)
    raise(Code::kInternal, "oneDNN refused a product of bytes of ", p.m, "x", p.k, " and ", p.k,
          "x", p.n, ": status ", static_cast<int>(status));
}

}  // namespace rill
