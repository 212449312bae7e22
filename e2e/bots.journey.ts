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
