// Which pages are recommended to whoever has not seen them (specification, section 3: feature-recommendation status).
import type { FeatureId } from '../../features/table.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** Unspecified until the sidebar has shown it, then NOTIFY, and DONE once somebody was there. */
type Status = 'NOTIFY' | 'DONE';
/** Name of its entry -> page. */
const pages = { TrustedDevices: 'trustedDevices' } as const satisfies Record<string, FeatureId>;

const read = (storage: KeyValueStorage): Readonly<Record<string, unknown>> => {
  const kept = readJson(storage, keys.recommendFeature);
  return typeof kept === 'object' && kept !== null ? { ...kept } : {};
};

/** Whether the sidebar marks a page. */
export const isRecommended = (storage: KeyValueStorage, id: FeatureId): boolean =>
  Object.entries(pages).some(([name, page]) => page === id && read(storage)[name] !== 'DONE');

/** Notes that the sidebar has shown these pages, and that one of them is open. */
export function noteSeen(storage: KeyValueStorage, shown: readonly FeatureId[], open: FeatureId | null): void {
  for (const [name, page] of Object.entries(pages)) {
    const kept = read(storage);
    const status: Status = page === open ? 'DONE' : 'NOTIFY';
    if (!shown.includes(page) || kept[name] === 'DONE' || kept[name] === status) continue;
    writeJson(storage, keys.recommendFeature, { ...kept, [name]: status });
  }
}
