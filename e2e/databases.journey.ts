// A database at a prompt in the console's terminals: from the palette to a result by keyboard, over a real PostgreSQL.
import { readFile, writeFile } from 'node:fs/promises';
import { filesByWire, openOrders, ordersDocument, role } from './rigs/databases.ts';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';

test('a database is looked for in the palette, asked and left, and a reload takes nothing away', async ({
  page,
  ownGateway: gateway,
}) => {
  const editor = await addPerson(gateway, 'ed', '--roles', 'editor');
  const postgres = await openOrders(await filesByWire(gateway.url, editor));
  try {
    // An empty list says by which key the first one comes.
    await carry(page, gateway, editor.cookie);
    await page.goto(`${gateway.url}/web/cluster/${editor.cluster}/databases`);
    await expect(page.getByText(/^Press A to add the first one\.$/i)).toBeVisible();
    await press(page, 'a');
    await expect(page.getByPlaceholder('Name, such as orders')).toBeFocused();
    await press(page, 'Escape');
    const file = test.info().outputPath('orders.yaml');
    await writeFile(file, `${role('shop', 'app')}---\n${ordersDocument(postgres)}`);
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
    const coming = page.waitForEvent('download');
    await typeText(page, '\\csv select i from generate_series(1, 3000) i\n');
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^orders-[\d-]+\.csv$/);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(2999)).toEqual(['2999', '3000', '']);
    await expect(screen(page)).toContainText(/3000 rows \(\d+ bytes\) in orders-/);
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
