#pragma once

namespace rill::python {

void bind_losses();   // tf.losses
void bind_metrics();  // tf.metrics

}  // namespace rill::python
