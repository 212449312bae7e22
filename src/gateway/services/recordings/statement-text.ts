// What is recorded of a client of a database or an application: statements or requests, and what became of them. A player shows them as text, with the marks of a shell's
// commands around them, so that times, search and export are those of any recording.
import { plainText } from '../../../contract/visible-text.ts';
import type { Told } from '../../ports/recordings.ts';

const mark = (what: string): string => `\x1b]133;${what}\x07`;
const lines = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .split(/\r\n|[\r\n]/)
        .map(plainText)
        .join('\r\n');
/** Most statements: one line, with nothing in it that needs to be shown otherwise. */
const PLAIN = /^[ -~]*$/;

/** As a terminal shows it. */
export function shownStatement(told: Told): Buffer {
  if (told.kind === 'statement') {
    const { text, parameters = 0 } = told;
    const more = parameters === 0 ? '' : `-- ${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}\r\n`;
    return Buffer.from(`${mark('A')}=> ${mark('B')}${lines(text)}\r\n${mark('C')}${more}`);
  }
  if (told.kind === 'review') return Buffer.from(`-- ${lines(told.text)}\r\n`);
  if (told.kind === 'request') {
    const { method, path, status, bytes, took } = told;
    const said = status === 0 ? 'no answer' : `${status}, ${bytes} bytes, ${(took / 1000).toFixed(1)} ms`;
    const failed = status === 0 || status >= 400 ? 1 : 0;
    return Buffer.from(
      `${mark('A')}${mark('B')}${lines(`${method} ${path}`)}\r\n${mark('C')}(${said})\r\n${mark(`D;${failed}`)}`,
    );
  }
  const { rows, took } = told;
  const counted = rows === null ? '' : `${rows} ${rows === 1 ? 'row' : 'rows'}, `;
  if (told.kind === 'progress')
    return Buffer.from(
      `-- goes on: ${counted === '' ? '' : `${counted.slice(0, -2)} so far, `}${Math.round(took / 1e6)} s\r\n`,
    );
  const { error } = told;
  const said = error === '' ? `(${counted}${(took / 1000).toFixed(1)} ms)` : `ERROR:  ${lines(error)}`;
  return Buffer.from(`${said}\r\n${mark(`D;${error === '' ? 0 : 1}`)}`);
}
