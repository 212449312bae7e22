// The one way to a terminal for text: nothing that is printed makes a terminal do anything but show letters.

import { OBEYED, plainText } from '../contract/visible-text.ts';

export { plainText };

/** Text of several lines: new lines and tabs stay. */
export const plainLines = (text: string): string =>
  text.replace(OBEYED, found => (found === '\n' || found === '\t' ? found : '\ufffd'));

/** A JSON document: what a terminal would obey stands as its escape, so that programs read the same value. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(OBEYED, found =>
    found === '\n'
      ? found
      : Array.from(
          { length: found.length },
          (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
  );

/** Prints lines on standard output. */
export const print = (text: string): void => void process.stdout.write(`${plainLines(text)}\n`);

/** Says lines on standard error, each with the program's name before it. */
export const complain = (text: string): void =>
  void process.stderr.write(
    text
      .split('\n')
      .map(line => `postern: ${plainText(line)}\n`)
      .join(''),
  );
