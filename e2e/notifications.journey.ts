// Notifications by keyboard alone: what one person asks for stands under the other's bell at once, and in a channel outside.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { openVendors } from '../src/gateway/services/plugins/vendors.testing.ts';
import { addPerson, carry, enter, expect, press, test, typeText } from './rigs/journey.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

const ROLES = `kind: role
version: v7
metadata: {name: asker}
spec: {allow: {request: {roles: [dba]}}}
---
kind: role
version: v7
metadata: {name: dba}
spec: {allow: {logins: [root]}}
---
kind: role
version: v7
metadata: {name: reviewing}
spec: {allow: {review_requests: {roles: [dba]}}}
`;

// Rule 2.3: what is told, and to whom
// Rule 2.3: a dot shows when notifications exist, and choosing one closes the dropdown
test('a plugin is enrolled by its form; a request reaches the bell of its reviewer and the channel, and its answer whoever asked', async ({
  browser,
  page: admin,
}) => {
  // What waits for a person is asked for some seconds after the page, and three pages wait for it.
  test.setTimeout(60_000);
  const vendors = await openVendors();
  const gateway = await openPreparedGateway({ flags: ['--plugins-loopback'] });
  try {
    const file = join(gateway.folder, 'roles.yaml');
    await writeFile(file, ROLES);
    await gateway.command('resources', 'apply', file);
    const open = async (of: string): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      await carry(page, gateway, of);
      const told = page.waitForResponse(answer => answer.url().endsWith('/notifications'));
      await page.goto(`${gateway.url}/web/account`);
      await expect(page.getByText('keys → page')).toBeVisible();
      // What waits for a person is asked for last: then every key is heard.
      await told;
      return page;
    };
    await enter(admin, gateway);
    await press(admin, 'g', 'z');
    await expect(admin.getByRole('heading', { name: 'No integrations yet' })).toBeVisible();
    await admin.getByRole('button', { name: 'Enroll New Integration' }).first().focus();
    await press(admin, 'Enter');
    await admin.getByRole('link', { name: /^Slack/ }).focus();
    await press(admin, 'Enter');
    await expect(admin.getByLabel('Name', { exact: true })).toBeFocused();
    await press(admin, 'Tab');
    await typeText(admin, `${vendors.specOf('slack').url}\n`);
    await expect(admin.locator('tbody tr')).toContainText('Running');
    expect(vendors.taken).toMatchObject([{ kind: 'slack', text: expect.stringContaining('Test message') }]);

    const ann = await addPerson(gateway, 'ann', '--roles', 'asker');
    const rae = await addPerson(gateway, 'rae', '--roles', 'reviewing');
    const [hers, reviewers] = await Promise.all([open(ann.cookie), open(rae.cookie)]);
    await press(reviewers, 'Shift+b');
    await expect(reviewers.getByText('No notifications')).toBeVisible();
    await press(reviewers, 'Escape');
    await ann.call('POST', `sites/${ann.cluster}/accessrequests`, { roles: ['dba'], reason: 'incident 4711' });
    await expect(reviewers.getByRole('button', { name: 'Notifications: 1' })).toBeVisible();
    await expect
      .poll(() => vendors.taken.map(({ text }) => text).join('\n'))
      .toContain('ann asks for dba\nincident 4711');
    await press(reviewers, 'Shift+b');
    await expect(reviewers.getByText('Access requests to review')).toBeVisible();
    await expect(reviewers.getByRole('menuitem', { name: /ann asks for dba/ })).toBeFocused();
    await press(reviewers, 'Enter');
    await expect(reviewers).toHaveURL(/\/web\/accessrequest\?request=/);
    await expect(reviewers.getByRole('region', { name: 'The access request' })).toContainText('incident 4711');
    // Read here is read on every device of hers.
    const elsewhere = await open(rae.cookie);
    await expect(elsewhere.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

    const { items } = (await rae.call('GET', `sites/${rae.cluster}/accessrequests`)) as { items: { id: string }[] };
    await rae.call('PUT', `sites/${rae.cluster}/accessrequests/${items[0]?.id}`, { state: 'APPROVED' });
    await expect(hers.getByRole('button', { name: 'Notifications: 1' })).toBeVisible();
    await press(hers, 'Shift+b');
    await expect(hers.getByRole('menuitem', { name: /Your request for dba was approved/ })).toBeVisible();
    await expect
      .poll(() => vendors.taken.map(({ text }) => text).join('\n'))
      .toContain('Approved: dba for ann\nBy rae');
  } finally {
    await gateway.dispose();
    await vendors.close();
  }
});
