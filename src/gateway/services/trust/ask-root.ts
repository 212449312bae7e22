// A leaf asks its root once, over the web address of the root: may I join, and by which keys do I know you?
import type * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { readAddress } from '../../../contract/address.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import { joinRootCluster } from '../../../contract/trusted-clusters.ts';
import { answerBytes } from '../answer-bytes.ts';
import { fetchReason } from '../fetch-reason.ts';

/** The root answers by then, ms. */
const ANSWER_MS = 15_000;
/** Longest answer that is read, bytes, and longest sentence of it that is repeated, characters. */
const ANSWER_MOST_BYTES = 16 * 1024;
const SAID_MOST_CHARACTERS = 300;

type RootSaid = z.output<typeof joinRootCluster.parts.reply>;

/** host:port over TLS; without it only on this machine itself. Throws Failure: unreachable where it may answer later, else what it said. */
export async function askRoot(address: string, asked: BodyInput<typeof joinRootCluster>): Promise<RootSaid> {
  const schemes = isLoopback(address) ? ['https', 'http'] : ['https'];
  let answer: Response | null = null;
  let problem = '';
  for (const scheme of schemes) {
    try {
      answer = await fetch(`${scheme}://${address}${joinRootCluster.path}`, {
        method: joinRootCluster.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      break;
    } catch (error) {
      problem ||= fetchReason(error);
    }
  }
  if (!answer) throw new Failure('unreachable', `the root was not reached at ${address}: ${problem}`);
  const body = await readJson(answer);
  if (!answer.ok) {
    const said = (body as { readonly error?: { readonly message?: unknown } } | null)?.error?.message;
    const text = typeof said === 'string' ? said.slice(0, SAID_MOST_CHARACTERS) : `status ${answer.status}`;
    // What is wrong with the root itself may pass; what it says of this cluster will not.
    const mayPass = answer.status >= 500 || answer.status === 429 || answer.status === 408;
    throw new Failure(mayPass ? 'unreachable' : 'bad_request', `the root refuses this cluster: ${text}`);
  }
  const read = safeParse(joinRootCluster.parts.reply, body);
  if (!read.success) throw new Failure('bad_request', `what answers at ${address} is no gateway of a root cluster`);
  return read.data;
}

const isLoopback = (address: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(readAddress(address)?.host ?? '');

async function readJson(answer: Response): Promise<unknown> {
  const bytes = await answerBytes(answer, ANSWER_MOST_BYTES);
  if (bytes === null) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
