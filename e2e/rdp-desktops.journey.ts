// RDP desktops by keyboard: opened from the palette, typed into, compared with what the server itself has on its screen, and played back.
import { writeFile } from 'node:fs/promises';
import { addPerson, carry, expect, press, run, test, typeText } from './rigs/journey.ts';
import { difference, isPlain, pictureOf } from './rigs/pictures.ts';
import { openRdpDesktop } from './rigs/rdp-desktop.ts';

const resources = (port: number): string => `kind: role
version: v7
metadata: { name: office }
spec:
  options: { reach_loopback: true, desktop_clipboard: true }
  allow:
    windows_desktop_labels: { env: office }
    windows_desktop_logins: [alice]
---
kind: windows_desktop
version: v3
metadata: { name: win-7, labels: { env: office } }
spec: { addr: "127.0.0.1:${port}", protocol: rdp }
`;

test('an RDP desktop opens from the palette, takes keys and shows what the server has', async ({
  page,
  ownGateway: gateway,
}) => {
  // Four of them side by side take two cores a minute.
  test.setTimeout(180_000);
  const rdp = await openRdpDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    await writeFile(file, resources(rdp.port));
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,office');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    const desktop = await page.context().newPage();
    await desktop.goto(`${gateway.url}/web`);
    await desktop.getByRole('heading', { name: 'Servers' }).waitFor();
    await run(desktop, 'desktop alice@win-7');
    const logIn = async (): Promise<void> => {
      await desktop.getByRole('textbox', { name: 'Password of the desktop' }).fill('secret of alice');
      await press(desktop, 'Enter');
      await desktop.locator('[data-desktop=shown] canvas').waitFor();
    };
    await logIn();
    // An engine that dies is not used again: another copy of it draws the desktop anew.
    const copy = desktop.waitForRequest(/\?again=1$/);
    await desktop.evaluate(() => void Promise.reject(new WebAssembly.RuntimeError('unreachable')));
    await logIn();
    await copy;
    // All the room there is.
    await press(desktop, 'Control+Shift+Enter');
    await desktop.mouse.move(300, 300);
    // By their places on a keyboard: Shift is a key of its own.
    await typeText(desktop, 'echo typed-42 ');
    await press(desktop, 'Shift+Period');
    await typeText(desktop, ' proof\n');
    await expect.poll(() => rdp.read('proof')).toBe('typed-42\n');
    // Text goes between the clipboards, both ways.
    await desktop.evaluate("navigator.clipboard.writeText('from the browser')");
    await desktop.mouse.click(300, 300);
    await typeText(desktop, 'tee pasted\n');
    await expect
      .poll(async () => {
        await press(desktop, 'Shift+Insert', 'Enter');
        return rdp.read('pasted');
      })
      .toContain('from the browser');
    // A text that was pasted last may still come, also into the middle of a line: then the line is typed anew.
    await expect
      .poll(async () => {
        await press(desktop, 'Control+c');
        await typeText(desktop, 'clear; echo fromthere ');
        await press(desktop, 'Shift+Backslash');
        await typeText(desktop, ' tee told\n');
        return rdp.read('told');
      })
      .toBe('fromthere\n');
    await expect
      .poll(async () => {
        await desktop.locator('[data-desktop] canvas').dblclick({ position: { x: 30, y: 9 } });
        const copied = await desktop.evaluate('navigator.clipboard.readText()');
        if (copied !== 'fromthere') {
          await press(desktop, 'Control+c');
          await typeText(desktop, 'clear; echo fromthere\n');
        }
        return copied;
      })
      .toBe('fromthere');
    // The desktop follows the room there is; what was drawn before is played in its own size.
    await desktop.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => rdp.size()).toMatch(/^1200x7\d\d$/);
    const [ours, theirs] = [test.info().outputPath('page.png'), test.info().outputPath('server.png')];
    // A screen that has become another size is black until what is on it is drawn anew: that is not its end.
    await expect
      .poll(async () => {
        await pictureOf(desktop, ours);
        rdp.picture(theirs);
        return isPlain(theirs) ? 1 : difference(ours, theirs);
      })
      .toBeLessThan(0.02);
    // One chord gives the keys back to the page: the next one is its own.
    await press(desktop, 'Control+Shift+Space', 'g', 'w');
    await desktop.getByRole('heading', { name: 'Desktops' }).waitFor();
    await desktop.close();

    // What was recorded plays to the picture that the server had at its end, also after going back.
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/recordings`);
    // The engine's death has ended one before it.
    await page.getByRole('button', { name: 'Play win-7' }).first().press('Enter');
    await page.locator('[data-desktop=recorded] canvas').waitFor();
    await expect(page.getByRole('button', { name: /^(Play|Pause)$/ })).toBeVisible();
    const shown = test.info().outputPath('played.png');
    const showsTheEnd = () =>
      expect
        .poll(async () => {
          await pictureOf(page, shown);
          return difference(shown, theirs);
        })
        .toBeLessThan(0.02);
    for (const keys of [['End'], ['Home', 'End']]) {
      await press(page, ...keys);
      await showsTheEnd();
    }
    // What was shared is named, and nothing of what it held is.
    await expect(page.getByText(/^Shared with the desktop: /)).toBeVisible();
  } finally {
    await rdp.dispose();
  }
});
