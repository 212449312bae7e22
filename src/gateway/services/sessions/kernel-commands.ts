// Which programs ran in a session, from the kernel of the server: asked for over a connection of the gateway's own, with a login that a prepared
// server keeps for this and that can do nothing else.
import { Failure } from '../../../contract/failure.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Connector, Target } from '../../ports/servers.ts';
import { type KernelRecord, readKernelRecord } from './kernel-record.ts';

/** The label of a prepared server. */
const KERNEL_LABEL = { name: 'commands', value: 'kernel' } as const;
/** The login of a prepared server that reads the record. */
const LOGIN = 'postern-audit';
/** Answered by a server that could tell. */
const READY = 'ready';
/** Longest answer, bytes: some ten thousand programs. */
const ANSWER_MOST_BYTES = 16 * 1024 * 1024;
const ANSWER_MOST_MS = 30_000;
const SIZE = { cols: 80, rows: 24 };

export interface KernelCommands {
  /** Throws Failure unavailable where what runs there could not be told. */
  check(target: Target, sid: string): Promise<void>;
  /** What ran in the session. Rejects with a sentence. */
  read(target: Target, sid: string): Promise<KernelRecord>;
}

/** Whether the kernel of this server is asked, for a person with these options. */
export const asksKernel = (target: Target, { recordCommands }: Pick<Rights['options'], 'recordCommands'>): boolean =>
  recordCommands && target.subKind !== 'local' && target.labels[KERNEL_LABEL.name] === KERNEL_LABEL.value;

export function createKernelCommands(connector: Connector, now: () => Date): KernelCommands {
  async function ask(target: Target, sid: string, command: string): Promise<KernelRecord> {
    const shell = await connector.open(target, {
      user: 'postern',
      sid,
      login: LOGIN,
      size: SIZE,
      ttlMs: ANSWER_MOST_MS,
      command,
    });
    const answered = Promise.withResolvers<KernelRecord>();
    const said = { stdout: '', stderr: '' };
    const decoder = new TextDecoder();
    /** When its clock, which comes first, was heard: the rest may take its time. */
    let heardAt: Date | undefined;
    const fail = (problem: string): void => {
      answered.reject(new Error(problem));
      shell.close();
    };
    const timer = setTimeout(() => fail(`${target.hostname} did not answer in time`), ANSWER_MOST_MS);
    shell.onOutput((bytes, from) => {
      heardAt ??= now();
      said[from] += from === 'stdout' ? decoder.decode(bytes, { stream: true }) : Buffer.from(bytes).toString();
      if (said.stdout.length + said.stderr.length > ANSWER_MOST_BYTES) fail(`${target.hostname} answered too much`);
    });
    shell.onExit(({ code, error }) => {
      const record = readKernelRecord(said.stdout, heardAt ?? now());
      if (code === 0 && record !== null) answered.resolve(record);
      else fail(said.stderr.trim().slice(0, 200) || error || `${target.hostname} is not prepared for this`);
    });
    shell.resume();
    return answered.promise.finally(() => clearTimeout(timer));
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
    read: (target, sid) => ask(target, sid, sid),
  };
}
