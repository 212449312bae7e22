// Access requests.
import {
  createAccessRequest,
  deleteAccessRequest,
  getAccessRequest,
  listAccessRequests,
  reviewAccessRequest,
} from '../../contract/access-requests.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveAccessRequests(serve: Serve, { requests }: Services): void {
  serve(listAccessRequests, async (_asked, who) => ({ items: [...(await requests.list(who))] }));
  serve(getAccessRequest, ({ params }, who) => requests.get(who, params.id));
  serve(createAccessRequest, ({ body }, who) => requests.create(who, body));
  serve(reviewAccessRequest, ({ params, body }, who) => requests.review(who, params.id, body));
  serve(deleteAccessRequest, async ({ params }, who) => {
    await requests.remove(who, params.id);
    return OK;
  });
}
