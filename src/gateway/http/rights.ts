// Who may what, and why.
import { explainAccess, listReached, listReachers } from '../../contract/rights.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveRights(serve: Serve, { access }: Services): void {
  serve(explainAccess, ({ query }, who) => access.explain({ ...query, user: query.user ?? who.user }, who));
  serve(listReached, ({ params, query }, who) => access.reachedBy(params.name, query, who));
  serve(listReachers, ({ params }, who) => access.reaching(params.action, params.target, who));
}
