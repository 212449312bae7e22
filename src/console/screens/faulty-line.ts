/** The line that an answer of the gateway names first, from 1: `line 7, column 5` or `FILE:7:5:`; undefined when it names none. */
export function faultyLine(message: string): number | undefined {
  const found = /\bline (\d{1,6})\b|^[^\s:]+:(\d{1,6}):\d{1,5}:/im.exec(message);
  return found === null ? undefined : Number(found[1] ?? found[2]);
}
