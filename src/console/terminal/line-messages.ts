// The JSON inside the frames that a terminal hears, checked where it arrives.
import * as z from 'zod/mini';

const cells = z.number().check(z.int(), z.minimum(1), z.maximum(4095));

/** What a terminal needs of the session frame (src/contract/terminal.ts SessionFrame); other gateways may send more or less. */
const sessionSeen = z.object({
  session: z.object({
    id: z.string().check(z.minLength(1)),
    login: z._default(z.string(), ''),
    server_id: z._default(z.string(), ''),
    server_hostname: z._default(z.string(), ''),
    parties: z._default(z.array(z.object({ user: z.string() })), []),
    terminal_params: z.optional(z.object({ w: cells, h: cells })),
  }),
  output: z.optional(z.object({ offset: z.number().check(z.int(), z.minimum(0)), fresh: z.boolean() })),
  recording: z.optional(z.enum(['strict', 'best_effort', 'off'])),
});
export type SessionSeen = z.infer<typeof sessionSeen>;

const latencySeen = z.object({ ws: z.number(), ssh: z.number() });
export type LatencySeen = z.infer<typeof latencySeen>;

const sizeSeen = z.object({ event: z.literal('resize'), size: z.string().check(z.regex(/^\d{1,4}:\d{1,4}$/)) });

const decoder = new TextDecoder();
export const textOf = (payload: Uint8Array): string => decoder.decode(payload);

function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(payload));
  } catch {
    return undefined; // the schemas refuse undefined
  }
}

/** The session frame, or undefined when it is not one. */
export const readSession = (payload: Uint8Array): SessionSeen | undefined =>
  z.safeParse(sessionSeen, jsonOf(payload)).data;
export const readLatency = (payload: Uint8Array): LatencySeen | undefined =>
  z.safeParse(latencySeen, jsonOf(payload)).data;

/** The size another participant chose, when an audit frame says so; other events are not for the terminal. */
export function readSize(payload: Uint8Array): { readonly cols: number; readonly rows: number } | undefined {
  const seen = z.safeParse(sizeSeen, jsonOf(payload)).data;
  if (!seen) return undefined;
  const [cols = 0, rows = 0] = seen.size.split(':').map(Number);
  return cols >= 1 && cols <= 4095 && rows >= 1 && rows <= 4095 ? { cols, rows } : undefined;
}
