// Snippets of one's own and of one's roles.
import { OK } from '../../contract/shapes.ts';
import { deleteSnippet, listSnippets, putSnippet } from '../../contract/snippets.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveSnippets(serve: Serve, { snippets }: Services): void {
  serve(listSnippets, async (_asked, who) => ({ snippets: [...(await snippets.list(who))] }));
  serve(putSnippet, async ({ body }, who) => {
    await snippets.put(who, body);
    return OK;
  });
  serve(deleteSnippet, async ({ params }, who) => {
    await snippets.remove(who, params.owner, params.name);
    return OK;
  });
}
