// What a terminal holds, as plain text: for screen readers, and for selecting without a mouse.

/** The part of xterm's buffer that is read. */
interface Lines {
  readonly length: number;
  getLine(index: number): { readonly isWrapped: boolean; translateToString(trimRight?: boolean): string } | undefined;
}

/** Every line of the output, scrollback first. One that was too wide for the screen is one line again; the empty end is left out. */
export function bufferText(buffer: Lines): string {
  const lines: string[] = [];
  for (let index = 0; index < buffer.length; index++) {
    const line = buffer.getLine(index);
    if (line === undefined) continue;
    // A row that goes on below is full to its edge: its blanks there are the output's own.
    const text = line.translateToString(buffer.getLine(index + 1)?.isWrapped !== true);
    if (line.isWrapped) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  return lines.join('\n').trimEnd();
}
