// Recordings for whoever has no player: the text alone, and a page that plays by itself.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Failure } from '../../../contract/failure.ts';
import { printedOf } from '../../../contract/printed-text.ts';
import type { StoredIndex } from './index-file.ts';
import type { OpenBytes } from './reader.ts';
import { allEvents } from './terminal-playback.ts';

/** Output that a page holds: a browser has all of it in memory, bytes. */
const PAGE_MOST_BYTES = 100 * 1024 * 1024;
/** Text is put together before it is freed of sequences, so that few of them are cut, characters. */
const TOGETHER_CHARACTERS = 64 * 1024;

/** What was printed, without what moves the cursor: lines as they came. */
export async function* textOf(openBytes: OpenBytes, index: StoredIndex): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const event of allEvents(openBytes, index)) {
    if (event.kind !== 'output') continue;
    held += decoder.decode(event.bytes, { stream: true });
    const end = held.lastIndexOf('\n') + 1;
    if (held.length < TOGETHER_CHARACTERS || end === 0) continue;
    yield printedOf(held.slice(0, end));
    held = held.slice(end);
  }
  yield printedOf(held);
}

/** One HTML file: nothing in it reaches a network, and nothing that was printed is markup or script. Throws Failure too_large. */
export async function pageOf(openBytes: OpenBytes, index: StoredIndex): Promise<AsyncIterable<string>> {
  const { header, bytes } = index.contents;
  if (bytes > PAGE_MOST_BYTES)
    throw new Failure('too_large', 'This recording is too long for one page: download it as asciicast.');
  const xterm = createRequire(import.meta.url).resolve('@xterm/xterm');
  const [terminal, looks, player] = await Promise.all([
    readFile(xterm, 'utf8'),
    readFile(new URL('../css/xterm.css', `file://${xterm}`), 'utf8'),
    readFile(new URL('./exported-player.js', import.meta.url), 'utf8'),
  ]);
  const scripts = [terminal.replace(/\/\/# sourceMappingURL=.*/, ''), player];
  const hashes = scripts.map(script => `'sha256-${hash('sha256', script, 'base64')}'`).join(' ');
  const title = `${header.login}@${header.hostname}, ${header.started}`.replace(
    /[&<>"']/g,
    letter => `&#${letter.charCodeAt(0)};`,
  );
  const { cols, rows } = header;
  async function* page(): AsyncGenerator<string> {
    yield `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${looks}
body { margin: 0; padding: 16px; background: #111; color: #ddd; font: 14px system-ui, sans-serif; }
main { display: grid; gap: 12px; justify-items: start; }
footer { display: flex; gap: 12px; align-items: center; }
#moment { width: min(60vw, 640px); }
</style>
<main>
<h1 style="font-size: 14px; margin: 0">${title}</h1>
<div id="screen"></div>
<footer><button id="play" type="button">Play</button><input id="moment" type="range" aria-label="Moment" min="0" step="1" value="0"><span id="time"></span>
<label>Speed <select id="speed"><option>0.5<option selected>1<option>2<option>4<option>8<option>16</select></label></footer>
</main>
<script id="data" type="text/plain">
${Buffer.from(JSON.stringify({ cols, rows })).toString('base64')}
`;
    for await (const event of allEvents(openBytes, index)) {
      if (event.kind === 'output') yield `${event.ms} o ${Buffer.from(event.bytes).toString('base64')}\n`;
      else if (event.kind === 'resize') yield `${event.ms} r ${event.size.cols}x${event.size.rows}\n`;
    }
    yield `</script>${scripts.map(script => `<script>${script}</script>`).join('\n')}\n</html>\n`;
  }
  return page();
}
