#pragma once

#include "rill/tensor/dlpack_abi.h"
#include "rill/tensor/tensor.h"

namespace rill {

// Lends the tensor's storage to another library without copying; it lives until the deleter of what
// is returned has been called. Only the versioned form can say that storage must not be written, so
// the other one copies such storage. Throws InvalidArgument for types that DLPack does not have
// (strings, handles, variants, quantised numbers) and Unimplemented for memory outside the host.
dlpack::ManagedTensor* to_dlpack(const Tensor& tensor);
dlpack::ManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor);

// Borrows what another library lends, and calls its deleter after the last use, in whichever thread
// that is; what is strided or not aligned to its elements is copied and given back at once. When it
// throws, the caller still owns `lent`: InvalidArgument for null and for what contradicts itself,
// Unimplemented for devices, types and versions that are not known here.
Tensor from_dlpack(dlpack::ManagedTensor* lent);
Tensor from_dlpack(dlpack::ManagedTensorVersioned* lent);

}  // namespace rill
