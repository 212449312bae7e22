// A provider of billing as the manual describes it: JSON over HTTP with a key, bounded, never led elsewhere, and never believed unread.

import * as z from 'zod/mini';
import type * as core from 'zod/v4/core';
import { Failure } from '../../../contract/failure.ts';
import { plainText } from '../../../contract/visible-text.ts';
import { answerBytes } from '../answer-bytes.ts';

const ANSWER_MS = 20_000;
const ANSWER_MOST_BYTES = 1024 * 1024;

export interface BillingProvider {
  /** Without a slash at the end. */
  readonly address: string;
  /** Shown as the bearer; null: it wants none. */
  readonly key: string | null;
}
interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

/** Calls of one provider. They throw Failure: not_found, bad_request with its own words, or unreachable. */
export function createProviderCalls({ address, key }: BillingProvider) {
  async function bytes(path: readonly string[], mostBytes: number, asked: Asked = {}): Promise<Buffer> {
    const { method = 'GET', query = {}, body } = asked;
    const url = new URL(`${address}/${path.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value);
    let answer: Response;
    let read: Buffer | null;
    try {
      answer = await fetch(url, {
        method,
        headers: {
          'user-agent': 'postern',
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      read = await answerBytes(answer, mostBytes);
    } catch {
      throw new Failure('unreachable', 'the billing provider does not answer');
    }
    if (answer.status === 404) throw new Failure('not_found', 'the billing provider knows nothing of this');
    if (read === null) throw new Failure('unreachable', `the billing provider answered more than ${mostBytes} bytes`);
    if (answer.ok) return read;
    // 401 and 403 are about the gateway's key: nothing that whoever asks could mend.
    if (answer.status === 400 || answer.status === 409 || answer.status === 422) {
      const said = z.safeParse(refusal, parsed(read));
      throw new Failure(
        'bad_request',
        said.success
          ? `the billing provider: ${plainText(said.data.error.message).slice(0, 300)}`
          : 'the billing provider refused it',
      );
    }
    throw new Failure('unreachable', `the billing provider answered ${answer.status}`);
  }
  return {
    bytes,
    /** Sends, and reads the answer by its schema. */
    async json<Schema extends core.$ZodType>(
      schema: Schema,
      path: readonly string[],
      asked?: Asked,
    ): Promise<core.output<Schema>> {
      const read = z.safeParse(schema, parsed(await bytes(path, ANSWER_MOST_BYTES, asked)));
      if (read.success) return read.data;
      const [issue] = read.error.issues;
      throw new Failure(
        'unreachable',
        `the billing provider answered what it should not: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`,
      );
    },
  };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
