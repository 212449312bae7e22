// Sign-in connectors as YAML resources, and which of the ways in comes first.

import { connectorCalls, connectorKinds, exchangeCode } from '../../contract/connectors.ts';
import { OK } from '../../contract/shapes.ts';
import { getSignInSettings, updateSignInSettings } from '../../contract/sign-in-settings.ts';
import { beginSignInTest, getSignInTest } from '../../contract/sign-in-tests.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveConnectors(serve: Serve, { connectors, sso }: Services): void {
  for (const kind of connectorKinds) {
    const calls = connectorCalls[kind];
    serve(calls.list, async (_asked, who) => [...(await connectors.list(kind, who))]);
    serve(calls.get, ({ params }, who) => connectors.get(kind, params.name, who));
    serve(calls.create, ({ body }, who) => connectors.create(kind, body.content, who));
    serve(calls.update, ({ params, body }, who) => connectors.update(kind, params.name, body.content, who));
    serve(calls.remove, async ({ params }, who) => {
      await connectors.remove(kind, params.name, who);
      return OK;
    });
  }
  serve(getSignInSettings, () => connectors.settings());
  serve(updateSignInSettings, ({ body }, who) => connectors.choose(body, who));
  serve(beginSignInTest, async ({ body: { kind, name } }, who) => {
    // Whoever may not see it may not try it either.
    await connectors.get(kind, name, who);
    const id = await sso.beginTest(kind, name);
    return { id, url: `/v1/webapi/${kind}/login/web?test=${id}` };
  });
  serve(exchangeCode, async ({ body, from, reply }) => {
    const signedIn = await sso.exchange(body, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return signedIn.reply;
  });
  serve(getSignInTest, ({ params }) => sso.test(params.id));
}
