// The assistant's conversations. What is said in them comes through its socket (live/assistant.ts).
import {
  createConversation,
  deleteConversation,
  getAssistant,
  getConversation,
  listConversations,
  summarizeTitle,
  titleConversation,
} from '../../contract/assistant.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveAssistant(serve: Serve, { assistant }: Services): void {
  serve(getAssistant, () => assistant.about());
  serve(createConversation, async (_asked, who) => ({ id: await assistant.create(who) }));
  serve(listConversations, async (_asked, who) => ({ conversations: [...(await assistant.list(who))] }));
  serve(getConversation, async ({ params }, who) => ({ messages: [...(await assistant.messages(who, params.id))] }));
  serve(deleteConversation, async ({ params }, who) => {
    await assistant.remove(who, params.id);
    return OK;
  });
  serve(titleConversation, async ({ params, body }, who) => {
    await assistant.title(who, params.id, body.title);
    return OK;
  });
  serve(summarizeTitle, async ({ body }, who) => ({ title: await assistant.summarizeTitle(who, body.message) }));
}
