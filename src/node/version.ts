// The product's version, from package.json: the one place that states it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

let known: string | undefined;

/** Such as `0.1.0`. */
export function packageVersion(): string {
  if (known === undefined) {
    const parsed: unknown = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
    known = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : '0.0.0';
  }
  return known;
}
