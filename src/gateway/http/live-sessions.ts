// Sessions that are running.
import { beginBroadcast, endBroadcast } from '../../contract/broadcasts.ts';
import { endSession, getSession, listSessions } from '../../contract/live-sessions.ts';
import { getPromptFile } from '../../contract/prompt-files.ts';
import { OK } from '../../contract/shapes.ts';
import { attachment } from './attachment.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveLiveSessions(serve: Serve, { liveSessions, sessions, broadcasts }: Services): void {
  serve(listSessions, (_asked, who) => ({ sessions: [...liveSessions.list(who)] }));
  serve(getSession, ({ params }, who) => ({ sessions: [liveSessions.get(who, params.sid)] }));
  serve(endSession, ({ params }, who) => {
    liveSessions.end(who, params.sid);
    return OK;
  });
  serve(getPromptFile, ({ params, reply }, who) => {
    const { name, type, body } = sessions.takeFile(who, params.sid, params.id);
    return reply.type(type).header('content-disposition', attachment(name)).send(body);
  });
  serve(beginBroadcast, ({ body }, who) => ({ id: broadcasts.begin(who, body.sids) }));
  serve(endBroadcast, async ({ params }, who) => {
    await broadcasts.end(who, params.id);
    return OK;
  });
}
