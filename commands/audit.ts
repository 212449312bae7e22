// The audit log's own tools.
import { answer } from './answer.ts';
import { type Command, command, type Facts, type ListAct } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, onList } from './gates.ts';
import { showOn } from './show-on.ts';

const onAudit = (facts: Facts): boolean => onList(facts) && facts.feature === 'audit';

const act = (what: ListAct, title: string, keys: string | undefined, words: readonly string[]): Command =>
  command({
    id: `audit.${what}`,
    title,
    group: 'list',
    ...(keys !== undefined && { keys }),
    words,
    when: onAudit,
    run: (_given, _facts, tools) => tools.list.act?.(what),
  });

export const audit: readonly Command[] = [
  act('live', 'Show new events as they come, or no longer', 'l', ['live', 'follow', 'tail', 'watch']),
  command({
    id: 'audit.recording',
    title: "Play the recording of the event's session",
    group: 'list',
    keys: 'b',
    words: ['playback', 'replay', 'watch', 'session'],
    when: onAudit,
    blocked: ({ selection }) =>
      selection[0]?.sessionId === undefined ? 'The event under the cursor belongs to no session' : undefined,
    run: (_given, { clusterId, selection }, tools) => {
      const { sessionId = '', recording } = selection[0] ?? {};
      tools.go('player', { clusterId, sid: sessionId }, { recordingType: recording?.type ?? 'ssh' });
    },
  }),
  command({
    id: 'audit.details',
    title: 'Show an audit event…',
    group: 'manage',
    words: ['details', 'json', 'log', 'history'],
    when: inConsole,
    blocked: needs('events', 'list', 'audit events'),
    args: [listedArgument('event')],
    onThing: { label: 'Details', title: name => `Details of ${name}` },
    fits: ({ isFold }) => isFold !== true,
    run: (given, facts, tools) => showOn('audit', { event: answer(given, 'event').value }, facts, tools),
  }),
  command({
    id: 'audit.unfold',
    title: 'Unfold what one session repeated, or fold it again',
    group: 'list',
    words: ['expand', 'collapse', 'noise', 'resizes'],
    when: onAudit,
    onThing: { label: 'Unfold', title: () => 'Unfold' },
    fits: ({ isFold }) => isFold === true,
    run: (_given, _facts, tools) => tools.list.act?.('unfold'),
  }),
  act('types', 'Filter by event type', 't', ['code', 'kind']),
  act('facets', 'Narrow to what these events have most of', 'shift+t', ['top', 'users', 'targets', 'count', 'group']),
  act('exportCsv', 'Export these events as CSV', undefined, ['save', 'download', 'file', 'spreadsheet']),
  act('exportNdjson', 'Export these events as NDJSON', undefined, ['save', 'download', 'file', 'json']),
];
