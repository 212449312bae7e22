// The preset roles of a store at each start: made once, and brought up to date where nobody has changed them since.
import { createHash } from 'node:crypto';
import { Failure } from '../contract/failure.ts';
import type { AuditLog } from './ports/audit.ts';
import { presetRoles } from './services/rights/presets.ts';
import { roleContent, roleResource } from './services/rights/source.ts';
import type { Store } from './store/store.ts';

/** Who acts, for the audit log. */
const SYSTEM = 'system';
/** Label of a role that came with the store. */
const LABEL = 'postern.internal/resource-type';

/**
 * SHA-256, base64url, of what each preset was in versions before: a role that is one of these, to the byte, is as it was shipped. When a preset
 * changes, the digest of what it was is added here; a test knows what the presets of this version are and asks for it.
 */
const shippedBefore: Readonly<Record<string, readonly string[]>> = {
  access: [],
  auditor: [],
  editor: [
    'eCzBzB4mlie0atkAyR9cFQyKEEZ7honzc53bdJNREmI',
    'ld8QlVgBhFDDaEf5uF2sBSz_iowko9l9PJyCSGy4Xgc',
    '-Dg5nXO2KXOKaC_-MuaoGRW37f2BOJF3j-DWpCz2iok',
    'OY98wT3bSW7KrSJM3ZDjTD6ZgSOt3i_LtSxwa9OG-DQ',
    'kh8S4NZFGCYBIoYijMIwjsxRYBCEZLN0zzctBZv00lE',
    'MbTjgXkMzFeXLvFjScRvGPyB5Nd3WVP6SidmcTllWKk',
    'iof18PZNX_HG7stMoPAy2Eo7JqUN4DjmR57erpHLZok',
  ],
};

/** Of a role's YAML, without what stands around it. */
export const contentDigest = (content: string): string =>
  createHash('sha256').update(content.trim()).digest('base64url');

/**
 * Makes the presets once for each store: what people delete afterwards stays away. One that still is what an older version shipped gets what this
 * version ships, with an event of the audit log. One that somebody has changed stays as it is, and `tell` hears so.
 */
export async function ensurePresets(
  { settings, resources }: Pick<Store, 'settings' | 'resources'>,
  audit: AuditLog,
  tell: (text: string) => void,
): Promise<void> {
  if ((await settings.get('roles.presets')) === null) {
    for (const { content } of presetRoles) {
      try {
        await resources.create(roleResource(content));
      } catch (error) {
        // A gateway that shares the store was quicker, or a start before was cut short here.
        if (!(error instanceof Failure && error.code === 'exists')) throw error;
      }
    }
    await settings.putIfAbsent('roles.presets', true);
    return;
  }
  for (const { name, content } of presetRoles) {
    const row = await resources.get('role', name);
    if (row?.labels[LABEL] !== 'preset') continue;
    const stored = roleContent(row);
    if (stored.trim() === content.trim()) continue;
    if (!shippedBefore[name]?.includes(contentDigest(stored))) {
      tell(`role "${name}" was changed here and stays so: what this version adds to the preset is not in it`);
      continue;
    }
    try {
      await resources.put(roleResource(content), row.revision);
    } catch (error) {
      // Somebody else was quicker: another gateway of the store, or an administrator, whose word counts.
      if (error instanceof Failure && error.code === 'changed') continue;
      throw error;
    }
    await audit.emit({ code: 'T9002I', name, user: SYSTEM, updated_by: SYSTEM });
    tell(`role "${name}" was what an older version shipped, and is what this version ships now`);
  }
}
