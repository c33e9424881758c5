#pragma once

namespace rill::layers::experimental {

// Layers of tf.layers made from now on, in any thread, keep variables as tf.keras's do: as their
// own, not get_variable's.
void set_keras_style();
// The same while it lives, in this thread.
class keras_style_scope {
 public:
  [[nodiscard]] keras_style_scope();
  ~keras_style_scope();
  keras_style_scope(const keras_style_scope&) = delete;
  keras_style_scope& operator=(const keras_style_scope&) = delete;
};
bool is_keras_style();

}  // namespace rill::layers::experimental
