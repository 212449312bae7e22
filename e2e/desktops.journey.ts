// Desktops by keyboard: opened from the palette, typed into, given back to the page, compared with what the server itself has on its screen.
import { readFile, writeFile } from 'node:fs/promises';
import type { BrowserContext } from 'playwright/test';
import { addPerson, carry, expect, openShell, press, test, typeText } from './rigs/journey.ts';
import { difference, isPlain, pictureOf } from './rigs/pictures.ts';
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

test('a VNC desktop on a page of its own takes keys, shows what the server has, and gives the keys back', async ({
  page,
  ownGateway: gateway,
}) => {
  // Four of them side by side take two cores a minute.
  test.setTimeout(180_000);
  const vnc = await openVncDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    await writeFile(file, resources(vnc.port, 'vnc'));
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,office');
    await carry(page, gateway, dora.cookie);
    const desktop = await page.context().newPage();
    await desktop.goto(`${gateway.url}/web/cluster/${dora.cluster}/desktops/lab/alice`);
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
    await typeText(desktop, 'echo typed-$((6*7)) > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('typed-42\n');
    const [ours, theirs] = [test.info().outputPath('page.png'), test.info().outputPath('server.png')];
    await expect
      .poll(async () => {
        await pictureOf(desktop, ours);
        vnc.picture(theirs);
        return isPlain(theirs) ? 1 : difference(ours, theirs);
      })
      .toBeLessThan(0.02);
    // What the desktop does not do is said, and read by keyboard.
    await press(desktop, 'Control+Shift+k');
    await typeText(desktop, 'warnings about');
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

    // A video of it: given up with a key, and made whole. Its last picture is the last one of the desktop.
    await press(page, 'v');
    await expect(page.getByRole('progressbar', { name: /^Making a video/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel the video' })).toBeFocused();
    await page.screenshot({ path: test.info().outputPath('video.png') });
    await press(page, 'Enter');
    await expect(page.getByText('The video was given up')).toBeVisible();
    await expect(page.getByRole('progressbar', { name: /^Making a video/ })).toHaveCount(0);
    for (let faster = 0; faster < 4; faster += 1) await press(page, '>');
    const downloaded = page.waitForEvent('download');
    await press(page, 'v');
    const video = await downloaded;
    expect(video.suggestedFilename()).toMatch(/^[0-9a-f-]{36}\.webm$/);
    const film = test.info().outputPath('film.webm');
    await video.saveAs(film);
    await lastPictureOf(page.context(), film, shown);
    expect(difference(shown, last)).toBeLessThan(0.05);
  } finally {
    await vnc.dispose();
  }
});

test('a desktop in a tab beside a terminal: keys go to whichever is in front, and a reload finds both again', async ({
  page,
  ownGateway: gateway,
}) => {
  test.setTimeout(120_000);
  const vnc = await openVncDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    await writeFile(file, resources(vnc.port, 'vnc'));
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,office', '--logins', 'root');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.locator('tbody tr').first().waitFor();
    const logIn = async (): Promise<void> => {
      await page.getByRole('textbox', { name: 'Password of the desktop' }).fill(vnc.password);
      await press(page, 'Enter');
      await page.locator('[data-desktop=shown] canvas:focus').waitFor();
      await expect(page.getByText('keys → desktop')).toBeVisible();
    };
    await openShell(page);
    await press(page, 'Control+Shift+k');
    await typeText(page, 'desktop alice@lab');
    await press(page, 'Enter');
    await logIn();
    await expect(page.getByRole('tab')).toHaveCount(2);
    await expect(page.getByRole('tab', { selected: true })).toHaveAccessibleName('alice@lab');
    await page.mouse.move(200, 300);
    await typeText(page, 'echo first > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('first\n');
    const size = vnc.size();
    // To the shell and back: what is held as the keys go is let go of, and a desktop that nobody sees keeps its size.
    await press(page, 'Alt+1');
    await expect(page.getByText('keys → shell')).toBeVisible();
    await typeText(page, 'echo in-the-$((6*7))\n');
    await expect(page.locator('.xterm-rows:visible')).toContainText('in-the-42');
    await press(page, 'Alt+2');
    await expect(page.locator('[data-desktop=shown] canvas')).toBeFocused();
    await typeText(page, 'echo second > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('second\n');
    expect(vnc.size()).toBe(size);
    // One chord gives the keys back to the page; the desktop goes on behind another one.
    await press(page, 'Control+Shift+Space', 'g', 's');
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await press(page, 'g', 't');
    await logIn();
    await typeText(page, 'echo third > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('third\n');
    // One that is over says so, and Enter connects again.
    await press(page, 'Control+Shift+k');
    await typeText(page, 'disconnect from the desktop');
    await press(page, 'Enter');
    await expect(page.getByText('You have disconnected.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect again' })).toBeFocused();
    await press(page, 'Enter');
    await logIn();
    await page.screenshot({ path: test.info().outputPath('tabs.png') });
    await press(page, 'Control+Shift+x');
    await expect(page.getByRole('tab')).toHaveCount(1);
    await expect(page.getByText('keys → shell')).toBeVisible();
  } finally {
    await vnc.dispose();
  }
});

/** The last picture of a video, as the browser plays it, to a PNG file. */
async function lastPictureOf(context: BrowserContext, film: string, file: string): Promise<void> {
  const page = await context.newPage();
  try {
    const url = await page.evaluate(
      async bytes => {
        const element = Object.assign(document.createElement('video'), {
          muted: true,
          src: `data:video/webm;base64,${bytes}`,
        });
        // It has no length of its own: it is played to its end.
        element.playbackRate = 16;
        await element.play();
        await new Promise(done => element.addEventListener('ended', done, { once: true }));
        const canvas = Object.assign(document.createElement('canvas'), {
          width: element.videoWidth,
          height: element.videoHeight,
        });
        canvas.getContext('2d')?.drawImage(element, 0, 0);
        return canvas.toDataURL('image/png');
      },
      (await readFile(film)).toString('base64'),
    );
    await writeFile(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  } finally {
    await page.close();
  }
}

/** A session that has drawn more is not handed over from its beginning. */
const LONG_BYTES = 2.5 * 1024 * 1024;

test('somebody whose roles let them watches a desktop from the list of sessions, and its owner sees who', async ({
  page,
  ownGateway: gateway,
}) => {
  test.setTimeout(180_000);
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
    let drawnBytes = 0;
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload !== 'string') drawnBytes += payload.length;
      }),
    );
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/desktops/lab/alice`);
    await page.getByRole('textbox', { name: 'Password of the desktop' }).fill(vnc.password);
    await press(page, 'Enter');
    await page.locator('[data-desktop=shown] canvas').waitFor();
    await page.mouse.move(200, 200);
    // So much that whoever comes is not shown all of it: letters that no picture is small with, until it is enough.
    await expect
      .poll(
        async () => {
          await typeText(
            page,
            'for i in 1 2 3 4 5 6 7 8; do head -c 3000 /dev/urandom | base64 -w 100; sleep 0.1; done\n',
          );
          return drawnBytes;
        },
        { timeout: 60_000, intervals: [1000] },
      )
      .toBeGreaterThan(LONG_BYTES);
    await typeText(page, 'echo before-42 > proof\n');
    await expect.poll(() => vnc.read('proof'), { timeout: 20_000 }).toBe('before-42\n');

    const context = await page.context().browser()?.newContext();
    if (!context) throw new Error('no browser');
    const other = await context.newPage();
    await carry(other, gateway, otto.cookie);
    await other.goto(`${gateway.url}/web/cluster/${dora.cluster}/sessions`);
    const opened = other.waitForEvent('popup');
    /** Watching begins with one, not with all that was drawn before. */
    let hasMoment = false;
    context.on('page', one =>
      one.on('websocket', socket =>
        socket.on('framereceived', ({ payload }) => {
          if (typeof payload === 'string' && payload.startsWith('{"moment":')) hasMoment = true;
        }),
      ),
    );
    await other.getByRole('button', { name: 'Join alice@lab' }).press('Enter');
    const watching = await opened;
    await watching.locator('[data-desktop=watched] canvas').waitFor();
    await expect(watching.getByText('you watch dora')).toBeVisible();
    await expect(page.getByText('watched by otto')).toHaveCount(2);
    await expect.poll(() => hasMoment).toBe(true);
    // What was drawn before, and what is drawn now.
    await typeText(page, 'echo after-42 > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('after-42\n');
    const [ours, theirs] = [test.info().outputPath('page.png'), test.info().outputPath('server.png')];
    await expect
      .poll(async () => {
        await pictureOf(watching, ours);
        vnc.picture(theirs);
        return isPlain(theirs) ? 1 : difference(ours, theirs);
      })
      .toBeLessThan(0.02);
    await watching.screenshot({ path: test.info().outputPath('watching.png') });
    await page.screenshot({ path: test.info().outputPath('watched.png') });
    // Nothing that they press reaches it.
    await watching.mouse.click(200, 200);
    await typeText(watching, 'echo intruder > proof\n');
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
