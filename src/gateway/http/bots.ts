// Bots: administered by people, joined and renewed by machines.
import { createBot, deleteBot, joinBot, listBots, renewBot, updateBot } from '../../contract/bots.ts';
import { OK } from '../../contract/shapes.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveBots(serve: Serve, { bots, botJoining }: Services): void {
  serve(listBots, async (_asked, who) => [...(await bots.list(who))]);
  serve(createBot, ({ body }, who) => bots.add(body, who));
  serve(updateBot, ({ params, body }, who) => bots.update(params.name, body, who));
  serve(deleteBot, async ({ params }, who) => {
    await bots.remove(params.name, who);
    return OK;
  });
  serve(joinBot, async ({ body, from, reply }) => {
    const { signedIn, ...joined } = await botJoining.join(body, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return { ...signedIn.reply, ...joined };
  });
  serve(renewBot, async ({ body, from, reply }) => {
    const { signedIn, ...joined } = await botJoining.renew(body, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return { ...signedIn.reply, ...joined };
  });
}
