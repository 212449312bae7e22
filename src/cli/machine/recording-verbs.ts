// Recordings on the gateway's own machine: whether they are whole, how long they are kept, and what is held.
import type { AdminAnswers } from '../../contract/admin.ts';
import { heldOn } from '../../contract/holds.ts';
import { table } from '../table.ts';
import { Refused, type Typed, UsageError } from '../verb.ts';
import type { MachineVerb } from './machine-verb.ts';

const word = (typed: Typed): string => typed.words[0] ?? '';
const reason = { name: '--reason', argument: 'TEXT', help: 'The reason, for the audit log; needed' };
function reasonOf(typed: Typed): string {
  const said = typed.one('--reason') ?? '';
  if (said === '') throw new UsageError('--reason: say why, for the audit log');
  return said;
}

export const recordingVerbs: readonly MachineVerb[] = [
  {
    verb: 'recordings verify',
    words: ['SESSION'],
    flags: [],
    help: 'Checks that a recording is as it was written',
    async run(typed, gateway, { print }) {
      const sid = word(typed);
      const check = await gateway.call<AdminAnswers['check']>('GET', `/recordings/${encodeURIComponent(sid)}/verify`);
      if (!check.ok) throw new Refused(check.problem);
      print(`The recording of session ${sid} is whole.`);
    },
  },
  {
    verb: 'recordings expire',
    words: [],
    flags: [{ name: '--dry-run', help: 'Removes nothing, and says what it would' }],
    help: 'Removes the recordings that are past their time, oldest first, as a running gateway does each hour',
    async run(typed, gateway, { print }) {
      const dryRun = typed.has('--dry-run');
      const { removed, held } = await gateway.call<AdminAnswers['expired']>('POST', '/recordings/expire', { dryRun });
      if (removed.length > 0) print(table(removed.map(one => [one.sid, `${one.bytes} bytes`, `by ${one.why}`])));
      print(`${dryRun ? 'Would remove' : 'Removed'} ${removed.length}; ${held} more are held.`);
    },
  },
  {
    verb: 'recordings hold',
    words: ['[SESSION]'],
    flags: [
      { name: '--user', argument: 'NAME', help: 'All sessions that this user took part in' },
      { name: '--host', argument: 'NAME', help: 'All sessions on this server' },
      { name: '--label', argument: 'KEY=VALUE', help: 'All sessions on servers with this label' },
      reason,
    ],
    help: 'Keeps a recording, or all of a user, host and label, whatever the retention says, until it is released',
    async run(typed, gateway, { print }) {
      const [sid, user, host, label] = [typed.words[0], typed.one('--user'), typed.one('--host'), typed.one('--label')];
      const on = { ...(sid && { sid }), ...(user && { user }), ...(host && { host }), ...(label && { label }) };
      const held = await gateway.call<AdminAnswers['hold']>('POST', '/holds', { on, why: reasonOf(typed) });
      print(`Held: ${heldOn(held)} (${held.id}).`);
    },
  },
  {
    verb: 'recordings holds',
    words: [],
    flags: [],
    help: 'Lists what is held, by whom and why',
    async run(_typed, gateway, { print }) {
      const holds = await gateway.call<readonly AdminAnswers['hold'][]>('GET', '/holds');
      print(
        holds.length === 0
          ? 'Nothing is held.'
          : table(holds.map(one => [one.id, heldOn(one), one.by, one.since, one.why])),
      );
    },
  },
  {
    verb: 'recordings release',
    words: ['HOLD'],
    flags: [reason],
    help: 'Ends a hold: what it was on goes again when its time has come',
    async run(typed, gateway, { print }) {
      const held = await gateway.call<AdminAnswers['hold']>(
        'POST',
        `/holds/${encodeURIComponent(word(typed))}/release`,
        {
          why: reasonOf(typed),
        },
      );
      print(`Released: ${heldOn(held)}.`);
    },
  },
];
