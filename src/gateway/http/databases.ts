// Certificates of databases: what they trust, and what they show.
import { getDatabaseAuthorities, signDatabase } from '../../contract/databases.ts';
import { parseDuration } from '../../contract/duration.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveDatabases(serve: Serve, { databaseSetUp }: Services): void {
  serve(getDatabaseAuthorities, () => databaseSetUp.authorities());
  serve(signDatabase, async ({ body, reply }, who) => {
    const archive = await databaseSetUp.sign(body.hostname, parseDuration(body.ttl) ?? 0, who);
    return reply
      .headers({
        'content-disposition': `attachment; filename="postern_mTLS_${body.hostname[0]?.replaceAll(':', '-')}.tar.gz"`,
      })
      .type('application/gzip')
      .send(archive);
  });
}
