// Whether the time of a refusal tells which names there are: wrong passwords, in one step and in two, and wrong recovery codes, of a name and of
// names that nobody has.
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import { median, percentile, type Row } from './row.ts';

const TRIES = 1000;
/** So many are not locked out. */
const TRIES_IN_ROW = 4;

const told = (times: readonly number[]): string =>
  `${median(times).toFixed(2)} / ${percentile(times, 95).toFixed(2)} ms`;
/** How often a coin is thrown for each pair of tries. */
const SHUFFLES = 2000;
/**
 * How far apart the medians are in 95 of 100 shuffles, in which a coin says which of two tries that were made together was of the known name:
 * what is within that is noise.
 */
function noise(known: readonly number[], unknown: readonly number[]): number {
  const apart = Array.from({ length: SHUFFLES }, () => {
    const [one, other] = [[...known], [...unknown]];
    for (let at = 0; at < one.length; at++)
      if (Math.random() < 0.5) [one[at], other[at]] = [unknown[at] ?? 0, known[at] ?? 0];
    return Math.abs(median(one) - median(other));
  });
  return percentile(apart, 95);
}

/** Rows for the speed table. Takes about ten minutes. */
export async function benchNames(): Promise<readonly Row[]> {
  const limits = ['--rate-limit-burst', '1000000', '--rate-limit-per-minute', '1000000'];
  const gateway = await openGateway({ flags: [...limits, '--recovery-codes', '--second-factor', 'optional'] });
  try {
    const known = await acceptInvite(gateway.directUrl, gateway.invite(), PASSWORD);
    const page = await fetch(`${gateway.directUrl}/web/login`);
    const csrf = /<meta name="postern_csrf_token" content="([^"]*)"/.exec(await page.text())?.[1] ?? '';
    const headers = {
      'content-type': 'application/json',
      cookie: `__Host-postern_csrf=${csrf}`,
      'x-csrf-token': csrf,
    };
    async function refused(path: string, body: object): Promise<number> {
      const began = performance.now();
      const answer = await fetch(`${gateway.directUrl}/v1/webapi/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      const took = performance.now() - began;
      if (answer.status !== 403 || !text.includes('invalid credentials')) throw new Error(`${answer.status} ${text}`);
      return took;
    }
    let nobodies = 0;
    async function both(path: string, bodyOf: (user: string) => object): Promise<Row> {
      const times = { known: [] as number[], unknown: [] as number[] };
      let nobody = '';
      for (let at = 0; at < TRIES; at++) {
        if (at % TRIES_IN_ROW === 0) {
          // As long as the name, and what was counted against it is forgotten.
          nobodies += 1;
          nobody = String(nobodies).padStart(known.length, 'x');
          await signIn(gateway.directUrl, known, PASSWORD);
        }
        // Each comes first as often as the other, also right after a sign-in, which leaves work behind.
        const isKnownFirst = (at + Math.floor(at / TRIES_IN_ROW)) % 2 === 0;
        const order = isKnownFirst ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
        for (const kind of order) times[kind].push(await refused(path, bodyOf(kind === 'known' ? known : nobody)));
      }
      const apart = median(times.known) - median(times.unknown);
      return {
        what: `${path} refused, ${TRIES} tries each: known name, p50 / p95`,
        target: 'no difference above noise',
        measured: `${told(times.known)}; medians ${apart.toFixed(2)} ms apart`,
        reference: `unknown names: ${told(times.unknown)}; of shuffled names within ${noise(times.known, times.unknown).toFixed(2)} ms`,
      };
    }
    return [
      await both('sessions/web', user => ({ user, pass: 'not the password of anyone' })),
      await both('mfa/login/begin', user => ({ user, pass: 'not the password of anyone' })),
      await both('users/recovery', user => ({ user, code: 'not a code of anyone', lost: 'password' })),
    ];
  } finally {
    await gateway.dispose();
  }
}
