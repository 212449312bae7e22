// A session that says what it hears of a relay.
import type { Statements } from '../../../ports.ts';

export function createListener(more: Partial<Statements> = {}) {
  const said: string[] = [];
  const answers: [text: string, rows: number | null][] = [];
  const session: Statements = {
    sid: 's',
    begun: text => void said.push(text),
    answered: (text, rows) => void answers.push([text, rows]),
    failed: (text, error) => void said.push(`${text}: ${error}`),
    isGuarded: false,
    judge: () => null,
    blocked: (text, { text: why }) => void said.push(`${text} blocked: ${why}`),
    mayUse: () => null,
    uses: name => void said.push(`in ${name}`),
    note: (code, fields) => void said.push(`${code} ${JSON.stringify(fields)}`),
    hasRoom: true,
    onRoom: () => undefined,
    malformed: () => undefined,
    gone: () => undefined,
    ...more,
  };
  return { said, answers, session };
}
