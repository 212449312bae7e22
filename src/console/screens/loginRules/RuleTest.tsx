import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { type LoginRuleTest, testLoginRules } from '../../../contract/login-rule-calls.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';
import styles from './rules.module.css';
import { changedTraits, type Traits } from './traits.ts';

const rowsOf = (traits: Traits) =>
  Object.entries(traits).map(([name, values]) => [name, <code key={name}>{values.join(', ')}</code>] as const);

/** What the rules make of somebody's traits, rule by rule. `content`: as if this rule were written. */
export function RuleTest({ user, content }: { readonly user: string; readonly content?: string }) {
  const { api } = usePage();
  const [found, setFound] = useState<LoginRuleTest | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isHere = true;
    setFound(null);
    setProblem('');
    api(testLoginRules, { body: { user, ...(content !== undefined && { content }) } }).then(
      answer => isHere && setFound(answer),
      (error: unknown) => isHere && setProblem(toApiError(error).message),
    );
    return () => {
      isHere = false;
    };
  }, [api, user, content]);
  if (problem !== '') return <Alert>{problem}</Alert>;
  if (found === null) return <Spinner />;
  const { given, steps, refused } = found;
  const after = steps.at(-1)?.traits ?? given;
  return (
    <div className={styles.test}>
      {refused === undefined ? (
        <Alert kind="info">
          {steps.length === 0
            ? `There is no login rule: ${user} has these traits at the next sign-in.`
            : `At the next sign-in ${user} has the traits that stand last here. Nobody is signed in, and nothing is changed.`}
        </Alert>
      ) : (
        <Alert>{`${user} would not be signed in: ${refused}.`}</Alert>
      )}
      <h3>Given</h3>
      <Listed traits={given} />
      {steps.map(({ rule, traits }, at) => {
        const changes = changedTraits(steps[at - 1]?.traits ?? given, traits);
        return (
          <section key={rule} aria-label={rule}>
            <h3>
              After <code>{rule}</code>
            </h3>
            {changes.length === 0 ? (
              <p>It changes nothing.</p>
            ) : (
              <ul>
                {changes.map(({ name, gained, lost }) => (
                  <li key={name}>
                    {name}
                    {gained.length > 0 && <span className={styles.gained}>{gained.join(', ')}</span>}
                    {lost.length > 0 && <span className={styles.lost}>{lost.join(', ')}</span>}
                  </li>
                ))}
              </ul>
            )}
          </section>
        );
      })}
      {refused === undefined && steps.length > 0 && (
        <>
          <h3>Traits of the session</h3>
          <Listed traits={after} />
        </>
      )}
    </div>
  );
}

function Listed({ traits }: { readonly traits: Traits }) {
  const rows = rowsOf(traits);
  return rows.length === 0 ? <p>No traits.</p> : <Facts rows={rows} />;
}
