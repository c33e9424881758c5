#include "rill/kernel/kernel_registry.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kVarHandlesOp, kReadVariablesOp;

namespace {

using Names = std::vector<std::string>;

void make_handles(KernelCall& call) {
  const KernelNode& node = call.node();
  ResourceManager& resources = *call.step().resources;
  for (int i = 0; i < call.output_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string& container = node.attr<Names>("containers").at(at);
    const std::string& name = node.attr<Names>("shared_names").at(at);
    auto variable = resources.find_or_make<VariableResource>(container, name, [&] {
      return std::make_shared<VariableResource>(
          name, node.attr<std::vector<DType>>("dtypes").at(at),
          node.attr<std::vector<PartialShape>>("shapes").at(at));
    });
    require(variable != nullptr, "the resource ", name, " is not a variable");
    call.set_output(i,
                    Tensor::scalar(ResourceHandle{
                        .device = call.device().name(),
                        .container = container.empty() ? resources.default_container() : container,
                        .name = name,
                        .type_name = VariableResource::kTypeName,
                        .resource = std::move(variable)}));
  }
}

void read_variables(KernelCall& call) {
  std::vector<std::string> without_value;
  for (int i = 0; i < call.input_count(); ++i) {
    const auto variable = find_variable_input(call, i);
    Tensor value = variable == nullptr ? Tensor() : variable->read();
    if (!value.has_value()) {
      without_value.push_back(call.input_tensor(i).scalar_value<ResourceHandle>().name);
      continue;
    }
    const DType wanted = call.node().output_type(i);
    require(value.dtype() == wanted, "Trying to read variable with wrong dtype. Expected ", wanted,
            " got ", value.dtype());
    call.set_output(i, std::move(value));
  }
  if (!without_value.empty())
    raise(Code::kFailedPrecondition,
          "In ReadVariablesOp the following variables were found uninitialized: ",
          join(without_value, ", "));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kVarHandlesOp, .run = make_handles, .allocates = true, .expensive = false},
    {.op = &kReadVariablesOp, .run = read_variables, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kSeveralVariablesCpu{kEntries};

}  // namespace rill
