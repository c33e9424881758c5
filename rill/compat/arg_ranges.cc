#include "rill/compat/arg_ranges.h"

#include "rill/compat/convert.h"

namespace tensorflow {

Status range_of(const std::vector<rill::Arg>& args, const rill::AttrMap& attrs, StringPiece name,
                int* begin, int* end) {
  return guarded([&] {
    *begin = 0;
    for (const rill::Arg& arg : args) {
      *end = *begin + static_cast<int>(arg_types(arg, attrs).size());
      if (name == arg.name) return;
      *begin = *end;
    }
    raise(rill::Code::kInvalidArgument, "Unknown argument name: ", to_rill(name));
  });
}

Status place_of(const std::vector<rill::Arg>& args, const rill::AttrMap& attrs, StringPiece name,
                int* place) {
  int end = 0;
  TF_RETURN_IF_ERROR(range_of(args, attrs, name, place, &end));
  if (end == *place + 1) return Status::OK();
  return errors::InvalidArgument("OpKernel used list-valued argument name '", name,
                                 "' when single-valued argument was expected");
}

}  // namespace tensorflow
