import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Cancelled } from '../../../../commands/answer.ts';
import { isOwnLock, sureToLock } from '../../../../commands/lock-oneself.ts';
import { toApiError } from '../../../client/errors.ts';
import { LOCK_TIME_HINT, lockTargets, readLockTime } from '../../../contract/lock-words.ts';
import { createLock } from '../../../contract/locks.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import choicePage from '../choice-page.module.css';
import { usePage } from '../page.tsx';
import styles from './new-lock.module.css';
import { keyOf, lockedBy, type Target, toggled, wordsOf } from './targets.ts';

/** What is chosen once more, with message and time: one lock for each. Those that the gateway refuses stay, with its words. */
export function LockPanel({
  targets,
  onTargets,
  onClose,
}: {
  readonly targets: readonly Target[];
  readonly onTargets: (targets: readonly Target[]) => void;
  readonly onClose: () => void;
}) {
  const { api, clusterId, confirm, go, who } = usePage();
  const id = useId();
  const [message, setMessage] = useState('');
  const [ttl, setTtl] = useState('');
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [locked, setLocked] = useState<readonly Target[]>([]);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const ttlRead = ttl.trim() === '' ? '' : readLockTime(ttl.trim());
  const ttlFault = ttlRead === undefined ? `Type ${LOCK_TIME_HINT}, or nothing` : undefined;
  const isDone = targets.length === 0 && locked.length > 0;

  const submit = async (): Promise<void> => {
    setTried(true);
    if (isBusy || ttlRead === undefined || targets.length === 0) return;
    setBusy(true);
    const problems = new Map<string, string>();
    const made: Target[] = [];
    try {
      const chosen = targets.map(target => ({ target, targets: lockedBy(target), what: wordsOf(target) }));
      for (const { target, targets } of await sureToLock({ confirm }, who, chosen))
        await api(createLock, {
          params: { clusterId },
          body: { targets, message: message.trim(), ttl: ttlRead },
        }).then(
          () => made.push(target),
          (problem: unknown) => problems.set(keyOf(target), toApiError(problem).message),
        );
    } catch (problem) {
      if (!(problem instanceof Cancelled)) throw problem;
    }
    setBusy(false);
    setRefused(problems);
    setLocked(before => [...before, ...made]);
    onTargets(targets.filter(target => !made.includes(target)));
  };

  return (
    <Dialog
      title={isDone ? 'Locked' : 'Lock'}
      size="side"
      onEscape={onClose}
      actions={
        isDone ? (
          <>
            <Button onClick={onClose}>Lock something else</Button>
            {/* Another button than the one that locked: it takes the keys. */}
            <Button key="locks" kind="primary" autoFocus onClick={() => go('locks')}>
              Back to locks
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="danger" type="submit" form={id} disabled={isBusy || targets.length === 0}>
              {targets.length > 1 ? `Lock ${targets.length} targets` : 'Lock'}
            </Button>
          </>
        )
      }
    >
      <form
        id={id}
        className={choicePage.panel}
        onSubmit={event => {
          event.preventDefault();
          void submit();
        }}
      >
        {locked.length > 0 && <Alert kind="info">{`In force at once: ${locked.map(wordsOf).join(', ')}.`}</Alert>}
        {refused.size > 0 && <Alert>{`${refused.size} could not be locked.`}</Alert>}
        {targets.length > 0 && (
          <table className={styles.targets} aria-label="What will be locked">
            <thead>
              <tr>
                <th>Kind</th>
                <th>Name</th>
                <th>
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {targets.map(target => (
                <tr key={keyOf(target)}>
                  <td>{lockTargets[target.kind]}</td>
                  <td>
                    <code>{target.title}</code>
                    {isOwnLock(who, lockedBy(target)) && <p className={styles.own}>This holds you back too.</p>}
                    {refused.has(keyOf(target)) && <p className={styles.refused}>{refused.get(keyOf(target))}</p>}
                  </td>
                  <td>
                    <Button
                      kind="quiet"
                      size="dense"
                      aria-label={`Remove ${wordsOf(target)}`}
                      icon={<Trash2 aria-hidden="true" />}
                      onClick={() => onTargets(toggled(targets, target))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {!isDone && (
          <>
            <Field
              label="Message"
              tip="What whoever is held back is told; may stay empty"
              data-first
              maxLength={1024}
              value={message}
              onChange={event => setMessage(event.target.value)}
            />
            <Field
              label="Time to live"
              tip="Such as 2h, or an end such as 2026-12-24; empty: until it is taken away"
              mono
              autoComplete="off"
              spellCheck={false}
              value={ttl}
              error={tried ? ttlFault : undefined}
              onChange={event => setTtl(event.target.value)}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}
