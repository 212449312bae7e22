// Recordings: played, searched, looked at and taken along.
import { NEEDLE_CHARACTERS } from '../src/contract/printed-text.ts';
import { playerQuery } from '../src/features/recording.ts';
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { inConsole, may, needs, onList, reaches, signedIn } from './gates.ts';

/** Picks an ended session that was recorded. */
const recordingArgument = thingArgument('recording');

export const recordings: readonly Command[] = [
  command({
    id: 'recording.play',
    title: 'Play a recording…',
    group: 'session',
    onThing: { label: 'Play', title: name => `Play ${name}`, icon: 'Play' },
    words: ['playback', 'replay', 'watch', 'player'],
    when: facts => inConsole(facts) && (reaches('recordings')(facts) || may('recordedSessions', 'read')(facts)),
    args: [recordingArgument],
    run: (given, facts, tools) => {
      const recording = answer(given, 'recording');
      const query = playerQuery(recording.thing?.recording ?? { type: 'ssh', durationMs: 0 });
      tools.go('player', { clusterId: facts.clusterId, sid: recording.value }, query);
    },
  }),
  command({
    id: 'recording.search',
    title: 'Search the text of all recordings…',
    group: 'session',
    words: ['find', 'grep', 'printed', 'output', 'said'],
    when: facts => inConsole(facts) && reaches('recordings')(facts),
    args: [
      {
        name: 'text',
        title: 'Text that was printed',
        free: typed =>
          typed.length > NEEDLE_CHARACTERS ? `A text has at most ${NEEDLE_CHARACTERS} characters` : undefined,
        choices: () => [],
      },
    ],
    run: (given, { clusterId }, tools) =>
      tools.go('recordings', { clusterId }, { search: `text:"${answer(given, 'text').value.replaceAll('"', '')}"` }),
  }),
  command({
    id: 'recording.export',
    title: 'Export a recording as asciicast…',
    group: 'session',
    words: ['download', 'save', 'asciinema', 'file'],
    when: signedIn,
    blocked: needs('recordedSessions', 'read', 'recordings'),
    args: [recordingArgument],
    run: async (given, { clusterId }, tools) => {
      const sid = answer(given, 'recording').value;
      const { exportRecording } = await import('../src/contract/audit.ts');
      await tools.save?.(exportRecording, { params: { clusterId, sid } }, `${sid}.cast`);
    },
  }),
  command({
    id: 'recording.lastScreen',
    title: 'Show the last screen of the row, or no longer',
    group: 'list',
    keys: 'w',
    words: ['thumbnail', 'preview', 'picture', 'glance'],
    when: facts => onList(facts) && facts.feature === 'recordings',
    blocked: needs('recordedSessions', 'read', 'recordings'),
    run: (_given, _facts, tools) => tools.list.act?.('lastScreen'),
  }),
];
