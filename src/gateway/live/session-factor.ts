// The second factor of one session: asked for and given inside its socket, before there is anything to show or to record, and again and
// again of moderators.
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { decodeFrame, encodeFrame, frameTypes } from '../../contract/envelope.ts';
import { Failure } from '../../contract/failure.ts';
import { assertion, FACTOR_MISSING, PRIVILEGE_MS } from '../../contract/mfa.ts';
import type { After } from '../ports/after.ts';
import { isOfVisitor, type Who } from '../ports/who.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { Identity } from '../services/identity/identity.ts';
import type { Socket } from './socket.ts';

/** How a challenge and its answer are written. */
export interface FactorFrames {
  write(challenge: unknown): Uint8Array | string;
  /** Undefined for what is no answer. Throws for what cannot be read. */
  read(message: Buffer): unknown;
}
const envelope: FactorFrames = {
  write: challenge => encodeFrame(frameTypes.webauthn, Buffer.from(JSON.stringify(challenge))),
  read(message) {
    const { type, payload } = decodeFrame(message);
    return type === frameTypes.webauthn ? JSON.parse(Buffer.from(payload).toString('utf8')) : undefined;
  },
};

/** Header of the refusal by which a leaf tells a root that it asks for a second factor, which the root then asks the person for. */
export const FACTOR_ASKED_HEADER = 'postern-factor-asked';

/**
 * Before a socket opens: somebody from a root cluster shows their second factor there, and not in the socket. `isAsked`: whether it asks for one.
 * Throws Failure denied.
 */
export function demandShown(request: FastifyRequest, reply: FastifyReply, who: Who, isAsked: boolean): void {
  if (!request.ws || !isAsked || !isOfVisitor(who.userId) || who.shownDevice !== undefined) return;
  void reply.header(FACTOR_ASKED_HEADER, 'session');
  throw new Failure('denied', FACTOR_MISSING);
}

/** The id of the device that answers; `title` is what is opened, in words. The socket must not be paused. Throws Failure denied with the sentence. */
export async function askSessionFactor(
  socket: Socket,
  factors: Pick<Identity['factors'], 'challenge' | 'prove'>,
  who: Who,
  title: string,
  frames: FactorFrames = envelope,
): Promise<string> {
  if (isOfVisitor(who.userId)) {
    if (who.shownDevice === undefined) throw new Failure('denied', FACTOR_MISSING);
    return who.shownDevice;
  }
  const scope = JSON.stringify({ connection: randomUUID(), title } satisfies SessionScope);
  const challenge = await factors.challenge(who.userId, 'session', scope);
  if (challenge.webauthn_challenge === null)
    throw new Failure(
      'denied',
      'Your roles ask for a hardware key for each session, and you have none registered: add one in your account.',
    );
  const frame = frames.write(challenge);
  socket.send(frame, { binary: typeof frame !== 'string' });
  const given = z.safeParse(assertion, await answerOf(socket, frames));
  const device = given.success ? await factors.prove(who.userId, { assertion: given.data }, 'session', scope) : null;
  if (device === null) throw new Failure('denied', 'The hardware key was not accepted.');
  return device.id;
}

/** A moderator shows this often that they are still there, ms. */
const PRESENCE_EVERY_MS = 60_000;

/** Asks for the factor again and again as long as the socket is open. `absent` hears once why it was not given. */
export function checkPresence(
  socket: Socket,
  prove: () => Promise<string>,
  absent: (why: string) => void,
  after: After,
): void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = after(PRESENCE_EVERY_MS, () => {
      prove().then(next, (error: unknown) =>
        absent(`You were shown out: ${error instanceof Error ? error.message : String(error)}`),
      );
    });
  };
  socket.on('close', () => cancel());
  next();
}

/** What the next frame holds; undefined when that is no answer, or none came while the challenge lives. */
function answerOf(socket: Socket, frames: FactorFrames): Promise<unknown> {
  return new Promise(done => {
    const end = (answer: unknown): void => {
      clearTimeout(timer);
      socket.off('message', hear);
      socket.off('close', gone);
      done(answer);
    };
    const gone = (): void => end(undefined);
    const hear = (message: unknown): void => {
      try {
        // What is typed or resized meanwhile is for no session.
        const answer = frames.read(message as Buffer);
        if (answer !== undefined) end(answer);
      } catch {
        end(undefined);
      }
    };
    const timer = setTimeout(gone, PRIVILEGE_MS);
    socket.on('message', hear);
    socket.on('close', gone);
  });
}
