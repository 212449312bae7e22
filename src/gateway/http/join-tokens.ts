// Join tokens.
import { botLine } from '../../contract/bots.ts';
import {
  deleteJoinToken,
  isScripted,
  joinScripts,
  listJoinTokens,
  type ScriptedRole,
} from '../../contract/join-tokens.ts';
import { createJoinToken } from '../../contract/new-join-token.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** What a script must be told beside its token. */
const further: Readonly<Record<ScriptedRole, string>> = {
  Node: '',
  App: ' -s -- --name NAME --uri http://127.0.0.1:8080',
  Db: ' -s -- --name NAME --protocol postgres --uri 127.0.0.1:5432',
};

export function serveJoinTokens(serve: Serve, { tokens, config }: Services): void {
  serve(createJoinToken, async ({ body }, who) => {
    const { suggested_agent_matcher_labels: matchers = {}, ...wanted } = body;
    const made = await tokens.add({ ...wanted, matchers }, who);
    // What proves a job of somebody else is among its variables.
    const sudo = body.join_method === 'token' ? 'sudo' : 'sudo -E';
    const lines = body.roles
      .filter(role => isScripted(role) || role === 'Bot')
      .map(role => ({
        role,
        line: isScripted(role)
          ? `curl -fsSL '${config.publicUrl}/scripts/${made.text}/${joinScripts[role]}' | ${sudo} sh${further[role]}`
          : botLine(config.publicUrl, made.text),
      }));
    const suggestedLabels = Object.entries(made.labels).map(([name, value]) => ({ name, value }));
    const expiry = made.expires?.toISOString() ?? '';
    return { id: made.text, name: made.name, expiry, method: body.join_method, suggestedLabels, lines };
  });
  serve(listJoinTokens, async (_asked, who) => [...(await tokens.list(who))]);
  serve(deleteJoinToken, async ({ params }, who) => {
    await tokens.remove(params.name, who);
    return OK;
  });
}
