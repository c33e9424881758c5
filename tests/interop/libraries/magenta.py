"""Magenta 1.3: melodies as note sequences and events, and a melody RNN that is trained a little and continues one."""
import os
import tempfile

import magenta
import tensorflow.compat.v1 as tf
from magenta.models.melody_rnn import melody_rnn_model, melody_rnn_sequence_generator
from magenta.models.shared import events_rnn_graph, events_rnn_train
from magenta.music import melodies_lib, sequences_lib
from magenta.protobuf import generator_pb2, music_pb2


def scale():
    """Eight notes of a quarter second."""
    notes = music_pb2.NoteSequence()
    notes.tempos.add(qpm=120)
    for place, pitch in enumerate((60, 62, 64, 65, 67, 69, 71, 72)):
        notes.notes.add(pitch=pitch, start_time=place / 4, end_time=(place + 1) / 4, velocity=80)
    notes.total_time = 2.0
    notes.ticks_per_quarter = 220
    return notes


def small_config():
    config = melody_rnn_model.default_configs["basic_rnn"]
    config.hparams.override_from_dict({"batch_size": 4, "rnn_layer_sizes": [16], "attn_length": 0,
                                       "dropout_keep_prob": 1.0, "learning_rate": 0.01})
    return config


def melodies_of(notes):
    quantized = sequences_lib.quantize_note_sequence(notes, steps_per_quarter=4)
    melody = melodies_lib.Melody()
    melody.from_quantized_sequence(quantized, ignore_polyphonic_notes=True)
    assert len(melody) >= 8 and melody.to_sequence().notes[0].pitch == 60
    return melody


def write_examples(path, config, melody):
    melody.squash(48, 84, 0)
    with tf.io.TFRecordWriter(path) as writer:
        for _ in range(16):
            writer.write(config.encoder_decoder.encode(melody).SerializeToString())


def main():
    config, notes = small_config(), scale()
    with tempfile.TemporaryDirectory() as folder:
        examples = os.path.join(folder, "melodies.tfrecord")
        write_examples(examples, config, melodies_of(notes))
        build = events_rnn_graph.get_build_graph_fn("train", config, [examples])
        events_rnn_train.run_training(build, os.path.join(folder, "train"), num_training_steps=20,
                                      summary_frequency=10, checkpoints_to_keep=1)
        generator = melody_rnn_sequence_generator.MelodyRnnSequenceGenerator(
            model=melody_rnn_model.MelodyRnnModel(config), details=config.details, steps_per_quarter=4,
            checkpoint=os.path.join(folder, "train"))
        options = generator_pb2.GeneratorOptions()
        options.args["temperature"].float_value = 1.0
        options.generate_sections.add(start_time=2.0, end_time=4.0)
        made = generator.generate(notes, options)
        assert len(made.notes) >= 8 and made.notes[0].pitch == 60
        path = os.path.join(folder, "melody.mid")
        magenta.music.sequence_proto_to_midi_file(made, path)
        assert len(magenta.music.midi_file_to_note_sequence(path).notes) == len(made.notes)
    print("a melody RNN is trained and continues a melody; MIDI files are written and read")


main()
