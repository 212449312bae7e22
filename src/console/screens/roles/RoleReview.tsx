import { useState } from 'react';
import { type Effect, effectText, previewRole, type RoleEffects } from '../../../contract/role-preview.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Diff } from '../../ui/Diff.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './roles.module.css';

/** What a role would say anew, and who would gain and lose what by it, before it is saved. */
export function RoleReview({
  name,
  before,
  after,
  first,
}: {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** What the gateway said of the first holders. */
  readonly first: RoleEffects;
}) {
  const { api } = usePage();
  const [{ holders, people, unnamed, startKey }, setEffects] = useState(first);
  const { busy, problem, attempt } = useAttempt();
  const more = async (): Promise<void> => {
    const next = await api(previewRole, { body: { name, content: after, startKey } });
    setEffects({ ...next, people: [...people, ...next.people], unnamed: unnamed + next.unnamed });
  };
  const held = `${holders} ${holders === 1 ? 'person holds' : 'people hold'} this role`;
  const changed = people.length + unnamed;
  return (
    <div className={styles.review}>
      <Diff label="What changes in the text" before={before} after={after} />
      <h3>Who gains, who loses</h3>
      <p role="status">
        {holders === 0
          ? 'Nobody holds this role now.'
          : `${held}. ${changed === 0 ? `${startKey === '' ? 'None' : 'So far none'} of them gains or loses anything` : `${startKey === '' ? '' : 'So far '}${changed} of them ${changed === 1 ? 'gains or loses' : 'gain or lose'} something`} that can be reached or managed.`}
        {unnamed > 0 && ` ${unnamed} of them you may not read.`}
      </p>
      {people.map(({ user, gains, losses }) => (
        <section key={user} aria-label={user} className={styles.person}>
          <code>{user}</code>
          <ul>
            <Effects of={gains} kind="gains" />
            <Effects of={losses} kind="loses" />
          </ul>
        </section>
      ))}
      {problem !== '' && <Alert>{problem}</Alert>}
      {startKey !== '' && (
        <div>
          <Button size="dense" disabled={busy} onClick={() => void attempt(more)}>
            Look at the next holders
          </Button>
        </div>
      )}
    </div>
  );
}

function Effects({ of, kind }: { readonly of: readonly Effect[]; readonly kind: 'gains' | 'loses' }) {
  return of.map(effect => (
    <li key={`${effect.on} ${effect.names.join()}`} className={styles[kind]}>
      {kind} {effectText(effect)}
    </li>
  ));
}
