// Desktops: a key until it is drawn, a film, what one costs the gateway, and a recording of half an hour of light use.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { openDrawing } from '../../src/gateway/services/desktop-drawing/drawing.ts';
import { logIn } from '../../src/gateway/services/protocols/desktops/vnc/log-in.ts';
import { relayVnc } from '../../src/gateway/services/protocols/desktops/vnc/relay.ts';
import { createRecordings } from '../../src/gateway/services/recordings/recordings.ts';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { type GatewayRig, openGateway } from '../rigs/gateway.ts';
import { openRdpDesktop, type RdpDesktop } from '../rigs/rdp-desktop.ts';
import { openVncDesktop, type VncDesktop } from '../rigs/vnc-desktop.ts';
import { milliseconds } from './browser.ts';
import { type DesktopClient, openDirect, openPictures, openThrough } from './desktop-clients.ts';
import { residentBytes } from './memory.ts';
import { headOf } from './recordings.ts';
import { median, percentile, type Row } from './row.ts';

const KEYS = 100;
/** Between two keys of somebody who works lightly, ms. */
const LIGHT_MS = 500;
const SESSIONS = 20;
const MEASURE_MS = 20_000;
const FILM_MS = 10_000;
const PICTURED = 4;
const HALF_HOUR_MS = 1_800_000;
/** Keys of half an hour, two seconds apart. */
const RECORDED_KEYS = 900;
const SEEKS = 30;
/** The key `a`, by its place. */
const A = 0x1e;
const CLOCK_TICKS = 100;

/** Processor time that a process has taken, seconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}
const seconds = (ms: number): number => ms / 1000;

/** What is drawn in a page, and when: whatever puts pixels on a canvas that is shown; and when what it draws had come. */
const COUNTER = `(() => {
  window.drawn = { last: 0, frames: 0, key: 0, came: 0, waits: null };
  let frame = 0;
  const saw = () => {
    const now = performance.now();
    drawn.last = now;
    if (frame === 0) frame = requestAnimationFrame(() => { frame = 0; drawn.frames += 1; });
    if (drawn.waits) { const done = drawn.waits; drawn.waits = null; requestAnimationFrame(() => done({ drawn: performance.now() - drawn.key, came: (drawn.came || performance.now()) - drawn.key })); }
  };
  for (const name of ['putImageData', 'drawImage', 'fillRect']) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...all) { saw(); return original.apply(this, all); };
  }
  window.WebSocket = class extends WebSocket {
    constructor(...all) {
      super(...all);
      if (all[0].includes('/stream/')) this.addEventListener('message', () => { drawn.came = drawn.came || performance.now(); });
    }
  };
  addEventListener('keydown', () => { drawn.key = performance.now(); drawn.came = 0; }, true);
})()`;

/** Until the frame behind the drawing of a key, and until the first message behind the key had come, ms. */
interface KeyTimes {
  readonly drawn: number;
  readonly came: number;
}
async function keysInPage(page: Page): Promise<readonly KeyTimes[]> {
  const times: KeyTimes[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    await page.evaluate('void (window.waited = new Promise(done => { drawn.waits = done; }))');
    await page.keyboard.press('a');
    times.push(await page.evaluate<KeyTimes>('window.waited'));
    // What blinks or follows is not the next key's.
    await wait(60);
  }
  return times;
}
async function keysOf(client: DesktopClient): Promise<readonly number[]> {
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const came = client.next();
    const began = performance.now();
    await client.press(A);
    await came;
    times.push(performance.now() - began);
    await wait(60);
  }
  return times;
}

/** A film that plays on the desktop, 640 by 480 pixels, 30 pictures a second. */
async function playFilm(display: string, folder: string): Promise<() => Promise<void>> {
  const film = join(folder, 'film.miff');
  execFileSync('convert', [
    '-size',
    '640x480',
    ...Array.from({ length: 12 }, (_, at) => `plasma:#${at}48-#c${at}8`),
    film,
  ]);
  const player: ChildProcess = spawn('animate', ['-delay', '3', '-loop', '0', film], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display },
  });
  const ended = once(player, 'exit');
  return async () => {
    player.kill('SIGKILL');
    await ended;
  };
}

