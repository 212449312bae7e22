// Private keys of the gateway's own that all gateways of a store share.
import * as z from 'zod/mini';
import type { Settings } from '../store/store.ts';

/** Where such keys are kept. */
export interface SharedKeyParts {
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    /** Throws Error when the key is not the one that sealed it. */
    open(sealed: string, place: string): string;
  };
}

/** Calls `make` once; what failed is tried again at the next call. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/**
 * The text of a key, kept sealed in `setting`. It is made when it is first needed, and not at the start: a gateway that lacks the key of
 * kept secrets then lacks what needs it, and nothing else.
 */
export const sharedKey = (
  { settings, secrets }: SharedKeyParts,
  setting: string,
  make: () => string,
): (() => Promise<string>) =>
  once(async () => {
    const kept =
      (await settings.get(setting)) ?? (await settings.putIfAbsent(setting, await secrets.seal(make(), setting)));
    return secrets.open(z.parse(z.string(), kept), setting);
  });
