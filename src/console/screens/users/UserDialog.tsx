import { useEffect, useId, useState } from 'react';
import { readRoles, wrongName } from '../../../../commands/users.ts';
import { toApiError } from '../../../client/errors.ts';
import { listRoles } from '../../../contract/roles.ts';
import { createResetToken, createUser, type User, updateUser } from '../../../contract/users.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { usePage } from '../page.tsx';
import type { Link } from './LinkDialog.tsx';
import styles from './users.module.css';

/** Invites a user, or changes the roles of one; at least one role (specification section 5). */
export function UserDialog({
  user,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly user: User | null;
  readonly onDone: (user: User, link: Link | null) => void;
  readonly onCancel: () => void;
}) {
  const { api } = usePage();
  const id = useId();
  const [name, setName] = useState(user?.name ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(user?.roles ?? []));
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<readonly string[]>([]);
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  useEffect(() => {
    let isHere = true;
    // Who may not read the roles can still type their names.
    api(listRoles).then(
      roles => isHere && setKnown(roles.map(role => role.name)),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [api]);

  const names = [...new Set([...known, ...(user?.roles ?? [])])];
  const more = typed.trim() === '' ? [] : readRoles(typed);
  const roles = typeof more === 'string' ? [] : [...new Set([...chosen, ...more])];
  const nameFault = user === null ? wrongName(name) : undefined;
  const rolesFault = typeof more === 'string' ? more : roles.length === 0 ? 'At least one role is required' : undefined;
  const isSame = user !== null && roles.length === user.roles.length && roles.every(role => user.roles.includes(role));

  const save = async (): Promise<void> => {
    setTried(true);
    if (nameFault !== undefined || rolesFault !== undefined || isBusy || isSame) return;
    setBusy(true);
    setError('');
    try {
      const body = { name: name.trim(), roles };
      if (user !== null) onDone(await api(updateUser, { body }), null);
      else {
        const made = await api(createUser, { body });
        const token = await api(createResetToken, { body: { name: made.name, type: 'invite' } });
        onDone(made, token);
      }
    } catch (problem) {
      setError(toApiError(problem).message);
      setBusy(false);
    }
  };
  const toggle = (role: string): void => {
    const next = new Set(chosen);
    if (!next.delete(role)) next.add(role);
    setChosen(next);
  };
  const isWrong = tried && rolesFault !== undefined;
  return (
    <Dialog
      title={user === null ? 'Invite a user' : `Roles of ${user.name}`}
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} disabled={isBusy || isSame}>
            {user === null ? 'Invite' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        {error !== '' && <Alert>{error}</Alert>}
        <Field
          label="User name"
          mono
          autoFocus={user === null}
          readOnly={user !== null}
          value={name}
          autoComplete="off"
          spellCheck={false}
          onChange={event => setName(event.target.value)}
          error={tried ? nameFault : undefined}
        />
        <fieldset className={styles.roles} aria-describedby={isWrong ? `${id}-roles` : undefined}>
          <legend className={isWrong ? styles.wrong : undefined} id={`${id}-roles`}>
            {isWrong ? rolesFault : 'Roles'}
          </legend>
          {names.map(role => (
            <label key={role} className={styles.role}>
              <input type="checkbox" checked={chosen.has(role)} onChange={() => toggle(role)} />
              <code>{role}</code>
            </label>
          ))}
        </fieldset>
        {known.length === 0 && (
          <Field
            label="Further roles"
            mono
            tip="Names of roles, separated by commas"
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  );
}