interface Rig {
  readonly gateway: GatewayRig;
  readonly wire: WireClient;
  readonly vnc: VncDesktop;
  readonly rdp: RdpDesktop;
}

async function inPage({ gateway, wire, vnc, rdp }: Rig): Promise<readonly Row[]> {
  const browser = await chromium.launch(CHROMIUM);
  const rows: Row[] = [];
  try {
    // Behind the frame of the page there is room for a screen of 1280 by 800.
    const context = await browser.newContext({ viewport: { width: 1280, height: 864 } });
    await context.addCookies(cookiesOf(gateway.url, wire.cookie));
    const system = await browser.newBrowserCDPSession();
    /** Processor time that pages have taken, seconds. */
    const ofPages = async (): Promise<number> => {
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0), 0);
    };
    for (const [name, speaks, display] of [
      ['lab', 'VNC', vnc.display],
      ['win-7', 'RDP', rdp.display],
    ] as const) {
      const page = await context.newPage();
      await page.addInitScript(COUNTER);
      await page.goto(`${gateway.url}/web/cluster/${wire.cluster}/desktops/${name}/alice`);
      await page.locator('[data-desktop=shown] canvas').waitFor();
      await page.mouse.move(300, 300);
      await wait(2000);
      const keys = await keysInPage(page);
      const stop = await playFilm(display, gateway.folder);
      await wait(2000);
      const [before, spent] = [await page.evaluate<number>('drawn.frames'), await ofPages()];
      await wait(FILM_MS);
      const frames = (await page.evaluate<number>('drawn.frames')) - before;
      const each = (1000 * ((await ofPages()) - spent)) / Math.max(1, frames);
      await stop();
      await page.close();
      const [drawn, came] = [keys.map(key => key.drawn), keys.map(key => key.came)];
      rows.push(
        {
          what: `${speaks}: key to the frame behind its drawing in the page, p95`,
          target: '≤ 40 ms',
          measured: `${milliseconds(percentile(drawn, 95))} (median ${milliseconds(median(drawn))})`,
          reference: `until the server's answer had come to the page: ${milliseconds(percentile(came, 95))} (median ${milliseconds(median(came))})`,
        },
        {
          what: `${speaks}: a film of 640 × 480 at 30 pictures a second on a screen of 1280 × 800`,
          target: '≥ 25 draws/s',
          measured: `${(frames / seconds(FILM_MS)).toFixed(0)} draws/s`,
          reference: `each takes ${milliseconds(each)} of the page's processor`,
        },
      );
    }
  } finally {
    await browser.close();
  }
  return rows;
}

async function keyThrough({ gateway, wire, vnc }: Rig): Promise<Row> {
  const through = await openThrough(wire, gateway.url, 'lab', 'vnc');
  await wait(1000);
  const ours = await keysOf(through);
  await through.close();
  const direct = await openDirect(vnc);
  await wait(1000);
  const native = await keysOf(direct);
  await direct.close();
  return {
    what: 'VNC: key to what the server draws for it, through the gateway, p50 / p95',
    target: '—',
    measured: `${median(ours).toFixed(1)} / ${percentile(ours, 95).toFixed(1)} ms`,
    reference: `the same client at the server itself: ${median(native).toFixed(1)} / ${percentile(native, 95).toFixed(1)} ms`,
  };
}

