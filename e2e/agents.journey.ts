// Agents by keyboard alone: one is delegated, works by the MCP SDK's own client, asks its person, is seen live and stopped, and played afterwards.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { connectAgent } from './rigs/agent.ts';
import { addPerson, carry, expect, press, run, test } from './rigs/journey.ts';

const ROLES = `kind: role
version: v7
metadata: {name: asking}
spec:
  options: {agents: ask}
  allow:
    rules:
      - {resources: [ssh_session], verbs: [list, read]}
`;

test('an agent that was delegated in the palette asks its person, runs, is seen live, is stopped, and its recording is played', async ({
  page,
  gateway,
}) => {
  const file = join(gateway.folder, 'agents.yaml');
  await writeFile(file, ROLES);
  await gateway.command('resources', 'apply', file);
  const ann = await addPerson(gateway, 'ann', '--roles', 'access,asking', '--logins', 'root');
  await carry(page, gateway, ann.cookie);
  await page.goto(`${gateway.url}/web`);
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await press(page, 'g', 'f');
  await expect(page.getByText('An agent is a program that works in your place')).toBeVisible();
  await run(page, 'agent add bot access 2h 100');
  const dialog = page.getByRole('dialog', { name: 'The token of agent bot' });
  const [token = ''] = /a[0-9a-f]{16}\.[0-9a-f]{64}/.exec((await dialog.textContent()) ?? '') ?? [];
  await press(page, 'Enter', 'Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('tbody tr')).toContainText('100 of 100');

  const agent = await connectAgent(gateway.url, token);
  const ran = agent.use('run_command', {
    server: hostname(),
    login: 'root',
    command: `echo begun; touch ${join(gateway.folder, 'begun')}; sleep 600`,
    reason: 'a look at the clock',
  });
  const asks = page.getByRole('region', { name: 'Agent bot asks' });
  await expect(asks).toContainText('a look at the clock');
  await expect(asks).toContainText('sleep 600');
  await asks.getByRole('button', { name: 'Allow once' }).focus();
  await press(page, 'Enter');
  await expect(asks).toHaveCount(0);
  await expect.poll(() => existsSync(join(gateway.folder, 'begun'))).toBe(true);
  await press(page, 'g', 'v');
  await expect(page.locator('tbody tr')).toContainText('ann (agent bot)');
  await run(page, 'stop agent bot');
  await expect(page.getByText('Sessions show up here')).toBeVisible();
  expect(await ran).toMatchObject({ isError: true, text: expect.stringContaining('Agent bot was stopped.') });
  await agent.close();
  await press(page, 'g', 'f');
  await expect(page.locator('tbody tr')).toContainText('Stopped');
  await press(page, 'g', 'r');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await press(page, 'j', 'Enter');
  await expect(page.locator('[data-player-screen]')).toBeVisible();
  await press(page, 'End');
  await expect(page.locator('[data-player-screen]')).toContainText('begun');
});
