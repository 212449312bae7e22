// The bundle for support.
import { getSupportBundle } from '../../contract/support.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveSupport(serve: Serve, { support }: Services): void {
  serve(getSupportBundle, (_asked, who) => support.bundle(who));
}
