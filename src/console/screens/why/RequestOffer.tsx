import { useEffect, useId, useState } from 'react';
import { textChoice } from '../../../../commands/answer.ts';
import type { AccessRequest } from '../../../contract/access-requests.ts';
import type { AccessAction } from '../../../contract/rights.ts';
import { requestWords } from '../../../features/requests.ts';
import { durationText } from '../../../features/times.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { usePage } from '../page.tsx';
import styles from './why.module.css';

/** The access request that would help, where one's roles let one make it: all that is left to say is why. Nothing where none would. */
export function RequestOffer({
  action,
  login,
  target,
}: {
  readonly action: AccessAction;
  readonly login: string;
  readonly target: string;
}) {
  const { api, clusterId, run, who } = usePage();
  const id = useId();
  const [would, setWould] = useState<AccessRequest | null>(null);
  const [reason, setReason] = useState('');
  const asks = (who?.allowedSearchAsRoles.length ?? 0) > 0;
  useEffect(() => {
    if (!asks) return;
    const asked = { kind: action, target, ...(login !== '' && { login }) };
    let isHere = true;
    void import('../../../../commands/requests-acts.ts')
      .then(({ helping }) => helping({ call: api }, clusterId, asked))
      .then(
        found => isHere && setWould(found),
        // Without an offer the answer stands as it is.
        () => undefined,
      );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, action, login, target, asks]);
  if (would === null) return null;
  return (
    <form
      id={id}
      className={styles.offer}
      onSubmit={event => {
        event.preventDefault();
        const what = `${action} ${login === '' ? '' : `${login}@`}${target}`;
        run('requests.new', { what: textChoice(what), reason: textChoice(reason.trim()) });
        setWould(null);
      }}
    >
      <p>
        You may ask for {requestWords(would)}, through {would.roles.join(', ')}, for {durationText(would.maxDuration)}.
      </p>
      <Field
        label="Why you need it"
        tip={who?.accessStrategy.prompt || 'For whoever reviews it; may stay empty'}
        autoFocus
        maxLength={1000}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      <Button kind="primary" type="submit">
        Request {requestWords(would)}
      </Button>
    </form>
  );
}
