// Headless sign-in: calls that wait. Whoever hangs up, and a gateway that stops, ends the waiting.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { answerHeadless, getHeadless, headlessSignIn, headlessStates } from '../../contract/headless.ts';
import { OK } from '../../contract/shapes.ts';
import { hostOf } from '../services/identity/headless.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveHeadless(app: FastifyInstance, serve: Serve, { identity: { headless } }: Services): void {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  /** Aborted when nobody waits for the answer any more. */
  const gone = ({ raw }: FastifyRequest): AbortSignal => {
    const left = new AbortController();
    raw.socket.once('close', () => left.abort());
    return AbortSignal.any([left.signal, stopping.signal]);
  };

  serve(headlessSignIn, async ({ body, from, request, reply }) => {
    const signedIn = await headless.ask(body, from, gone(request));
    if (signedIn === null) {
      if (stopping.signal.aborted) throw new Failure('unavailable');
      return { session: null };
    }
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return { session: signedIn.reply };
  });
  serve(getHeadless, async ({ params, request }, who) => {
    const { user, from, expires, state } = await headless.find(who, params.id, gone(request));
    return {
      user,
      state: headlessStates[state],
      client_ip_address: hostOf(from),
      user_agent: from.userAgent,
      expires: expires.toISOString(),
    };
  });
  serve(answerHeadless, async ({ params, body, from }, who) => {
    const { action, webauthnAssertionResponse: assertion = null } = body;
    await headless.answer(who, params.id, { accepted: action === 'accept', assertion }, from);
    return OK;
  });
}
