#ifndef TENSORFLOW_CORE_PLATFORM_INIT_MAIN_H_
#define TENSORFLOW_CORE_PLATFORM_INIT_MAIN_H_

namespace tensorflow {
namespace port {
// Programs call this first. There is nothing to set up; the arguments stay as they are.
void InitMain(const char* usage, int* argc, char*** argv);
}  // namespace port
}  // namespace tensorflow

#endif
