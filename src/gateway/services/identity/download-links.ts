// Links that a browser downloads by: nothing of a page's own goes along but a token in the address, so it is good once, soon, and only
// beside the cookie of the web session that asked for it.
import { Failure } from '../../../contract/failure.ts';
import type { Who } from '../../ports/who.ts';
import type { OneTimeTokens } from '../../store/store.ts';
import { digest, newSecret } from '../secrets.ts';
import type { Sessions } from './web-sessions.ts';

/** A page follows its link at once, ms. */
const LINK_MS = 60_000;

export interface DownloadLinks {
  create(who: Pick<Who, 'userId' | 'webSessionId'>): Promise<string>;
  /** Whose it is, as they are now; it is good no more. Throws Failure denied. */
  take(token: string, given: { readonly cookie: string | undefined; readonly remoteAddr: string }): Promise<Who>;
}

export function createDownloadLinks({
  oneTimeTokens,
  sessions,
  clock,
}: {
  readonly oneTimeTokens: OneTimeTokens;
  readonly sessions: Pick<Sessions, 'ofCookie'>;
  readonly clock: () => Date;
}): DownloadLinks {
  const idOf = (webSessionId: string, token: string): string => digest(`${webSessionId} ${token}`);
  return {
    async create({ userId, webSessionId }) {
      const token = newSecret();
      const expires = new Date(clock().getTime() + LINK_MS);
      await oneTimeTokens.create({ id: idOf(webSessionId, token), kind: 'download', userId, expires });
      return token;
    },
    async take(token, given) {
      const who = await sessions.ofCookie(given);
      const link = who && (await oneTimeTokens.take(idOf(who.webSessionId, token)));
      if (!link || link.kind !== 'download' || link.expires <= clock())
        throw new Failure('denied', 'access denied: this link was used, or has ended');
      return who;
    },
  };
}
