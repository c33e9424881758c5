#pragma once

namespace rill::python {

void bind_losses();   // tf.losses
void bind_metrics();  // tf.metrics
void bind_contrib_losses();
void bind_contrib_metrics();

}  // namespace rill::python
