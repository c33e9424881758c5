#include "package.h"

#include <string_view>

namespace rill::python::package {
namespace {

bool is_private(std::string_view module) { return module.substr(module.rfind('.') + 1)[0] == '_'; }

}  // namespace

// What a private module has stays as it is and is looked up once; it is never freed, since Python
// may have ended before. A program may put its own into a public one, such as tf.train.Saver.
nb::object Member::get() const {
  if (found_ != nullptr) return nb::borrow(found_);
  nb::object member = nb::module_::import_(module_).attr(name_);
  if (is_private(module_)) found_ = Py_NewRef(member.ptr());
  return member;
}

nb::object tf() { return nb::module_::import_("rill"); }

nb::object linear_operator_class(const std::string& name) {
  return nb::module_::import_("rill._linear_operators").attr(name.c_str());
}

}  // namespace rill::python::package
