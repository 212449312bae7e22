// The typed caller of the web API for a signed-in person outside the browser.
import * as z from 'zod/mini';
import type { Tools } from '../../../commands/command.ts';
import { type Call, pathOf, type ReplyOf } from '../../contract/call.ts';
import { ApiError } from '../../contract/failure.ts';
import type { Session } from './signed.ts';
import { answered, refuse, send } from './wire.ts';

interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
}

export interface Api {
  /** Makes a call and reads its answer. Throws ApiError, and Refused when the session is over. */
  readonly call: Tools['call'];
  /** Makes a call whose answer is a file. Throws as `call` does. */
  file(call: Call, given: Given): Promise<AsyncIterable<Uint8Array>>;
}

/** `?a=1` for a query; undefined and empty values are left out, as in the console. */
function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** `heard` is told the reply of every call that changes something. */
export function createApi(session: Session, heard: (reply: unknown) => void = () => {}): Api {
  async function ask(call: Call, given: Given): Promise<{ readonly path: string; readonly answer: Response }> {
    const path = pathOf(call, given.params ?? {}) + searchOf(given.query);
    const proofs = await session.proofs();
    const answer = await send(session.url, path, {
      method: call.method,
      headers: given.body === undefined ? proofs : { ...proofs, 'content-type': 'application/json' },
      ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    });
    return { path, answer };
  }
  async function made(call: Call, given: Given): Promise<unknown> {
    const { path, answer } = await ask(call, given);
    const parsed = z.safeParse(call.parts.reply as z.ZodMiniType, await answered(session.url, path, answer));
    if (!parsed.success)
      throw new ApiError('unknown', `The gateway's answer to ${call.method} ${call.path} could not be read`);
    if (call.method !== 'GET') heard(parsed.data);
    return parsed.data;
  }
  return {
    call: async (call, given = {}) => {
      try {
        return (await made(call, given)) as ReplyOf<typeof call>;
      } catch (error) {
        return session.explain(error);
      }
    },
    async file(call, given) {
      try {
        const { path, answer } = await ask(call, given);
        await refuse(session.url, path, answer);
        return answer.body ?? new Blob([]).stream();
      } catch (error) {
        return session.explain(error);
      }
    },
  };
}
