import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSnapshot } from 'valtio';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { usePage } from '../page.tsx';
import styles from './assist.module.css';
import { viewModes } from './modes.ts';

const LOGINS_MOST = 100;

/** How the assistant is shown, and which logins its commands begin with. Kept at once. */
export function Settings({ onDone }: { readonly onDone: () => void }) {
  const { preferences } = usePage();
  if (preferences === null) return null;
  return <Choices preferences={preferences} onDone={onDone} />;
}

function Choices({
  preferences,
  onDone,
}: {
  readonly preferences: NonNullable<ReturnType<typeof usePage>['preferences']>;
  readonly onDone: () => void;
}) {
  const { preferredLogins, viewMode } = useSnapshot(preferences.state).chosen.assist;
  const [typed, setTyped] = useState('');
  const keep = (logins: readonly string[]): void =>
    preferences.change({ assist: { viewMode, preferredLogins: [...logins] } });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const login = typed.trim();
    if (login === '' || preferredLogins.includes(login) || preferredLogins.length >= LOGINS_MOST) return;
    keep([...preferredLogins, login]);
    setTyped('');
  };
  const move = (at: number, by: -1 | 1): void => {
    const next = [...preferredLogins];
    const [one = ''] = next.splice(at, 1);
    next.splice(at + by, 0, one);
    keep(next);
  };
  return (
    <div className={styles.settings}>
      <fieldset>
        <legend>How it is shown beside pages</legend>
        {viewModes.map(({ mode, title }) => (
          <label key={mode}>
            <input
              type="radio"
              name="assist-view"
              checked={viewMode === mode}
              onChange={() => preferences.change({ assist: { preferredLogins: [...preferredLogins], viewMode: mode } })}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <section aria-label="Preferred logins">
        <h3>Preferred logins</h3>
        <p className={styles.quiet}>A proposed command begins with the first of these that all its servers offer.</p>
        <ol>
          {preferredLogins.map((login, at) => (
            <li key={login}>
              <code>{login}</code>
              <Button
                kind="quiet"
                size="dense"
                aria-label={`${login} earlier`}
                disabled={at === 0}
                icon={<ArrowUp aria-hidden="true" />}
                onClick={() => move(at, -1)}
              />
              <Button
                kind="quiet"
                size="dense"
                aria-label={`${login} later`}
                disabled={at === preferredLogins.length - 1}
                icon={<ArrowDown aria-hidden="true" />}
                onClick={() => move(at, 1)}
              />
              <Button
                kind="quiet"
                size="dense"
                aria-label={`Take ${login} out`}
                icon={<X aria-hidden="true" />}
                onClick={() => keep(preferredLogins.filter(one => one !== login))}
              />
            </li>
          ))}
        </ol>
        <form className={styles.line} onSubmit={add}>
          <Field label="Login" mono maxLength={255} value={typed} onChange={event => setTyped(event.target.value)} />
          <Button type="submit">Add</Button>
        </form>
      </section>
      <Button kind="primary" onClick={onDone}>
        Back to the conversation
      </Button>
    </div>
  );
}
