// A machine with an identity of its own, by keyboard alone: added by the palette, joined by one line, through the door with its certificate, and
// seen where people look; and the guide that gives a pipeline one.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { enter, expect, press, run, test, typeText } from './rigs/journey.ts';
import { postern } from './rigs/postern.ts';

test('a bot is added by the palette, joins by its line, opens a server, and is seen among users and in the audit log', async ({
  page,
  gateway,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, gateway);
  await run(page, '>Add a bot', 'ci', 'access', 'root');
  const made = page.getByRole('dialog', { name: 'Run this on the machine of ci' });
  await expect(made).toBeVisible();
  await press(page, 'Enter');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('postern bot start');
  const line = String(await page.evaluate('navigator.clipboard.readText()'));
  await press(page, 'Enter');
  await expect(made).toBeHidden();

  const folder = await mkdtemp(join(tmpdir(), 'postern-bot-'));
  try {
    const words = line.split(' ').slice(1);
    const joined = postern(folder, ...words, '--to', join(folder, 'bot'), '--oneshot');
    expect(await joined.status, joined.printed()).toBe(0);
    const own = `root@${hostname()}`;
    const ran = postern(
      folder,
      'ssh',
      own,
      '--session-file',
      join(folder, 'bot', 'session.json'),
      'echo',
      'by-$((6*7))',
    );
    expect(await ran.status, ran.printed()).toBe(0);
    expect(ran.printed()).toContain('by-42');
    // A plain ssh with the certificate, through the door.
    const ssh = promisify(execFile)('ssh', [
      ...['-F', join(folder, 'bot', 'ssh', 'config'), '-o', 'BatchMode=yes'],
      ...[own, 'echo plain $((6*7))'],
    ]);
    ssh.child.stdin?.end();
    expect((await ssh).stdout).toContain('plain 42');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  await press(page, 'g', 'u');
  const row = page.getByRole('row', { name: /^bot-ci/ });
  await expect(row).toContainText('Bot');
  await press(page, 'g', 'l');
  await expect(page.getByText(/Bot ci joined the cluster by method token/)).toBeVisible();
});

test('the guide for GitHub Actions makes role, bot and token, and shows the file', async ({ page, gateway }) => {
  await enter(page, gateway);
  await page.goto(`${gateway.url}/web/integrations/new/github-actions`);
  await expect(page.getByLabel('Bot name')).toBeFocused();
  await typeText(page, 'deploy');
  await press(page, 'Tab');
  await typeText(page, 'acme/shop');
  await press(page, 'Tab');
  await typeText(page, 'root');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Bot deploy can join' })).toBeFocused();
  await expect(page.getByText('id-token: write')).toBeVisible();
  await expect(page.getByText(/postern bot start --gateway \S+ --token t[0-9a-f]{10} --oneshot/)).toBeVisible();
  await press(page, 'g', 'u');
  await expect(page.getByRole('row', { name: /^bot-deploy/ })).toContainText('Bot');
});

// Rule 7.3: an AWS account is enrolled, edited and deleted
// Rule 2.5: a help tooltip shows by hover or click
// Rule 9: a tooltip is 350 px wide at most
test('an AWS account is enrolled by its form and the script, edited, and deleted', async ({ page, gateway }) => {
  await enter(page, gateway);
  await run(page, '>Enroll an integration', 'AWS OIDC');
  await expect(page.getByLabel('Integration name')).toBeFocused();
  await typeText(page, 'production');
  await expect(page.getByText(/awsoidc-idp\.sh\?integrationName=production&role=postern/)).toBeVisible();
  const arn = page.getByLabel('Role ARN', { exact: true });
  const mark = page.getByRole('button', { name: 'What is this: Role ARN' });
  const tip = page.getByRole('tooltip');
  await mark.hover();
  await expect(tip).toContainText('The script prints it at its end');
  await page.getByLabel('Integration name').hover();
  await expect(tip).toHaveCount(0);
  await mark.press('Enter');
  const { width = 0 } = (await tip.boundingBox()) ?? {};
  expect(width).toBeLessThanOrEqual(350);
  await press(page, 'Escape');
  await expect(tip).toHaveCount(0);
  await arn.focus();
  await typeText(page, 'arn:aws:s3:::bucket\n');
  await expect(page.getByText('invalid role ARN format').first()).toBeVisible();
  await arn.fill('arn:aws:iam::123456789012:role/postern');
  await press(page, 'Enter');
  const done = page.getByRole('dialog', { name: 'production has been enrolled' });
  await expect(done.getByRole('button', { name: 'Go to the list' })).toBeFocused();
  await done.getByRole('button', { name: 'Add another' }).press('Enter');
  await expect(page.getByLabel('Integration name')).toBeFocused();
  await typeText(page, 'test');
  await arn.fill('arn:aws:iam::123456789012:role/test');
  await press(page, 'Enter');
  await page
    .getByRole('dialog', { name: 'test has been enrolled' })
    .getByRole('button', { name: 'Go to the list' })
    .press('Enter');
  await expect(page.locator('tbody tr')).toHaveCount(2);

  await run(page, '>Edit an integration', 'production');
  const edit = page.getByRole('dialog', { name: /production/ });
  await expect(edit.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(edit.getByLabel('Name')).toHaveJSProperty('readOnly', true);
  await edit.getByLabel('Role ARN').fill('arn:aws:iam::123456789012:role/other');
  await press(page, 'Enter');
  await expect(page.getByRole('row', { name: /production/ })).toContainText('role/other');
  await run(page, '>Delete an integration', 'test');
  const question = page.getByRole('alertdialog', { name: 'Delete test?' });
  await question.getByRole('button', { name: 'Yes, delete' }).press('Enter');
  await expect(page.locator('tbody tr')).toHaveCount(1);
});

// Rule 1: bots and integrations
test('a bot is made by the form of its page, whose lines are copied, and its lock stands on its row', async ({
  page,
  gateway,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, gateway);
  await run(page, '>Go to Bots');
  await run(page, '>Fill in the form for a new bot');
  const form = page.getByRole('dialog', { name: 'Add a bot' });
  await expect(form.getByLabel('Bot name')).toBeFocused();
  await typeText(page, 'nightly');
  await press(page, 'Tab');
  await typeText(page, 'access');
  await press(page, 'Enter', 'Tab');
  await typeText(page, 'root');
  await press(page, 'Enter', 'Control+Enter');
  const made = page.getByRole('dialog', { name: 'Bot nightly can join' });
  await made.getByRole('button', { name: 'Copy the line for a service' }).press('Enter');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^postern bot start --gateway /);
  await made.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(made).toBeHidden();
  await run(page, '>Lock a bot', 'nightly', '1h', 'key was lost');
  const row = page.getByRole('row', { name: /nightly/ });
  await expect(row.getByRole('img', { name: /^Locked \(user bot-nightly\) until .*: key was lost$/ })).toBeVisible();
});
