// Reads JSON bodies strictly: UTF-8 only, and no key that could reach an object's prototype.
import { Failure } from '../../contract/failure.ts';
import { prototypeKey } from '../services/prototype-keys.ts';

/** Written plainly or escaped, in a key or not: only then is the tree walked. */
const SUSPICIOUS = /__proto__|prototype|\\u00/i;

/** An empty body is undefined: some calls take none. Throws Failure bad_request. */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('bad_request', 'the body is not valid UTF-8', { body: 'must be UTF-8' });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const at = error instanceof SyntaxError ? / at position (\d+)/.exec(error.message)?.[1] : undefined;
    // The parser's own words quote the body, which may hold a password.
    throw new Failure('bad_request', `the body is not valid JSON${at ? ` (character ${at})` : ''}`, {
      body: 'must be JSON',
    });
  }
  const reaching = SUSPICIOUS.test(text) ? prototypeKey(json) : null;
  if (reaching) {
    const key = String(reaching.at(-1));
    throw new Failure('bad_request', `the key "${key}" is not allowed`, {
      [key === '__proto__' ? 'body' : key]: 'not allowed',
    });
  }
  return json;
}
