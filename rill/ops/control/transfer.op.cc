#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes anything(const ShapeCtx&) { return {PartialShape()}; }

}  // namespace

// The partitioner adds these; no program does.
extern constexpr OpDecl kSendOp{
    .name = "_Send",
    .doc = "Hands a value to the device that receives it.",
    .inputs = {"tensor: T"},
    .attrs = {"T: type", "tensor_name: string", "send_device: string",
              "send_device_incarnation: int", "recv_device: string",
              "client_terminated: bool = false"},
    .traits = kStateful | kSend | kRuntimeOnly,
    .shape = no_outputs,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kSendOp));

extern constexpr OpDecl kRecvOp{
    .name = "_Recv",
    .doc = "Brings a value that another device sent.",
    .outputs = {"tensor: tensor_type"},
    .attrs = {"tensor_type: type", "tensor_name: string", "send_device: string",
              "send_device_incarnation: int", "recv_device: string",
              "client_terminated: bool = false"},
    .traits = kStateful | kRecv | kRuntimeOnly,
    .shape = anything,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kRecvOp));

extern constexpr OpDecl kHostSend{
    .name = "_HostSend",
    .doc = "_Send for a value in the memory of the host.",
    .inputs = {"tensor: T"},
    .attrs = {"T: type", "tensor_name: string", "send_device: string",
              "send_device_incarnation: int", "recv_device: string",
              "client_terminated: bool = false"},
    .traits = kStateful | kSend | kRuntimeOnly,
    .shape = no_outputs,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kHostSend));

extern constexpr OpDecl kHostRecv{
    .name = "_HostRecv",
    .doc = "_Recv for a value in the memory of the host.",
    .outputs = {"tensor: tensor_type"},
    .attrs = {"tensor_type: type", "tensor_name: string", "send_device: string",
              "send_device_incarnation: int", "recv_device: string",
              "client_terminated: bool = false"},
    .traits = kStateful | kRecv | kRuntimeOnly,
    .shape = anything,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kHostRecv));

}  // namespace rill
