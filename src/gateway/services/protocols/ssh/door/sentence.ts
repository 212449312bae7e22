// What a client is told of what went wrong.
import { Failure } from '../../../../../contract/failure.ts';
import { plainText } from '../../../../../contract/visible-text.ts';
import { ConnectError } from '../../../../ports/reach.ts';
import type { PeopleParts } from './people.ts';

/** In words for the person; what nobody has foreseen is told to the log alone. */
export function sentenceOf(error: unknown, { report }: Pick<PeopleParts, 'report'>): string {
  const isTold = error instanceof ConnectError || (error instanceof Failure && error.code !== 'internal');
  if (isTold) return plainText(error.message);
  if (error instanceof Error && error.name === 'Error') return plainText(error.message);
  report('a client could not be served', error);
  return 'the gateway could not do that';
}
