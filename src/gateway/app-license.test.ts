// The licence of a dashboard: who may read it, and that it is there on dashboards alone.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { webConfig } from '../contract/config.ts';
import { openRig } from './app.testing.ts';
import { readLicense } from './services/configuration/license.ts';
import { roleResource } from './services/rights/source.ts';

function license() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-license-'));
  try {
    const file = join(folder, 'license.pem');
    const asked = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-subj', '/CN=Example', '-days', '20'];
    execFileSync('openssl', [...asked, '-keyout', '/dev/null', '-out', file], { stdio: 'ignore' });
    const read = readLicense(readFileSync(file, 'utf8'));
    if (typeof read === 'string') throw new Error(read);
    return read;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([true, false])(
  'where the cluster is a dashboard (%s) its licence is for whoever may read it',
  async isDashboard => {
    const given = license();
    const rig = await openRig({ config: { webConfig: z.parse(webConfig, { isDashboard }), license: given } });
    try {
      const rule =
        'kind: role\nversion: v7\nmetadata: {name: licensed}\nspec: {allow: {rules: [{resources: [license], verbs: [read]}]}}';
      await rig.store.resources.create(roleResource(rule));
      await rig.addUser('lee', ['licensed']);
      await rig.addUser('ed', ['editor']);
      const [lee, ed] = [await rig.signIn('lee'), await rig.signIn('ed')];
      const shown = { expires: given.ends.toISOString(), bytes: given.bytes, sum: given.sum };
      expect((await lee.call('GET', '/v1/webapi/downloads')).json).toMatchObject({
        license: isDashboard ? shown : null,
      });
      expect((await ed.call('GET', '/v1/webapi/downloads')).json).toMatchObject({ license: null });
      const [file, refused] = [
        await lee.call('GET', '/v1/webapi/downloads/license'),
        await ed.call('GET', '/v1/webapi/downloads/license'),
      ];
      expect([file.status, isDashboard && file.body, refused.status]).toEqual(
        isDashboard ? [200, given.text, 403] : [404, false, 403],
      );
    } finally {
      await rig.dispose();
    }
  },
);

test('what is no certificate, or too large, is no licence', () => {
  expect(readLicense('hello')).toBe('no certificate in PEM, which a licence begins with');
  expect(readLicense('x'.repeat(70_000))).toBe('larger than 64 KiB');
});
