// A session that may not go on with its owner alone, in two browsers: it waits, begins, pauses and ends as its moderator comes, goes and decides.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { addPerson, carry, expect, press, run, screen, test, typeText } from './rigs/journey.ts';

const ROLES = `kind: role
version: v7
metadata: { name: watched }
spec:
  allow:
    require_session_join:
      - { name: a lead, filter: 'contains(user.spec.roles, "lead")', kinds: [ssh], modes: [moderator], count: 1, on_leave: pause }
---
kind: role
version: v7
metadata: { name: lead }
spec: { allow: { join_sessions: [{ name: all, roles: [watched], kinds: [ssh], modes: [moderator, observer] }] } }
`;

test('a watched session waits for its moderator, runs, pauses, and ends as they say', async ({
  page,
  gateway,
  browser,
}) => {
  const file = join(gateway.folder, 'watched.yaml');
  await writeFile(file, ROLES);
  await gateway.command('resources', 'apply', file);
  const { username } = userInfo();
  const walt = await addPerson(gateway, 'walt', '--roles', 'access,watched', '--logins', username);
  const lena = await addPerson(gateway, 'lena', '--roles', 'lead');
  const nick = await addPerson(gateway, 'nick', '--roles', 'access');
  await carry(page, gateway, walt.cookie);
  await page.goto(`${gateway.url}/web`);
  await page.locator('tbody tr').first().waitFor();
  await run(page, `ssh ${username}@${hostname()}`);
  const why = 'The session begins when those are here who must be: 1 moderator (a lead).';
  await expect(screen(page)).toContainText(why);
  await expect(page.getByText(why).last()).toBeVisible();
  await expect(page.locator('footer')).toContainText('waits for others');
  await typeText(page, 'echo too early\n');

  await press(page, 'Control+Shift+k');
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await typeText(page, 'invite to this session\n');
  await expect(page.getByRole('option', { name: /moderator/i })).toBeVisible();
  await typeText(page, 'moderator\n');
  await expect(page.getByText('Link to join the session as moderator copied')).toBeVisible();
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await carry(other, gateway, nick.cookie);
  await other.goto(link);
  await expect(other.getByText('no role lets you join this session').last()).toBeVisible();
  await context.clearCookies();
  await carry(other, gateway, lena.cookie);
  await other.goto(link);
  await expect(screen(other)).toContainText('Everybody is here: the session begins.');
  await expect(page.getByRole('tab')).toHaveAccessibleName(/, lena moderates$/);
  await page.locator('.xterm:visible').first().click();
  await typeText(page, 'echo "seen $((40+2))"\n');
  await expect(screen(other)).toContainText('seen 42');
  await expect(screen(page)).not.toContainText('too early');

  // A transfer that is asked for beside the shell is seen by all, and its approval is the moderator's.
  const sid = new URL(link).pathname.split('/').at(-1) ?? '';
  const beside = await walt.shell({ server_id: '', login: '', sid });
  beside.frame('f', '{"event":"file_transfer_request","download":true,"location":"/etc/hosts"}');
  const requests = page.getByRole('region', { name: 'File transfer requests' });
  await expect(requests).toContainText('Your download of /etc/hosts');
  await other.getByRole('button', { name: 'Approve the download of /etc/hosts' }).focus();
  await press(other, 'Enter');
  await expect(requests).toHaveCount(0);
  beside.close();

  // In the panes as well: a folder is looked through, and what is moved and deleted there is approved one by one.
  const folder = await mkdtemp(join(tmpdir(), 'postern-journey-approved-'));
  try {
    await writeFile(join(folder, 'kept'), '');
    await writeFile(join(folder, 'lost'), '');
    await press(page, 'Control+Shift+k');
    await expect(page.getByRole('combobox').first()).toBeFocused();
    await typeText(page, `files ${username}@${hostname()}\n`);
    const left = page.getByRole('region', { name: /^Left pane: / });
    const rows = left.locator('tbody tr');
    const approve = async (what: string): Promise<void> => {
      await expect(page.getByText('The others in your session there have been asked').last()).toBeVisible();
      await other.getByRole('button', { name: `Approve the ${what}` }).press('Enter');
    };
    await approve('look through');
    await expect(rows.first()).toBeVisible();
    await left.getByRole('textbox').first().fill(folder);
    await press(page, 'Enter');
    await approve(`look through ${folder}`);
    await expect(rows).toHaveText([/^kept/, /^lost/]);
    await rows.last().focus();
    await press(page, 'F8');
    await page.getByRole('button', { name: 'Delete', exact: true }).last().press('Enter');
    await approve(`removal of ${folder}/lost`);
    await expect(rows).toHaveText([/^kept/]);
    await rows.first().focus();
    await press(page, 'F6');
    await page.getByRole('textbox', { name: 'New name or place' }).fill('moved');
    await press(page, 'Enter');
    await approve(`move of ${folder}/kept to ${folder}/moved`);
    await expect(rows).toHaveText([/^moved/]);
    expect(await readdir(folder)).toEqual(['moved']);
    await page.goBack();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  await other.locator('.xterm:visible').first().click();
  await press(other, 'Control+Shift+h');
  await expect(page.getByText('The session was paused by lena, a moderator.').last()).toBeVisible();
  // The same keys let it go on once her own console knows that it is paused.
  await expect(other.locator('footer')).toContainText('paused');
  await press(other, 'Control+Shift+h');
  await expect(screen(page)).toContainText('The session goes on.');
  await press(other, 'Control+c');
  await expect(page.locator('footer')).toContainText('paused');
  await expect(other.locator('.xterm:visible')).toHaveCount(0);
  await other.goto(link);
  await expect(page.locator('footer')).toContainText('lena moderates');
  await other.locator('.xterm:visible').first().click();
  await press(other, 't');
  await expect(other.getByRole('alertdialog').or(other.getByRole('dialog'))).toContainText('End this session?');
  await other.getByRole('button', { name: 'End the session' }).focus();
  await press(other, 'Enter');
  await expect(page.getByText('The session was ended by lena, a moderator.').first()).toBeVisible();
  await context.close();
});
