// What a hostile host may print at a browser's terminal: a hundred thousand generated sequences of every kind reach no network, change nothing
// of the page outside the terminal, and write no clipboard.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { CHROMIUM, cookiesOf, PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import type { Row } from './row.ts';

const FRAMES = 100_000;
/** Of these every one is a title of 1 MB. */
const LONG_TITLE_EACH = 5000;
const TITLE_BYTES = 2 ** 20;
/** Stands in every frame: where it is seen outside the terminal, a frame has reached that. */
const SIGN = 'EVIL';
const SEED = 20_261_123;
const WITHIN_MS = 600_000;
const LOOK_EVERY_MS = 500;

/** The same numbers at every run (mulberry32), below `most`. */
function openRandom(seed: number): (most: number) => number {
  let state = seed;
  return most => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** Frames one behind the other: each control string with each ending, or none. */
function* framesOf(count: number): Generator<string> {
  const random = openRandom(SEED);
  const one = <Choice>(choices: readonly Choice[]): Choice => choices[random(choices.length)] as Choice;
  const clip = Buffer.from(`${SIGN} clip`).toString('base64');
  const bodies = [
    `${SIGN}`,
    `https://${SIGN}.example/x.png`,
    `;https://${SIGN}.example/`,
    `id=1;javascript:alert("${SIGN}")`,
    `c;${clip}`,
    `p;${clip}`,
    ';?',
    `File=name=${clip};inline=1;size=9:${clip}`,
    `notify;${SIGN};${SIGN}`,
    `<img src=//${SIGN}.example onerror=alert(1)>`,
    `A;cl=${SIGN}`,
    '1;rgb:ff/00/00',
    '?',
    `\u202e${SIGN}\u2066\u200f\ufeff`,
    `a=T,f=100,t=f;${Buffer.from(`/etc/passwd ${SIGN}`).toString('base64')}`,
    `"1;1;99999;99999#0;2;0;0;0~${SIGN}`,
    `$q"p${SIGN}`,
    `+q${Buffer.from(SIGN).toString('hex')}`,
    `\0\n\r\t${SIGN}\x7f`,
    `${'9'.repeat(400)};${SIGN}`,
  ];
  const codes = [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 22, 50, 52, 99, 104, 110, 133, 633, 777, 1337, 9999];
  const ends = ['\x07', '\x1b\\', '\x9c', '\x18', '\x1a', ''];
  for (let frame = 1; frame <= count; frame++) {
    if (frame % LONG_TITLE_EACH === 0) {
      yield `\x1b]${one([0, 2])};${SIGN.repeat(TITLE_BYTES / SIGN.length)}\x07`;
      continue;
    }
    const kind = random(8);
    const body = one(bodies);
    if (kind < 3) yield `\x1b]${one(codes)};${body}${one(ends)}`;
    else if (kind === 3)
      yield `\x1bP${random(100)};${random(100)}${one(['q', '$q', '+q', '|', '{', 'tmux;'])}${body}${one(ends)}`;
    else if (kind === 4) yield `\x1b_G${body}${one(ends)}`;
    else if (kind === 5) yield `\x1b${one(['^', 'X', 'k'])}${body}${one(ends)}`;
    else if (kind === 6)
      yield `\x1b[${one(['', '?', '>', '=', '!'])}${random(3000)};${random(3000)};${random(100_000)}${String.fromCharCode(0x40 + random(63))}${SIGN}`;
    else yield `\u202e\u2066${body}\u0301${one(['\u2069', '\u202c', '', '\x0e', '\x1bc'])}`;
  }
}

/** Runs in the page before anything of it: notes what its script copies, and where the sign is seen outside terminals. */
const watching = `(() => {
  const seen = window.seen = { copied: [], outside: [] };
  const note = (list, text) => { if (list.length < 20) list.push(text.slice(0, 200)); };
  for (const name of ['write', 'writeText']) navigator.clipboard[name] = async what => note(seen.copied, name + ' ' + what);
  const run = document.execCommand.bind(document);
  document.execCommand = (name, ...rest) => (/^(copy|cut)$/i.test(name) && note(seen.copied, name), run(name, ...rest));
  const look = node => {
    const element = node.nodeType === 1 ? node : node.parentElement;
    if (!element || element.closest('[data-terminals]')) return;
    const text = node.nodeType === 1 ? node.cloneNode(true) : null;
    text?.querySelectorAll('[data-terminals]').forEach(one => one.remove());
    const said = text ? text.outerHTML : node.data ?? '';
    if (/${SIGN}/i.test(said)) note(seen.outside, said);
  };
  new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) look(node);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})()`;

/** What the page is apart from its terminals and its status line, whose clocks go on. */
const surroundings = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const copy = document.documentElement.cloneNode(true);
    copy.querySelectorAll('[data-terminals], footer, script, style, link').forEach(one => one.remove());
    return [location.href, document.title, document.querySelectorAll('dialog[open], iframe, object, embed').length, copy.textContent].join('\\n');
  })()`);

/** The row of the proof; takes some minutes. */
export async function benchHostile(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-hostile-'));
  const gateway = await openGateway();
  const browser = await chromium.launch(CHROMIUM);
  try {
    const bytes = Buffer.from([...framesOf(FRAMES)].join(''));
    await writeFile(join(folder, 'frames'), bytes);
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const wire = await signIn(gateway.url, user, PASSWORD);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(cookiesOf(gateway.url, wire.cookie));
    const page = await context.newPage();
    const faults: string[] = [];
    const { host } = new URL(gateway.url);
    context.on('request', asked => {
      const url = asked.url();
      if (/^(data|blob):/.test(url) ? false : new URL(url).host !== host || url.toUpperCase().includes(SIGN))
        faults.push(`asked for ${url.slice(0, 200)}`);
    });
    page.on('dialog', dialog => {
      faults.push(`a dialog said ${dialog.message().slice(0, 200)}`);
      void dialog.dismiss();
    });
    page.on('pageerror', error => faults.push(`the page failed: ${error.message}`));
    await page.addInitScript(watching);
    await page.goto(`${gateway.url}/web/cluster/${wire.cluster}/nodes`);
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`ssh root@${hostname()}`);
    await page.keyboard.press('Enter');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    // What the terminal answers to questions among the frames is typed into a program that drops it.
    await page.keyboard.type('stty -echo; printf "ready-%d\\n" $((1+1))\n');
    await page.locator('.xterm-rows', { hasText: 'ready-2' }).waitFor();
    context.on('page', opened => faults.push(`a window was opened: ${opened.url()}`));
    const before = await surroundings(page);
    const began = performance.now();
    // Behind the frames: whatever is open ends, the terminal is as new, and the sign of the end stands in it alone.
    await page.keyboard.type(
      `(sleep 1; cat ${folder}/frames; sleep 1; printf '\\030\\033\\\\\\033[!p\\033c\\033[2J\\033[Hall-%s\\n' shown; sleep 600)\n`,
    );
    const shown = page.locator('.xterm-rows', { hasText: 'all-shown' });
    while ((await shown.count()) === 0) {
      if (performance.now() - began > WITHIN_MS) throw new Error(`the frames were not shown in ${WITHIN_MS} ms`);
      await page.waitForTimeout(LOOK_EVERY_MS);
    }
    const seconds = (performance.now() - began) / 1000;
    const after = await surroundings(page);
    if (after !== before) faults.push(`around the terminal it was ${before}\nand is ${after}`);
    const seen = await page.evaluate<{ copied: string[]; outside: string[] }>('window.seen');
    faults.push(...seen.copied.map(what => `copied: ${what}`), ...seen.outside.map(what => `outside: ${what}`));
    for (const fault of faults.slice(0, 20)) console.error(fault);
    return [
      {
        what: `${FRAMES} generated frames of OSC, DCS, APC, PM, SOS and CSI, titles of 1 MB, bidirectional text (seed ${SEED})`,
        target: 'no network, no change outside the terminal, no clipboard',
        measured: faults.length === 0 ? `none, in ${seconds.toFixed(0)} s` : `${faults.length} faults`,
        reference: `${(bytes.length / 1e6).toFixed(0)} MB were shown`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}
