// A database at a prompt in the console's terminals: from the palette to a result by keyboard, over a real PostgreSQL.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { filesOf, role } from './rigs/databases.ts';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';
import { openPostgres } from './rigs/postgres.ts';

const psql = promisify(execFile);

test('a database is looked for in the palette, asked and left, and a reload takes nothing away', async ({
  page,
  ownGateway: gateway,
}) => {
  const editor = await addPerson(gateway, 'ed', '--roles', 'editor');
  const signed = await fetch(`${gateway.url}/v1/webapi/sites/${editor.cluster}/sign/db`, {
    method: 'POST',
    headers: { authorization: `Bearer ${editor.bearer}`, cookie: editor.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ hostname: '127.0.0.1' }),
  });
  const files = filesOf(new Uint8Array(await signed.arrayBuffer()));
  const postgres = await openPostgres({
    certificate: files['server.crt'] ?? '',
    key: files['server.key'] ?? '',
    clients: files['server.cas'] ?? '',
  });
  try {
    await psql('psql', [postgres.url, '-qc', 'create role app login', '-c', 'create database orders owner app']);
    const file = test.info().outputPath('orders.yaml');
    const database = `kind: db
version: v3
metadata: { name: orders, labels: { team: shop } }
spec: { protocol: postgres, uri: "127.0.0.1:${postgres.port}" }
`;
    await writeFile(file, `${role('shop', 'app')}---\n${database}`);
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,shop');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await run(page, 'db orders');
    await expect(screen(page)).toContainText('orders=>');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await typeText(page, "select 'a' as letter, 6 * 7 as answer;\n");
    await expect(screen(page)).toContainText('42');
    await expect(screen(page)).toContainText(/Time: [\d.]+ ms/);
    await expect(page.getByRole('tab', { name: 'app@orders' })).toBeVisible();
    await page.reload();
    await expect(screen(page)).toContainText('42');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await press(page, 'ArrowUp');
    await expect(screen(page)).toContainText(/42[\s\S]*orders=> select 'a' as letter/);
    await press(page, 'Control+u');
    await typeText(page, '\\q\n');
    await page.locator('.xterm:visible').waitFor({ state: 'detached' });
    // The row's own way in is the same.
    await press(page, 'g', 'd');
    const row = page.locator('tbody tr').filter({ hasText: 'orders' });
    await row.focus();
    await press(page, 'Enter');
    await expect(screen(page)).toContainText('orders=>');
  } finally {
    await postgres.dispose();
  }
});
