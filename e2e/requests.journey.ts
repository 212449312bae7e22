// Access requests by keyboard alone: from a server that somebody may not open to its open shell, and the review in between.

import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { addPerson, carry, expect, gotoListening, press, screen, test, typeText } from './rigs/journey.ts';

const ROLES = `kind: role
version: v7
metadata: {name: looker}
spec:
  allow:
    node_labels: {'*': '*'}
    request: {search_as_roles: [rooter], annotations: {ticket: [CHG-4711]}}
---
kind: role
version: v7
metadata: {name: rooter}
spec:
  allow:
    logins: [root]
    node_labels: {'*': '*'}
---
kind: role
version: v7
metadata: {name: reviewing}
spec:
  allow:
    review_requests: {roles: [rooter], preview_as_roles: [rooter]}
`;

/** Hands that count what they press. */
function counting(page: Page) {
  let keys = 0;
  return {
    keys: () => keys,
    press: async (...pressed: readonly string[]) => {
      keys += pressed.length;
      await press(page, ...pressed);
    },
    type: async (text: string) => {
      keys += text.length;
      await typeText(page, text);
    },
  };
}

test('from a refused server to its open shell takes at most 20 keys of whoever asks, and 4 of whoever reviews', async ({
  gateway,
  browser,
}) => {
  const file = join(gateway.folder, 'requests.yaml');
  await writeFile(file, ROLES);
  await gateway.command('resources', 'apply', file);
  const ann = await addPerson(gateway, 'ann', '--roles', 'looker');
  const rae = await addPerson(gateway, 'rae', '--roles', 'reviewing');
  const open = async (cookie: string): Promise<Page> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await carry(page, gateway, cookie);
    await gotoListening(page, `${gateway.url}/web`);
    return page;
  };
  const hers = await open(ann.cookie);
  const reviewers = await open(rae.cookie);
  const [asker, reviewer] = [counting(hers), counting(reviewers)];

  // The server is there and cannot be opened: Enter says why, and offers what would help.
  await expect(hers.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await expect(hers.locator('tbody tr')).toHaveCount(1);
  await asker.press('Enter');
  await expect(hers.getByLabel('Why you need it')).toBeFocused();
  await asker.type('4711');
  await asker.press('Enter');
  await expect(hers.getByText(/Asked for .*: it waits for a review/)).toBeVisible();

  await expect(reviewers.getByText('1 access request waits for your review')).toBeVisible({ timeout: 15_000 });
  await reviewer.press('g', 'q');
  const look = reviewers.getByRole('region', { name: 'The access request' });
  await expect(look).toContainText(`${hostname()} as root`);
  await expect(look).toContainText('4711');
  // What the asker's roles say of it, and the labels of the server, which only a role of the request shows.
  await expect(look).toContainText('CHG-4711');
  await expect(look.getByRole('listitem').first()).toContainText(`os: ${process.platform}`);
  await reviewer.press('j', 'Shift+Y');
  await expect(reviewers.getByText(/^ann has .* until /)).toBeVisible();

  await expect(hers.getByText(/^You may use .* now/)).toBeVisible({ timeout: 15_000 });
  await asker.press('g', 'q');
  await expect(hers.locator('tbody tr')).toContainText('Approved');
  await asker.press('Enter');
  await expect(hers.getByRole('status').filter({ hasText: 'by an access request, until' })).toBeVisible();
  await asker.press('g', 's');
  await expect(hers.locator('tbody tr')).toHaveCount(1);
  await asker.press('Enter');
  await expect(screen(hers)).toContainText('#');
  expect(asker.keys()).toBeLessThanOrEqual(20);
  expect(reviewer.keys()).toBeLessThanOrEqual(4);

  // What is withdrawn ends the shell that it opened.
  const { items } = (await ann.call('GET', `sites/${ann.cluster}/accessrequests`)) as { items: { id: string }[] };
  await ann.call('DELETE', `sites/${ann.cluster}/accessrequests/${items[0]?.id}`);
  await expect(hers.getByText(/may no longer log in to/).first()).toBeVisible();
  await hers.context().close();
  await reviewers.context().close();
});
