// A statement that waits for a reviewer: one person at a prompt, another who looks at it and decides, by keyboard, over a real PostgreSQL.
import { writeFile } from 'node:fs/promises';
import { filesByWire, openOrders, ordersDocument, role } from './rigs/databases.ts';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';

const careful = `---
kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: clear out, statements: [delete_without_where], effect: ask, message: ask a colleague }
---
kind: role
version: v7
metadata: { name: reviewing }
spec:
  allow:
    rules:
      - { resources: [statement_review], verbs: [list, update] }
`;

test('what a guard asks about waits at the prompt, and a reviewer sees it with its plan, allows it, and refuses the next', async ({
  page,
  browser,
  ownGateway: gateway,
}) => {
  test.slow();
  const editor = await addPerson(gateway, 'ed', '--roles', 'editor');
  const postgres = await openOrders(await filesByWire(gateway.url, editor));
  const theirs = await browser.newContext();
  try {
    const file = test.info().outputPath('orders.yaml');
    await writeFile(file, `${role('shop', 'app')}${careful}---\n${ordersDocument(postgres)}`);
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,shop,careful');
    const rob = await addPerson(gateway, 'rob', '--roles', 'access,reviewing');

    const reviewer = await theirs.newPage();
    await carry(reviewer, gateway, rob.cookie);
    await reviewer.goto(`${gateway.url}/web`);
    await reviewer.getByRole('heading', { name: 'Servers' }).waitFor();
    await press(reviewer, 'g', 'e');
    await expect(
      reviewer.getByText('Statements, and requests to clusters, wait here when a guard of a role asks about them.'),
    ).toBeVisible();

    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await run(page, 'db orders');
    await expect(screen(page)).toContainText('orders=>');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await typeText(page, 'create temp table drafts as select 1 as id;\n');
    await expect(screen(page)).toContainText('SELECT 1');
    await typeText(page, 'delete from drafts;\n');
    await expect(screen(page)).toContainText('it waits for a reviewer until');

    // The list hears of it by itself.
    const statement = reviewer.getByRole('region', { name: 'The statement' });
    await expect(statement).toContainText('delete from drafts');
    await expect(statement).toContainText('guard "clear out" of role careful asks about delete without where');
    await expect(statement).toContainText('No plan: relation "drafts" does not exist');
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [name, width] of [
        ['wide', 1280],
        ['small', 390],
      ] as const) {
        await reviewer.emulateMedia({ colorScheme });
        await reviewer.setViewportSize({ width, height: 720 });
        await reviewer.screenshot({ path: test.info().outputPath(`reviews-${name}-${colorScheme}.png`) });
      }
    await reviewer.setViewportSize({ width: 1280, height: 720 });
    await reviewer.locator('tbody tr').first().focus();
    await press(reviewer, 'Shift+A');
    await expect(screen(page)).toContainText('DELETE 1');
    await expect(statement).toBeHidden();

    await typeText(page, 'delete from drafts;\n');
    await expect(statement).toContainText('delete from drafts');
    await reviewer.locator('tbody tr').first().focus();
    await press(reviewer, 'Shift+R');
    await expect(screen(page)).toContainText('rob has refused it');
  } finally {
    await theirs.close();
    await postgres.dispose();
  }
});
