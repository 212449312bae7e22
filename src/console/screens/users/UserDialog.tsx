import { useState } from 'react';
import { Cancelled } from '../../../../commands/answer.ts';
import { changeUser } from '../../../../commands/change-users.ts';
import { INVITE, wrongName } from '../../../../commands/users.ts';
import { toApiError } from '../../../client/errors.ts';
import { createUser, type User } from '../../../contract/users.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { ChipField } from '../../ui/ChipField.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { usePage } from '../page.tsx';
import { useRoleNames } from '../role-names.ts';
import { changedTraits, faultOf, isSame, knownTraits, type TraitValues, traitFields, traitsOf } from './traits.ts';
import styles from './users.module.css';

/** Invites a user, or changes the roles and traits of one; at least one role (specification section 5). */
export function UserDialog({
  user,
  people,
  onDone,
  onCancel,
}: {
  /** Null: a new one. */
  readonly user: User | null;
  /** Everybody there is: what they have is offered. */
  readonly people: readonly User[];
  readonly onDone: (user: User) => void;
  readonly onCancel: () => void;
}) {
  const { api, confirm, who } = usePage();
  const before = traitsOf(user);
  const [name, setName] = useState(user?.name ?? '');
  const [roles, setRoles] = useState<readonly string[]>(user?.roles ?? []);
  const [traits, setTraits] = useState<TraitValues>(before);
  const known = useRoleNames();
  const [tried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');

  const nameFault = user === null ? wrongName(name) : undefined;
  const rolesFault = roles.length === 0 ? 'At least one role is required' : undefined;
  const changed = changedTraits(before, traits);
  const isUnchanged = user !== null && isSame(roles, user.roles) && Object.keys(changed).length === 0;
  const faults = traitFields.map(({ trait }) => faultOf(trait, before[trait], traits[trait]));
  const hasFault = nameFault !== undefined || rolesFault !== undefined || faults.some(fault => fault !== undefined);
  const save = async (): Promise<void> => {
    setTried(true);
    if (hasFault || isBusy || isUnchanged) return;
    setBusy(true);
    setError('');
    try {
      const body = { name: name.trim(), roles: [...roles], traits: changed };
      onDone(user === null ? await api(createUser, { body }) : await changeUser({ call: api, confirm }, who, body));
    } catch (problem) {
      if (!(problem instanceof Cancelled)) setError(toApiError(problem).message);
      setBusy(false);
    }
  };
  const [logins, ...others] = traitFields.map(({ trait, label, tip }, at) => (
    <ChipField
      key={trait}
      label={label}
      tip={tip}
      values={traits[trait]}
      before={user === null ? undefined : before[trait]}
      known={knownTraits(people, trait)}
      error={tried ? faults[at] : undefined}
      onChange={values => setTraits(now => ({ ...now, [trait]: values }))}
    />
  ));
  return (
    <FormDialog
      title={user === null ? INVITE : `Roles of ${user.name}`}
      submit={user === null ? 'Invite' : 'Save'}
      isDisabled={isBusy || isUnchanged}
      problem={error}
      onSubmit={() => void save()}
      onCancel={onCancel}
    >
      {user === null && (
        <>
          <p>
            <ManualLink id="inviteUser" />
          </p>
          <Field
            label="User name"
            mono
            autoFocus
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={event => setName(event.target.value)}
            error={tried ? nameFault : undefined}
          />
        </>
      )}
      <ChipField
        label="Roles"
        tip="What this person may do and reach"
        autoFocus={user !== null}
        values={roles}
        before={user?.roles}
        known={known}
        onChange={setRoles}
        error={tried ? rolesFault : undefined}
      />
      {logins}
      <details open={others.length > 0 && traitFields.slice(1).some(({ trait }) => before[trait].length > 0)}>
        <summary className={styles.summary}>Databases, Kubernetes, desktops and clouds</summary>
        <div className={styles.form}>{others}</div>
      </details>
    </FormDialog>
  );
}
