// What programs did in a session, from the kernel of the server: asked for over a connection of the gateway's own, with a login that a prepared
// server keeps for this and that can do nothing else.
import { Failure } from '../../../contract/failure.ts';
import type { KernelKind, Rights } from '../../ports/rights.ts';
import type { Connector, Target } from '../../ports/servers.ts';
import { answerOf } from '../shell-answer.ts';
import { type KernelRecord, readKernelRecord } from './kernel-record.ts';

/** The labels of a server that is prepared to tell. */
const labelNames = { command: 'commands', disk: 'disk', network: 'network' } as const satisfies Record<
  KernelKind,
  string
>;
const TOLD = 'kernel';
/** The login of a prepared server that reads the record. */
const LOGIN = 'postern-audit';
/** Answered by a server that could tell. */
const READY = 'ready';
/** Longest answer, bytes: some ten thousand programs. */
const ANSWER_MOST_BYTES = 16 * 1024 * 1024;

export interface KernelCommands {
  /** Throws Failure unavailable where what runs there could not be told. */
  check(target: Target, sid: string): Promise<void>;
  /** What of these kinds happened in the session. Rejects with a sentence. */
  read(target: Target, sid: string, kinds: readonly KernelKind[]): Promise<KernelRecord>;
}

/** What the kernel of this server is asked, for a person with these options. */
export const askedOfKernel = (
  { subKind, labels }: Target,
  { recordKernel }: Pick<Rights['options'], 'recordKernel'>,
): readonly KernelKind[] => (subKind === 'local' ? [] : recordKernel.filter(kind => labels[labelNames[kind]] === TOLD));

export function createKernelCommands(connector: Connector, now: () => Date): KernelCommands {
  async function ask(target: Target, sid: string, command: string): Promise<KernelRecord> {
    /** When its clock, which comes first, was heard: the rest may take its time. */
    let heardAt: Date | undefined;
    const question = { login: LOGIN, sid, command, mostBytes: ANSWER_MOST_BYTES };
    const { stdout, stderr, code, error } = await answerOf(connector, target, question, () => {
      heardAt = now();
    });
    const record = readKernelRecord(stdout, heardAt ?? now());
    if (code === 0 && record !== null) return record;
    throw new Error(stderr.trim().slice(0, 200) || error || `${target.hostname} is not prepared for this`);
  }
  return {
    async check(target, sid) {
      await ask(target, sid, READY).catch((error: unknown) => {
        throw new Failure(
          'unavailable',
          `The session was not started: the commands that run on ${target.hostname} could not be recorded (${error instanceof Error ? error.message : String(error)}), and this server may only be used with a recording.`,
        );
      });
    },
    // A server that was prepared before it could tell more knows the session alone.
    read: (target, sid, kinds) => ask(target, sid, kinds.join() === 'command' ? sid : `${sid} ${kinds.join(' ')}`),
  };
}
