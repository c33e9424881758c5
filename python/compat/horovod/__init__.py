"""Horovod's name, for programs that import it: horovod.tensorflow is Rill's."""
