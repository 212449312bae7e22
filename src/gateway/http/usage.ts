// How much the cluster is used.
import { getUsage } from '../../contract/usage.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveUsage(serve: Serve, { usage }: Services): void {
  serve(getUsage, ({ query }) => usage.of(query.months));
}
