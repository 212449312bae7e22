// Desktops by keyboard: opened from the palette, typed into, given back to the page, compared with what the server itself has on its screen.
import { writeFile } from 'node:fs/promises';
import { addPerson, carry, expect, press, run, test } from './rigs/journey.ts';
import { difference, pictureOf } from './rigs/pictures.ts';
import { openVncDesktop } from './rigs/vnc-desktop.ts';

const resources = (port: number, protocol: string): string => `kind: role
version: v7
metadata: { name: office }
spec:
  options: { reach_loopback: true }
  allow:
    windows_desktop_labels: { env: office }
    windows_desktop_logins: [alice]
---
kind: windows_desktop
version: v3
metadata: { name: lab, labels: { env: office } }
spec: { addr: "127.0.0.1:${port}", protocol: ${protocol} }
`;

test('a VNC desktop opens from the palette, takes keys, shows what the server has, and gives the keys back', async ({
  page,
  ownGateway: gateway,
}) => {
  const vnc = await openVncDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    await writeFile(file, resources(vnc.port, 'vnc'));
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,office');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    const opened = page.waitForEvent('popup');
    await run(page, 'desktop alice@lab');
    const desktop = await opened;
    await desktop.getByRole('textbox', { name: 'Password of the desktop' }).fill(vnc.password);
    await press(desktop, 'Enter');
    await desktop.locator('[data-desktop=shown] canvas').waitFor();
    await expect(desktop).toHaveTitle(/alice@lab/);
    // The desktop follows the room there is.
    const room = await desktop
      .locator('[data-desktop]')
      .evaluate(element => `${element.clientWidth}x${element.clientHeight}`);
    await expect.poll(() => vnc.size()).toBe(room);
    await desktop.mouse.move(200, 200);
    await desktop.keyboard.type('echo typed-$((6*7)) > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('typed-42\n');
    const [ours, theirs] = [test.info().outputPath('page.png'), test.info().outputPath('server.png')];
    await expect
      .poll(async () => {
        await pictureOf(desktop, ours);
        vnc.picture(theirs);
        return difference(ours, theirs);
      })
      .toBeLessThan(0.02);
    // What the desktop does not do is said, and read by keyboard.
    await press(desktop, 'Control+Shift+k');
    await desktop.keyboard.type('warnings about');
    await press(desktop, 'Enter');
    await expect(desktop.getByText('VNC has no way to')).toBeVisible();
    await press(desktop, 'Enter');
    await expect(desktop.getByRole('button', { name: 'Warnings (0)' })).toBeVisible();
    await press(desktop, 'Escape');
    await expect(desktop.getByText('keys → desktop')).toBeVisible();
    // One chord gives the keys back to the page: the next one is its own.
    await press(desktop, 'Control+Shift+Space', 'g', 'w');
    await desktop.getByRole('heading', { name: 'Desktops' }).waitFor();
    await desktop.close();
    const last = test.info().outputPath('last.png');
    vnc.picture(last);
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/sessions`);
    await expect(page.getByRole('row').filter({ hasText: 'lab' })).toHaveCount(0);

    // What was recorded plays to the picture that the server had at its end, and back to one that it had before.
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/recordings`);
    await page.getByRole('button', { name: 'Play lab' }).press('Enter');
    await page.locator('[data-desktop=recorded] canvas').waitFor();
    await expect(page.getByRole('button', { name: /^(Play|Pause)$/ })).toBeVisible();
    await press(page, 'End');
    const shown = test.info().outputPath('played.png');
    await expect
      .poll(async () => {
        await pictureOf(page, shown);
        return difference(shown, last);
      })
      .toBeLessThan(0.02);
    await press(page, 'Home', 'End');
    await expect
      .poll(async () => {
        await pictureOf(page, shown);
        return difference(shown, last);
      })
      .toBeLessThan(0.02);
  } finally {
    await vnc.dispose();
  }
});

test('somebody whose roles let them watches a desktop from the list of sessions, and its owner sees who', async ({
  page,
  ownGateway: gateway,
}) => {
  const vnc = await openVncDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    const help = `---
kind: role
version: v7
metadata: { name: helpdesk }
spec: { allow: { join_sessions: [{ name: office, roles: [office], kinds: [desktop], modes: [observer] }] } }
`;
    await writeFile(file, resources(vnc.port, 'vnc') + help);
    await gateway.command('resources', 'apply', file);
    const [dora, otto] = [
      await addPerson(gateway, 'dora', '--roles', 'access,office'),
      await addPerson(gateway, 'otto', '--roles', 'helpdesk'),
    ];
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/desktops/lab/alice`);
    await page.getByRole('textbox', { name: 'Password of the desktop' }).fill(vnc.password);
    await press(page, 'Enter');
    await page.locator('[data-desktop=shown] canvas').waitFor();
    await page.mouse.move(200, 200);
    await page.keyboard.type('echo before-42 > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('before-42\n');

    const context = await page.context().browser()?.newContext();
    if (!context) throw new Error('no browser');
    const other = await context.newPage();
    await carry(other, gateway, otto.cookie);
    await other.goto(`${gateway.url}/web/cluster/${dora.cluster}/sessions`);
    const opened = other.waitForEvent('popup');
    await other.getByRole('button', { name: 'Join alice@lab' }).press('Enter');
    const watching = await opened;
    await watching.locator('[data-desktop=watched] canvas').waitFor();
    await expect(watching.getByText('you watch dora')).toBeVisible();
    await expect(page.getByText('watched by otto')).toHaveCount(2);
    // What was drawn before, and what is drawn now.
    await page.keyboard.type('echo after-42 > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('after-42\n');
    const [ours, theirs] = [test.info().outputPath('page.png'), test.info().outputPath('server.png')];
    await expect
      .poll(async () => {
        await pictureOf(watching, ours);
        vnc.picture(theirs);
        return difference(ours, theirs);
      })
      .toBeLessThan(0.02);
    await watching.screenshot({ path: test.info().outputPath('watching.png') });
    await page.screenshot({ path: test.info().outputPath('watched.png') });
    // Nothing that they press reaches it.
    await watching.mouse.click(200, 200);
    await watching.keyboard.type('echo intruder > proof\n');
    await watching.close();
    await expect(page.getByText('watched by otto')).toHaveCount(0);
    expect(vnc.read('proof')).toBe('after-42\n');
    await context.close();
    // What draws it is gone before the server is.
    await page.goto('about:blank');
  } finally {
    await vnc.dispose();
  }
});
