// Login rules by keyboard: written with completion and the gateway's own words, looked at before they are saved, tried on somebody, and deleted.
import { enter, expect, press, run, test } from './rigs/journey.ts';

const ruleOf = (expression: string): string =>
  `kind: login_rule\nversion: v1\nmetadata:\n  name: teams\nspec:\n  priority: 3\n  traits_expression: ${expression}\n`;

test('a login rule is written, looked at and tried before it is saved, tried with the others, and deleted', async ({
  page,
  gateway,
}) => {
  await enter(page, gateway);
  await run(page, 'Go to Login Rules');
  await expect(page.getByText('Login rules say what the traits of a sign-in become')).toBeVisible();

  await run(page, 'Create a login rule');
  const dialog = page.getByRole('dialog', { name: 'New login rule' });
  const text = dialog.locator('.cm-content');
  await expect(text).toBeFocused();
  const write = async (expression: string): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(ruleOf(expression))})`);
    await press(page, 'Control+a', 'Control+v');
    await expect(text).toContainText(expression);
  };
  await write('extrnal');
  await press(page, 'Control+Enter');
  // What the gateway cannot read is said with its place.
  await expect(dialog.getByRole('alert').first()).toContainText('YAML:7:');
  await write('external.put("team", set("shop"))');
  await press(page, 'Control+Enter');
  await expect(dialog.getByRole('region', { name: 'What changes in the text' })).toContainText('name: teams');
  await dialog.getByLabel('Test on the user').press('Enter');
  const step = dialog.getByRole('region', { name: 'teams' });
  await expect(step).toContainText('team');
  await expect(step).toContainText('shop');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByRole('log')).toContainText('The login rule teams has been saved');
  const row = page.locator('tbody tr').filter({ hasText: 'teams' });
  await expect(row).toContainText('3');

  await run(page, 'Test the login rules on a user', 'admin');
  const tried = page.getByRole('dialog', { name: 'Login rules on admin' });
  await expect(tried.getByRole('region', { name: 'teams' })).toContainText('shop');
  await expect(tried.getByRole('heading', { name: 'Traits of the session' })).toBeVisible();
  await expect(tried.getByRole('button', { name: 'Close' })).toBeFocused();
  await press(page, 'Enter');
  await expect(tried).toBeHidden();

  await run(page, 'Delete a login rule', 'teams');
  await page.getByRole('button', { name: 'Yes, remove' }).press('Enter');
  await expect(page.getByRole('log')).toContainText('The login rule teams has been deleted');
  await expect(row).toBeHidden();
});