/** What so many sessions cost the gateway while somebody types on the desktop that all of them show. */
async function costOf({ gateway, wire, vnc }: Rig): Promise<readonly Row[]> {
  await wait(3000);
  const memory = await residentBytes(gateway.pid);
  const idle = cpuOf(gateway.pid);
  await wait(MEASURE_MS);
  const alone = cpuOf(gateway.pid) - idle;
  const clients: DesktopClient[] = [];
  for (let count = 0; count < SESSIONS; count += 1) clients.push(await openThrough(wire, gateway.url, 'lab', 'vnc'));
  await wait(3000);
  const light = await typing(gateway.pid, vnc);
  const more = (await residentBytes(gateway.pid)) - memory;
  await Promise.all(clients.map(client => client.close()));
  const drawn: DesktopClient[] = [];
  for (let count = 0; count < PICTURED; count += 1) drawn.push(await openPictures(wire, gateway.url, 'lab'));
  await wait(3000);
  const drawnMemory = await residentBytes(gateway.pid);
  const pictured = await typing(gateway.pid, vnc);
  const stop = await playFilm(vnc.display, gateway.folder);
  await wait(2000);
  const filmed = cpuOf(gateway.pid);
  await wait(FILM_MS);
  const film = (cpuOf(gateway.pid) - filmed) / seconds(FILM_MS) / PICTURED;
  await stop();
  await Promise.all(drawn.map(client => client.close()));
  const each = (light - alone / seconds(MEASURE_MS)) / SESSIONS;
  const eachDrawn = (pictured - alone / seconds(MEASURE_MS)) / PICTURED;
  return [
    {
      what: `VNC in light use, ${SESSIONS} at once, recorded: gateway each`,
      target: '≤ 0.05 core, ≤ 20 MB',
      measured: `${each.toFixed(3)} core, ${(more / SESSIONS / 1e6).toFixed(1)} MB`,
      reference: `the gateway alone: ${(alone / seconds(MEASURE_MS)).toFixed(3)} core, ${(memory / 1e6).toFixed(0)} MB`,
    },
    {
      what: `drawn by the gateway (TDP), light use, ${PICTURED} at once: each`,
      target: '—',
      measured: `${eachDrawn.toFixed(3)} core: ${Math.floor(1 / Math.max(eachDrawn, 0.001))} desktops a core; ${((drawnMemory - memory) / PICTURED / 1e6).toFixed(0)} MB`,
      reference: `with the film: ${film.toFixed(2)} core each`,
    },
  ];
}
/** The gateway's share of a core while keys come every now and then, from somebody at the server itself. */
async function typing(pid: number, vnc: VncDesktop): Promise<number> {
  const typist = await openDirect(vnc);
  try {
    const before = cpuOf(pid);
    const until = performance.now() + MEASURE_MS;
    const began = performance.now();
    while (performance.now() < until) {
      await typist.press(A);
      await wait(LIGHT_MS);
    }
    return (cpuOf(pid) - before) / seconds(performance.now() - began);
  } finally {
    await typist.close();
  }
}

