import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Diff } from '../../ui/Diff.tsx';
import { Field } from '../../ui/Field.tsx';
import { usePage } from '../page.tsx';
import { RuleTest } from './RuleTest.tsx';
import styles from './rules.module.css';

/** What a rule would say anew, and what would become of somebody's traits by it, before it is saved. */
export function RuleReview({ before, after }: { readonly before: string; readonly after: string }) {
  const { who } = usePage();
  const [user, setUser] = useState(who?.userName ?? '');
  const [tested, setTested] = useState('');
  return (
    <div className={styles.review}>
      <Diff label="What changes in the text" before={before} after={after} />
      <form
        className={styles.ask}
        onSubmit={event => {
          event.preventDefault();
          setTested(user.trim());
        }}
      >
        <Field label="Test on the user" value={user} onChange={event => setUser(event.target.value)} />
        <Button type="submit" size="large" disabled={user.trim() === ''}>
          Test
        </Button>
      </form>
      {tested !== '' && <RuleTest user={tested} content={after} />}
    </div>
  );
}
