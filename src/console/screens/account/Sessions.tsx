import { useCallback, useEffect, useState } from 'react';
import { textChoice } from '../../../../commands/answer.ts';
import { toApiError } from '../../../client/errors.ts';
import { listOwnSessions, type OwnSession } from '../../../contract/own-sessions.ts';
import { programText } from '../../../features/program.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { usePage } from '../page.tsx';
import styles from './account.module.css';

const describe = ({ created, lastActive, mfaDevice, impersonator }: OwnSession): string =>
  `${impersonator === undefined ? '' : `${impersonator} acts as you here, `}since ${dateTime(created)}, last used ${dateTime(lastActive)}${mfaDevice === undefined ? '' : `, opened with ${mfaDevice}`}`;

/** Where one is signed in, and since when; this one is marked. */
export function Sessions() {
  const { api, onChange } = usePage();
  const [sessions, setSessions] = useState<readonly OwnSession[]>([]);
  const [problem, setProblem] = useState('');
  const load = useCallback(() => {
    api(listOwnSessions).then(setSessions, (error: unknown) => setProblem(toApiError(error).message));
  }, [api]);
  useEffect(load, [load]);
  useEffect(() => onChange(load), [onChange, load]);
  return (
    <section className={styles.card} aria-labelledby="account-sessions">
      <h2 id="account-sessions">Where you are signed in</h2>
      {problem !== '' && <Alert>{problem}</Alert>}
      <ul className={styles.devices}>
        {sessions.map(session => {
          const title = programText(session);
          return (
            <li key={session.id} aria-current={session.current ? 'true' : undefined}>
              <strong>{title}</strong>
              <span>{describe(session)}</span>
              {session.current ? (
                <em>This session</em>
              ) : (
                <CommandButton
                  id="account.endSession"
                  given={{ session: { ...textChoice(session.id), title } }}
                  aria-label={`End the session of ${title}`}
                >
                  End
                </CommandButton>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && <CommandButton id="account.endOtherSessions" />}
    </section>
  );
}
