"""Asks TensorBoard's own readers what they see in logs: those of Rill must look like TensorFlow's."""
import contextlib

from google.protobuf import json_format
from tensorboard.backend.event_processing import data_provider, event_accumulator
from tensorboard.backend.event_processing import plugin_event_accumulator, plugin_event_multiplexer
from tensorboard.context import RequestContext
from tensorboard.plugins import base_plugin
from tensorboard.plugins.projector import projector_plugin
from tensorboard.util import tensor_util

from model_cases import reading

ALL = {kind: 0 for kind in ("scalars", "histograms", "images", "audio", "tensors")}


def seen_by_accumulator(log):
    """Values by their tags, as the first TensorBoards read them."""
    found = event_accumulator.EventAccumulator(str(log), size_guidance=ALL).Reload()
    tags = found.Tags()
    seen = {"tags": {kind: sorted(names) if isinstance(names, list) else names for kind, names in tags.items()}}
    for tag in tags["scalars"]:
        seen[f"scalar {tag}"] = [[event.step, repr(event.value)] for event in found.Scalars(tag)]
    for tag in tags["histograms"]:
        seen[f"histogram {tag}"] = [[event.step, str(event.histogram_value)] for event in found.Histograms(tag)]
        seen[f"compressed {tag}"] = [str(event.compressed_histogram_values)
                                     for event in found.CompressedHistograms(tag)]
    for tag in tags["images"]:
        seen[f"image {tag}"] = [[event.step, event.width, event.height,
                                 reading.pixels_of(event.encoded_image_string)] for event in found.Images(tag)]
    for tag in tags["audio"]:
        seen[f"audio {tag}"] = [[event.step, event.sample_rate, event.length_frames, event.content_type,
                                 event.encoded_audio_string.hex()] for event in found.Audio(tag)]
    for tag in tags["tensors"]:
        seen[f"tensor {tag}"] = [[event.step, described(event.tensor_proto)] for event in found.Tensors(tag)]
    if tags["graph"]:
        seen["graph"] = reading.nodes_of(found.Graph())
    if tags["meta_graph"]:
        seen["meta graph"] = reading.nodes_of(found.MetaGraph().graph_def)
    for tag in tags["run_metadata"]:
        seen[f"run metadata {tag}"] = str(found.RunMetadata(tag))
    return seen


def described(tensor_proto):
    return reading.described(tensor_util.make_ndarray(tensor_proto))


def seen_by_plugins(log):
    """What TensorBoard 2 hands to its plugins: everything has become a tensor with metadata."""
    multiplexer = plugin_event_multiplexer.EventMultiplexer(
        tensor_size_guidance={plugin: 0 for plugin in ("scalars", "histograms", "images", "audio", "text")},
        size_guidance={plugin_event_accumulator.TENSORS: 0})
    multiplexer.AddRunsFromDirectory(str(log)).Reload()
    provider, context = data_provider.MultiplexerDataProvider(multiplexer, str(log)), RequestContext()
    seen = {}
    for plugin in provider.list_plugins(context, experiment_id="") or ():
        for kind, list_them in (("scalars", provider.list_scalars), ("tensors", provider.list_tensors),
                                ("blobs", provider.list_blob_sequences)):
            for run, tags in list_them(context, experiment_id="", plugin_name=plugin).items():
                for tag, series in tags.items():
                    seen[f"{plugin} {kind} {run} {tag}"] = [series.max_step, series.display_name,
                                                           series.description, series.plugin_content.hex()]
    return seen


def seen_by_projector(log):
    """The tensors that the projector offers, of the checkpoint that it is pointed to."""
    context = base_plugin.TBContext(logdir=str(log), data_provider=Nothing())
    with contextlib.chdir(log.parent):
        plugin = projector_plugin.ProjectorPlugin(context)
        plugin._update_configs()
        return {run: json_format.MessageToDict(config) | {
            "vectors": reading.described(plugin._get_reader_for_run(run).get_tensor("vectors"))}
            for run, config in plugin._configs.items()}


class Nothing:
    """A provider of data for a plugin that asks for none."""

    def list_runs(self, *_, **__):
        return []


def check_board(report, theirs, ours):
    for folder in sorted(theirs.iterdir()):
        looks = (seen_by_projector,) if folder.name == "embeddings" else (seen_by_accumulator, seen_by_plugins)
        for look in looks:
            name = f"{look.__name__} {folder.name}"
            try:
                got, want = look(ours / folder.name / "log"), look(folder / "log")
            except Exception as error:
                report.check(name, f"{type(error).__name__}: {error}")
                continue
            report.check(name, reading.difference(got, want))
