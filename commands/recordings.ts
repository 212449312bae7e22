// Recordings: played, searched, looked at and taken along.
import { NEEDLE_CHARACTERS } from '../src/contract/needle.ts';
import { playerQuery } from '../src/features/player-query.ts';
import { answer } from './answer.ts';
import { type Argument, type Command, command, type Tools } from './command.ts';
import { thingArgument } from './find.ts';
import { inConsole, may, needs, onList, reaches, reachesInConsole, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run that asks the gateway. */
const loadActs = () => import('./recording-acts.ts');

/** Picks an ended session that was recorded. */
const recordingArgument = thingArgument('recording');
const reasonArgument: Argument = {
  name: 'reason',
  title: 'Reason, for the audit log',
  free: typed => (typed.trim() === '' || typed.length > 1024 ? 'A reason of 1 to 1024 characters' : undefined),
  choices: () => [],
};

/** What is held besides one recording: what it is known by, and its name. */
const HELD = /^(user|host|label):(.+)$/;
const heldArgument: Argument = {
  name: 'on',
  title: 'Whose: a user, a host, or label:NAME=VALUE',
  free: typed =>
    HELD.test(typed) && (!typed.startsWith('label:') || /^label:[^=]+=/.test(typed))
      ? undefined
      : 'user:NAME, host:NAME or label:NAME=VALUE',
  choices: async (...asked) => (await loadActs()).heldChoices(...asked),
};

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
    when: reachesInConsole('recordings'),
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
    run: async (...asked) => (await loadActs()).exportOne(...asked),
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
  command({
    id: 'recording.hold',
    title: 'Hold a recording…',
    group: 'manage',
    words: ['legal', 'keep', 'retention', 'preserve', 'evidence'],
    when: inConsole,
    args: [recordingArgument, reasonArgument],
    onThing: { label: 'Hold…', title: name => `Hold the recording of ${name}` },
    manual: 'holdRecordings',
    run: async (...asked) => (await loadActs()).hold(...asked),
  }),
  command({
    id: 'recording.holdAll',
    title: 'Hold all recordings of a user, host or label…',
    group: 'manage',
    words: ['legal', 'keep', 'retention', 'preserve', 'evidence', 'person', 'server'],
    when: inConsole,
    args: [heldArgument, reasonArgument],
    manual: 'holdRecordings',
    run: async (...asked) => (await loadActs()).holdAll(...asked),
  }),
  command({
    id: 'recording.holds',
    title: 'Show what is held of the recordings',
    group: 'manage',
    words: ['legal', 'holds', 'kept', 'retention'],
    when: reachesInConsole('recordings'),
    manual: 'holdRecordings',
    run: (_given, facts, tools) => showOn('recordings', { holds: 'yes' }, facts, tools),
  }),
  command({
    id: 'recording.release',
    title: 'Release a hold on recordings…',
    group: 'manage',
    destructive: true,
    words: ['legal', 'retention', 'end'],
    when: inConsole,
    args: [
      {
        name: 'hold',
        title: 'Hold',
        choices: async (...asked) => (await loadActs()).holdChoices(...asked),
      },
      reasonArgument,
    ],
    manual: 'holdRecordings',
    run: async (...asked) => (await loadActs()).release(...asked),
  }),
  command({
    id: 'recording.compare',
    title: 'Compare the commands of two recordings…',
    group: 'session',
    words: ['diff', 'side by side', 'difference'],
    when: inConsole,
    blocked: needs('recordedSessions', 'read', 'recordings'),
    args: [recordingArgument, thingArgument('recording', { name: 'other', title: 'With which recording' })],
    onThing: { label: 'Compare…', title: name => `Compare the recording of ${name} with another` },
    phrase: {
      example: 'compare SESSION SESSION',
      usage: {
        name: 'compare',
        args: [
          { name: 'recording', text: 'SESSION' },
          { name: 'other', text: 'SESSION' },
        ],
      },
      read(typed) {
        const [, recording, other] = /^compare\s+(\S+)(?:\s+(\S+))?\s*$/.exec(typed) ?? [];
        return recording === undefined ? undefined : { recording, ...(other !== undefined && { other }) };
      },
    },
    manual: 'compareRecordings',
    run: (given, { clusterId }, tools) =>
      compare(tools, clusterId, answer(given, 'recording').value, answer(given, 'other').value),
  }),
  command({
    id: 'recording.compareMarked',
    title: 'Compare the marked recordings',
    group: 'list',
    keys: 'd',
    words: ['diff', 'side by side', 'commands'],
    when: facts => onList(facts) && facts.feature === 'recordings',
    blocked: facts =>
      facts.selection.length === 2
        ? needs('recordedSessions', 'read', 'recordings')(facts)
        : 'Mark two recordings first, with x',
    manual: 'compareRecordings',
    run: (_given, { clusterId, selection }, tools) => {
      const [one, other] = selection.map(({ id }) => id);
      if (one !== undefined && other !== undefined) compare(tools, clusterId, one, other);
    },
  }),
];

const compare = ({ go }: Pick<Tools, 'go'>, clusterId: string, one: string, other: string): void =>
  go('compareRecordings', { clusterId }, { one, other });
