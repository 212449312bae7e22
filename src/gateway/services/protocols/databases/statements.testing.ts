// A session that says what it hears of a relay, and bytes as they may come.
import fc from 'fast-check';
import type { Statements } from '../../../ports/databases.ts';

export function createListener(more: Partial<Statements> = {}) {
  const said: string[] = [];
  let rowsSoFar: () => number | null = () => null;
  const answers: [text: string, rows: number | null][] = [];
  const session: Statements = {
    sid: 's',
    begun: (text, _warned, _masked, parameters = 0) =>
      void said.push(parameters === 0 ? text : `${text} (${parameters} parameters)`),
    counted(counter) {
      rowsSoFar = counter;
    },
    answered: (text, rows) => void answers.push([text, rows]),
    failed: (text, error) => void said.push(`${text}: ${error}`),
    isGuarded: false,
    judge: () => null,
    masks: [],
    masked: () => null,
    ask: async () => ({ refused: null, isCancelled: false }),
    blocked: (text, { text: why }) => void said.push(`${text} blocked: ${why}`),
    mayUse: () => null,
    uses: name => void said.push(`in ${name}`),
    note: (code, fields) => void said.push(`${code} ${JSON.stringify(fields)}`),
    hasRoom: true,
    active: () => undefined,
    onRoom: () => undefined,
    malformed: () => undefined,
    gone: () => undefined,
    ...more,
  };
  return { said, answers, rowsSoFar: () => rowsSoFar(), session };
}

/** Checks with these bytes in pieces, cut anywhere. */
export function cutAnywhere(bytes: Buffer, check: (pieces: readonly Buffer[]) => void): void {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 20 }), cuts => {
      const places = [0, ...[...new Set(cuts)].sort((one, other) => one - other), bytes.length];
      check(places.slice(0, -1).map((place, index) => bytes.subarray(place, places[index + 1])));
    }),
    { numRuns: 200 },
  );
}
/** Reads what may be refused, for one of these reasons alone. */
export function readOrRefuse(read: () => unknown, ...reasons: readonly (new (...given: never[]) => Error)[]): void {
  try {
    read();
  } catch (error) {
    if (!reasons.some(reason => error instanceof reason)) throw error;
  }
}
