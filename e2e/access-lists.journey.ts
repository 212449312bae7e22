// Access lists by keyboard alone: an owner takes somebody in, who reaches servers at once, and reviews them out again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { addPerson, carry, expect, gotoListening, press, screen, test, typeText } from './rigs/journey.ts';

const ROLES = `kind: role
version: v7
metadata: {name: nothing}
spec: {allow: {}}
---
kind: role
version: v7
metadata: {name: rooter}
spec:
  allow:
    logins: [root]
    node_labels: {'*': '*'}
`;
const LIST = `kind: access_list
version: v1
metadata: {name: on-call}
spec:
  title: Database on call
  owners: [{name: olga}]
  audit: {next_audit_date: 2030-01-01T00:00:00Z}
  grants: {roles: [rooter]}
`;

// Rule 1: access lists
test('an owner adds a member, who reaches the servers at once; a review takes them out, and their open shell ends', async ({
  gateway,
  browser,
}) => {
  const file = join(gateway.folder, 'lists.yaml');
  await writeFile(file, ROLES);
  await gateway.command('resources', 'apply', file);
  const olga = await addPerson(gateway, 'olga', '--roles', 'nothing');
  const kim = await addPerson(gateway, 'kim', '--roles', 'nothing');
  await writeFile(file, LIST);
  await gateway.command('resources', 'apply', file);
  const open = async (cookie: string): Promise<Page> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await carry(page, gateway, cookie);
    await gotoListening(page, `${gateway.url}/web/cluster/-current-/nodes`);
    return page;
  };
  const owners = await open(olga.cookie);
  const members = await open(kim.cookie);
  await expect(members.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
  await expect(members.locator('tbody tr')).toHaveCount(0);

  await press(owners, 'g', '.');
  await expect(owners.locator('tbody tr')).toContainText('Database on call');
  await press(owners, 'Enter');
  await expect(owners.getByRole('heading', { name: 'Database on call' })).toBeVisible();
  await press(owners, 'Control+K');
  await typeText(owners, 'add a member');
  await press(owners, 'Enter');
  await expect(owners.getByPlaceholder(/A user, or list:NAME/)).toBeVisible();
  await typeText(owners, 'kim');
  await press(owners, 'Enter');
  await expect(owners.getByPlaceholder(/For how long/)).toBeVisible();
  await press(owners, 'Enter');
  await expect(owners.getByPlaceholder(/Why, for whoever/)).toBeVisible();
  await typeText(owners, 'rota');
  await press(owners, 'Enter');
  await expect(owners.getByText('kim is in Database on call')).toBeVisible();
  await expect(owners.locator('tbody tr')).toContainText('rota');

  // Nobody loads anything anew: the servers come by themselves.
  await expect(members.locator('tbody tr')).toHaveCount(1);
  await press(members, 'Enter');
  await expect(screen(members)).toContainText('#');

  await press(owners, 'Control+K');
  await typeText(owners, 'review an access list');
  await press(owners, 'Enter');
  await expect(owners.getByRole('heading', { name: 'Review of Database on call' })).toBeVisible();
  await press(owners, 'j', 'Enter');
  await expect(owners.getByText('0 stay, 1 goes')).toBeVisible();
  await owners.getByLabel('Notes').focus();
  await typeText(owners, 'left the team');
  await press(owners, 'Enter');
  await expect(owners.getByText(/is reviewed; the next review is due on Jul 01, 2030/)).toBeVisible();
  await expect(owners.getByText('olga kept 0 and removed kim: left the team')).toBeVisible();
  await expect(members.getByText(/may no longer log in to/).first()).toBeVisible();
  await owners.context().close();
  await members.context().close();
});

test('twenty members are reviewed by keyboard with a key for each and four more', async ({ gateway, browser }) => {
  const names = Array.from({ length: 20 }, (_, index) => `member-${String(index + 1).padStart(2, '0')}`);
  const users = names.map(name => `kind: user\nversion: v2\nmetadata: {name: ${name}}\nspec: {roles: [nothing]}\n`);
  const file = join(gateway.folder, 'twenty.yaml');
  await writeFile(file, `${ROLES}---\n${users.join('---\n')}`);
  await gateway.command('resources', 'apply', file);
  const owen = await addPerson(gateway, 'owen', '--roles', 'nothing');
  const list = LIST.replace('name: on-call', 'name: twenty').replace('olga', 'owen');
  await writeFile(file, `${list}  members: [${names.map(name => `{name: ${name}}`).join(', ')}]\n`);
  await gateway.command('resources', 'apply', file);
  const context = await browser.newContext();
  const page = await context.newPage();
  await carry(page, gateway, owen.cookie);
  await gotoListening(page, `${gateway.url}/web/accesslists/twenty?review=yes`);
  await expect(page.getByText('20 stay, 0 go')).toBeVisible();
  let keys = 0;
  const pressed = async (...some: readonly string[]): Promise<void> => {
    keys += some.length;
    await press(page, ...some);
  };
  for (const [index, name] of names.entries()) {
    // The first has the keys already.
    if (index > 0) await pressed('j');
    if (index % 7 === 3) {
      await pressed('Enter');
      await expect(page.getByRole('button', { name: `Keep ${name}` })).toBeVisible();
    }
  }
  await expect(page.getByText('17 stay, 3 go')).toBeVisible();
  await pressed('Tab', 'Enter');
  await expect(page.getByText(/owen kept 17 and removed member-04, member-11, member-18/)).toBeVisible();
  // Under a minute, at two seconds a key.
  expect(keys).toBe(24);
  await context.close();
});
