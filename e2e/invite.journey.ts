// Inviting somebody who can open a shell, the one-time link, and what an administrator is asked before their own right goes; all by keyboard.
import { addPerson, carry, enter, expect, hold, press, test, typeText } from './rigs/journey.ts';

test('who is invited with a login gets a link that Enter copies, and that nobody loses by accident', async ({
  page,
  gateway,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, gateway);
  await press(page, 'g', 'u');
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
  const roles = await hold(page, '**/v1/webapi/roles');
  await page.getByRole('button', { name: /Invite a user/ }).press('Enter');
  const invite = page.getByRole('dialog', { name: 'Invite a user' });
  await expect(invite.getByLabel('User name')).toBeFocused();
  await typeText(page, 'dora');
  await invite.getByRole('combobox', { name: 'Roles' }).focus();
  await typeText(page, 'acc');
  // What is chosen of the roles before they have come is taken when they are there.
  await press(page, 'ArrowDown', 'Enter');
  await expect(invite.getByText('The known ones are on their way.')).toBeVisible();
  roles.letGo();
  await expect(invite.getByRole('button', { name: 'Take away access' })).toBeVisible();
  await invite.getByRole('combobox', { name: 'Server logins' }).focus();
  // What others have is offered; what nobody has yet can be typed.
  await expect(invite.getByRole('option', { name: 'root' })).toBeVisible();
  await typeText(page, 'deploy,');
  await invite.getByLabel('User name').focus();
  await press(page, 'Control+Enter');

  const link = page.getByRole('dialog', { name: 'dora has been invited' });
  await expect(link.getByRole('button', { name: 'Copy the link' })).toBeFocused();
  await press(page, 'Escape');
  await expect(link.getByText('The link has not been copied')).toBeVisible();
  await link.getByRole('button', { name: 'Copy the link' }).press('Enter');
  await expect(link.getByText('The link has been copied.')).toBeVisible();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('/web/invite/');
  await press(page, 'Enter');
  await expect(link).toBeHidden();

  // The link can be made anew from the row; the row stands first, since it was just made.
  const row = page.locator('tbody tr').first();
  await expect(row).toContainText('dora');
  await row.focus();
  await press(page, '.');
  await page.getByRole('menuitem', { name: 'Make a new invite link' }).press('Enter');
  await expect(link).toBeVisible();
  await press(page, 'Enter', 'Enter');
  await expect(link).toBeHidden();

  // Editing begins with what is kept, and says what is added and taken away.
  await row.focus();
  await press(page, 'Enter');
  const edit = page.getByRole('dialog', { name: 'Roles of dora' });
  await expect(edit.getByRole('combobox', { name: 'Roles' })).toBeFocused();
  await expect(edit.getByRole('button', { name: 'Take away deploy' })).toBeVisible();
  await typeText(page, 'auditor,');
  await press(page, 'Backspace', 'Backspace');
  await typeText(page, 'auditor,');
  await expect(edit.getByText('This adds auditor, takes away access.')).toBeVisible();
  await press(page, 'Enter');
  await expect(page.getByText('dora now holds auditor')).toBeVisible();
});

test('an administrator is asked in words before their own last right goes, and not for other changes', async ({
  page,
  gateway,
}) => {
  await carry(page, gateway, (await addPerson(gateway, 'eve', '--roles', 'access,editor')).cookie);
  await page.goto(`${gateway.url}/web/users`);
  const row = page.locator('tbody tr').filter({ hasText: /^eve/ });
  const edit = page.getByRole('dialog', { name: 'Roles of eve' });
  await row.focus();
  await press(page, 'Enter');
  await edit.getByRole('button', { name: 'Take away access' }).click();
  await expect(edit.getByText('This takes away access.')).toBeVisible();
  await press(page, 'Enter');
  await expect(page.getByText('eve now holds editor')).toBeVisible();
  await row.focus();
  await press(page, 'Enter');
  await edit.getByRole('combobox', { name: 'Roles' }).focus();
  await typeText(page, 'access,');
  await edit.getByRole('button', { name: 'Take away editor' }).click();
  await press(page, 'Enter');
  const question = page.getByRole('alertdialog', { name: 'Take your own right to edit users and roles?' });
  await expect(question.getByText('only somebody else can give it back')).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(edit).toBeVisible();
  await expect(row).toContainText('editor');
});