/** Half an hour of keys and lines that a desktop really draws, recorded at the times that they would come. */
async function recorded(vnc: VncDesktop): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  let ms = 0;
  const recordings = createRecordings({ folder, clock: () => ms });
  try {
    const head = { ...headOf(), kind: 'desktop' as const, proto: 'vnc' as const, size: { cols: 1280, rows: 800 } };
    const recorder = await recordings.open(head, 'strict');
    const server = connect(vnc.port, '127.0.0.1').on('error', () => undefined);
    await logIn(server, 'lab', vnc.password);
    const [ours, theirs] = duplexPair();
    const live = openDrawing(
      { protocol: 'vnc', live: { sid: head.sid, width: 1280, height: 800 } },
      { send: bytes => void theirs.write(bytes), copied: () => undefined },
    );
    let total = 0;
    theirs.on('data', (bytes: Buffer) => void live.feed(bytes).catch(() => undefined));
    const over = relayVnc(server, ours, {
      ...{ sid: head.sid, isRecorded: true, sharesClipboard: false },
      drawn(bytes) {
        recorder.output(bytes);
        total += bytes.length;
        return true;
      },
      ...{ active: () => undefined, copied: () => undefined, notShared: () => undefined, gone: () => undefined },
    }).catch(() => undefined);
    while (total === 0) await wait(50);
    await live.act({ kind: 'move', x: 100, y: 100 });
    // l, s, Enter: a listing now and then, and letters between them.
    const line = [A, A, A, A, A, 0x1c, 0x26, 0x1f, 0x1c];
    for (let key = 0; key < RECORDED_KEYS; key += 1) {
      ms = (key * HALF_HOUR_MS) / RECORDED_KEYS;
      const scancode = line[key % line.length] ?? A;
      for (const isDown of [true, false]) await live.act({ kind: 'key', scancode, isDown });
      await wait(30);
    }
    ms = HALF_HOUR_MS;
    theirs.destroy();
    await over;
    await live.close();
    await recorder.end();
    const bytes = statSync(join(folder, `${head.sid}.rec`)).size;
    const began = performance.now();
    const summary = await recordings.summary(head.sid);
    const indexMs = performance.now() - began;
    if (!summary) throw new Error('the recording is not there');
    const times: number[] = [];
    for (let seek = 0; seek < SEEKS; seek += 1) {
      const to = (((seek * 7) % SEEKS) / SEEKS) * HALF_HOUR_MS;
      const asked = performance.now();
      const from = summary.keyframes.findLast(frame => frame.ms <= to && !frame.isPart)?.index ?? 0;
      const drawing = openDrawing({ protocol: 'vnc' });
      for (let index = from; index === from || summary.keyframes[index]?.isPart; index += 1) {
        if ((summary.keyframes[index]?.ms ?? 0) > to) break;
        const segment = await recordings.segment(head.sid, index);
        if (!segment) break;
        if (segment.screen.startsWith('{'))
          await drawing.feed(Buffer.from(JSON.parse(segment.screen).before, 'base64'));
        let length = 0;
        for (const [when, one] of segment.prints) if (when <= to) length += one;
        await drawing.feed(Buffer.from(segment.bytes, 'base64').subarray(0, length));
      }
      await drawing.take();
      times.push(performance.now() - asked);
      await drawing.close();
    }
    return [
      {
        what: 'VNC: half an hour of light use, recorded',
        target: '≤ 1 MB a minute',
        measured: `${(bytes / 30 / 1000).toFixed(0)} kB a minute`,
        reference: `${(total / 1000).toFixed(0)} kB were drawn`,
      },
      {
        what: 'seek in it until it is drawn, p95',
        target: '≤ 2 s',
        measured: `${seconds(percentile(times, 95)).toFixed(2)} s (median ${seconds(median(times)).toFixed(2)})`,
        reference: `${summary.keyframes.length} parts; first look at it: ${seconds(indexMs).toFixed(1)} s`,
      },
    ];
  } finally {
    await recordings.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rows of the speed table about desktops. Takes some three minutes. */
export async function benchDesktops(): Promise<readonly Row[]> {
  const opened: { dispose(): Promise<unknown> }[] = [];
  try {
    const gateway = await openGateway();
    opened.push(gateway);
    const vnc = await openVncDesktop();
    opened.push(vnc);
    const rdp = await openRdpDesktop();
    opened.push(rdp);
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const file = join(gateway.folder, 'desktops.yaml');
    await writeFile(file, documents(user, vnc, rdp));
    await gateway.command('resources', 'apply', file);
    const again = await signIn(gateway.url, user, PASSWORD);
    for (const [name, password] of [
      ['lab', vnc.password],
      ['win-7', 'any'],
    ] as const)
      await again.call('PUT', `sites/${wire.cluster}/desktops/${name}/passwords/alice`, { password });
    const rig = { gateway, wire: again, vnc, rdp };
    // What one costs is seen on a gateway that has done nothing else yet.
    return [...(await costOf(rig)), ...(await inPage(rig)), await keyThrough(rig), ...(await recorded(vnc))];
  } finally {
    for (const one of opened.reverse()) await one.dispose();
  }
}
const documents = (user: string, vnc: VncDesktop, rdp: RdpDesktop): string => `kind: role
version: v7
metadata: { name: office }
spec:
  options: { reach_loopback: true, max_connections: 100 }
  allow:
    windows_desktop_labels: { env: office }
    windows_desktop_logins: [alice]
---
kind: windows_desktop
version: v3
metadata: { name: lab, labels: { env: office } }
spec: { addr: "127.0.0.1:${vnc.port}", protocol: vnc }
---
kind: windows_desktop
version: v3
metadata: { name: win-7, labels: { env: office } }
spec: { addr: "127.0.0.1:${rdp.port}", protocol: rdp }
---
kind: user
version: v2
metadata: { name: ${user} }
spec: { roles: [access, editor, office] }
`;
