import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { verbs } from '../../../contract/acl.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { accessActionNames, type Explanation, explainAccess } from '../../../contract/rights.ts';
import { reaches } from '../../../features/access.ts';
import { reasonText } from '../../../features/reach.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useAgain } from '../again.ts';
import { copied } from '../Copyable.tsx';
import { Empty, ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { RoleLinks } from '../RoleLinks.tsx';
import { RequestOffer } from './RequestOffer.tsx';
import styles from './why.module.css';

const kinds: Readonly<Record<Explanation['reasons'][number]['kind'], string>> = {
  allows: 'Allows',
  denies: 'Denies',
  demands: 'Demands',
  missing: 'Missing',
  locked: 'Locked',
  guards: 'Guards',
  unprepared: 'Not prepared',
  rules: 'Login rules',
};

/** Whether somebody may, and which rules say so: the address says who, how, as whom and where. Oneself without a user, any login without one. */
export default function Why() {
  const page = usePage();
  const { api, clusterId, who, config } = page;
  const { user = who?.userName ?? '', action = 'ssh', target = '', login = '' } = page.query;
  const [said, setSaid] = useState<Explanation | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const others = useGate('users.reached');
  const access = accessActionNames.find(name => name === action);
  const verb = access ?? verbs.find(name => name === action) ?? 'ssh';
  const [again, setAgain] = useState(0);
  useAgain(async () => setAgain(times => times + 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a command has changed is asked for again.
  useEffect(() => {
    if (target === '') return;
    let isHere = true;
    setError(null);
    const query = { user, action: verb, target, ...(access && login !== '' && { principal: login }) };
    api(explainAccess, { params: { clusterId }, query }).then(
      answer => isHere && setSaid(answer),
      (problem: unknown) => {
        if (!isHere) return;
        setSaid(null);
        setError(toApiError(problem));
      },
    );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, user, verb, target, login, again]);
  const seesRoles = reaches('roles', { who, config });
  return (
    <ListPage
      title="Why"
      error={error}
      says={said?.text ?? ''}
      actions={
        <>
          {said !== null && (
            <Button onClick={() => void copied(page, [said.text, ...said.reasons.map(reasonText)].join('\n'))}>
              Copy
            </Button>
          )}
          <CommandButton id="rights.why" kind="primary">
            Ask…
          </CommandButton>
        </>
      }
    >
      {target === '' ? (
        <Empty title="Nothing has been asked yet">
          <p>
            Ask whether somebody may reach something: the answer names the rule that allows, the one that denies, or
            what is missing.
          </p>
        </Empty>
      ) : said === null && error === null ? (
        <Spinner />
      ) : (
        <div className={styles.answer}>
          {said !== null && (
            <>
              <Alert kind={said.allowed ? 'success' : 'warning'}>{said.text}</Alert>
              <ul className={styles.reasons}>
                {said.reasons.map(reason => (
                  <li key={reason.text}>
                    <strong>{kinds[reason.kind]}</strong> <span>{reason.text}</span>
                    {reason.role !== '' && (
                      <span className={styles.place}>
                        <RoleLinks roles={[{ name: reason.role, line: reason.line }]} />
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          {error?.code === 'not_found' && (
            <p>
              It is not there, or none of your roles shows it to you. Whoever manages roles in this cluster can tell
              which.
            </p>
          )}
          {access && (error?.code === 'not_found' || said?.allowed === false) && user === who?.userName && (
            <RequestOffer key={`${login}@${target}`} action={access} login={login} target={target} />
          )}
          {said !== null && !said.allowed && !seesRoles && (
            <p>Whoever manages roles in this cluster can change that.</p>
          )}
          <p className={styles.links}>
            {access && (others.refused === undefined || user === who?.userName) && (
              <LinkTo id="rights" query={{ user, action: access }}>
                What {user === who?.userName ? 'you' : user} may reach
              </LinkTo>
            )}
            {access && others.refused === undefined && said !== null && (
              <LinkTo id="rights" query={{ action: access, target }}>
                Who else may reach it
              </LinkTo>
            )}
          </p>
        </div>
      )}
    </ListPage>
  );
}
