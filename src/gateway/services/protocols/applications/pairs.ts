// The cookies by which browsers show that they may come to an application, and the codes that the console hands them over with.
import { digest, newSecret, sameSecret } from '../../secrets.ts';

/** A browser has this long from the console to the application, ms. */
const CODE_MS = 60_000;
/** Codes that wait at once. */
const CODES_MOST = 10_000;
/** Pairs of cookies that one entry has at once: a browser that has lost its pair is given another. */
const PAIRS_MOST = 32;

/** The two cookies of one browser. */
export interface CookiePair {
  readonly value: string;
  readonly subject: string;
}
/** What the console gets for a browser that is to go to an application. */
export interface Launched extends CookiePair {
  readonly fqdn: string;
  /** Good once, for a minute, at that host. */
  readonly code: string;
}
/** What cookies of one host open. */
export interface Pairs<Entry> {
  /** A pair for a browser that is to come to that host, and a code for it. */
  give(entry: Entry, fqdn: string): Launched;
  /** Cookies for a code; null where it is none, was used, has run out or is for another host. */
  redeem(code: string, fqdn: string): CookiePair | null;
  /** What a pair opens at that host; null: nothing. */
  find(pair: CookiePair, fqdn: string): Entry | null;
  /** Its pairs open nothing any more. */
  forget(entry: Entry): void;
}

export function createPairs<Entry extends object>(): Pairs<Entry> {
  /** By the digest of the first cookie. */
  const pairs = new Map<string, { readonly entry: Entry; readonly fqdn: string; readonly subject: string }>();
  const given = new WeakMap<Entry, string[]>();
  const codes = new Map<string, CookiePair & { readonly fqdn: string; readonly until: number }>();
  return {
    give(entry, fqdn) {
      const pair = { value: newSecret(), subject: newSecret() };
      const of = digest(pair.value);
      pairs.set(of, { entry, fqdn, subject: digest(pair.subject) });
      const own = given.get(entry) ?? [];
      given.set(entry, own);
      own.push(of);
      if (own.length > PAIRS_MOST) pairs.delete(own.shift() ?? '');
      const code = newSecret();
      const now = Date.now();
      for (const [old, { until }] of codes) if (until < now || codes.size >= CODES_MOST) codes.delete(old);
      codes.set(code, { ...pair, fqdn, until: now + CODE_MS });
      return { fqdn, ...pair, code };
    },
    redeem(code, fqdn) {
      const found = codes.get(code);
      codes.delete(code);
      return found && found.fqdn === fqdn && found.until >= Date.now() ? found : null;
    },
    find({ value, subject }, fqdn) {
      const pair = value === '' ? undefined : pairs.get(digest(value));
      return pair && pair.fqdn === fqdn && sameSecret(pair.subject, digest(subject)) ? pair.entry : null;
    },
    forget(entry) {
      for (const pair of given.get(entry) ?? []) pairs.delete(pair);
      given.delete(entry);
    },
  };
}
