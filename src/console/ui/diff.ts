// Which lines of a text were taken away and which were added.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** From 1: its place in the text that it stands in, the later one for what is the same. */
  readonly line: number;
}

/** Pairs of lines that are compared: beyond that the middle counts as replaced whole. */
const PAIRS_MOST = 4_000_000;

/** The shortest way from one text to the other, line by line; what is the same at both ends is not searched. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let last = 0;
  while (last < old.length - first && last < now.length - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  const [oldEnd, nowEnd] = [old.length - last, now.length - last];
  const width = nowEnd - first + 1;
  const isSearched = (oldEnd - first) * width <= PAIRS_MOST;
  /** Lines that two rests have in common at most, by where the rests begin. */
  const common = new Uint32Array(isSearched ? (oldEnd - first + 1) * width : 0);
  const at = (row: number, column: number): number => common[(row - first) * width + column - first] ?? 0;
  if (isSearched)
    for (let row = oldEnd - 1; row >= first; row--)
      for (let column = nowEnd - 1; column >= first; column--)
        common[(row - first) * width + column - first] =
          old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  const put = (kind: DiffLine['kind'], text: string | undefined, place: number): void =>
    void lines.push({ kind, text: text ?? '', line: place + 1 });
  for (let place = 0; place < first; place++) put('same', now[place], place);
  let [row, column] = [first, first];
  while (row < oldEnd || column < nowEnd) {
    if (row < oldEnd && column < nowEnd && old[row] === now[column]) {
      put('same', now[column], column);
      row++;
      column++;
    } else if (row < oldEnd && (column === nowEnd || at(row + 1, column) >= at(row, column + 1))) {
      put('removed', old[row], row);
      row++;
    } else {
      put('added', now[column], column);
      column++;
    }
  }
  for (let place = nowEnd; place < now.length; place++) put('same', now[place], place);
  return lines;
}

/** What changed with some lines around it; null stands for lines that are left out. */
export function nearChanges(lines: readonly DiffLine[], around = 3): readonly (DiffLine | null)[] {
  const isNear = lines.map(() => false);
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(true, Math.max(0, at - around), at + around + 1);
  return lines.flatMap((line, at) => (isNear[at] ? [line] : isNear[at - 1] || at === 0 ? [null] : []));
}
