#pragma once

// tf.train's ready-made hooks.
#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/evaluation_hooks.h"
#include "rill/api/training/logging_tensor_hook.h"
#include "rill/api/training/profiler_hook.h"
#include "rill/api/training/step_hooks.h"
#include "rill/api/training/summary_saver_hook.h"
#include "rill/api/training/sync_replicas_hook.h"
#include "rill/api/training/value_hooks.h"

namespace rill::train {

// Hooks as short as programs of Python make them:
//   make_hook<StopAtStepHook>({.last_step = 1000})
//   make_hook<LoggingTensorHook>({{"loss", loss}}, {.every_n_iter = 100})
//   make_hook<NanTensorHook>(loss)
template <class Hook>
std::shared_ptr<Hook> make_hook(const typename Hook::Options& options) {
  return std::make_shared<Hook>(options);
}
template <class Hook>
std::shared_ptr<Hook> make_hook(const typename Hook::Subject& subject,
                                const typename Hook::Options& options) {
  return std::make_shared<Hook>(subject, options);
}
template <class Hook, class... Argument>
std::shared_ptr<Hook> make_hook(Argument&&... argument) {
  return std::make_shared<Hook>(std::forward<Argument>(argument)...);
}

}  // namespace rill::train
