#include "rill/base/text.h"
#include "rill/inspect/debugger/profile_screens.h"

namespace rill::debugger {
namespace {

RichText config_text(const ShellConfig& config) {
  RichText text({"Command-line configuration:", ""});
  for (const std::string& line : config.lines()) text.add("  " + line);
  return text;
}

}  // namespace

void add_general_commands(Shell& shell, const std::shared_ptr<ShellConfig>& config) {
  shell.add({"config",
             {"cfg"},
             ArgumentParser("Show or change how the command line behaves.")
                 .argument("action", "show, or set", true)
                 .argument("property_name", "graph_recursion_depth or mouse_mode", true)
                 .argument("property_value", "the new value", true),
             [config](const Arguments& given) {
               const std::string& action = given.text("action");
               if (action == "set") {
                 if (!given.has("property_value")) throw SyntaxError("set NAME VALUE");
                 config->set(given.text("property_name"), given.text("property_value"));
               } else if (!action.empty() && action != "show") {
                 throw SyntaxError("show or set");
               }
               return config_text(*config);
             }});
  shell.add(
      {"version", {"ver"}, ArgumentParser("Tell which version this is."), [](const Arguments&) {
         return RichText({"TensorFlow version: 1.15.5", "", "of Rill, which is its own"});
       }});
  shell.add({"mouse",
             {"m"},
             ArgumentParser("Switch between the mouse choosing commands and the terminal selecting "
                            "text.")
                 .argument("mode", "on or off", true),
             [config](const Arguments& given) {
               const std::string& mode = given.text("mode");
               config->mouse_mode = mode.empty() ? !config->mouse_mode : mode == "on";
               return RichText({str_cat("Mouse mode: ", config->mouse_mode ? "on" : "off")});
             }});
}

}  // namespace rill::debugger
