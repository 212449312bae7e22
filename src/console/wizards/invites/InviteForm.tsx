import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ChipField } from '../../ui/ChipField.tsx';
import { firstRoles, type Invites, noInvites } from './invites.ts';

/** Names the people who shall be invited, or nobody. */
export function InviteForm({ onInvites }: { readonly onInvites: (invites: Invites) => void }) {
  const [named, setNamed] = useState<Invites>(noInvites);
  const [tried, setTried] = useState(false);
  const isMissing = (field: 'people' | 'roles'): boolean => tried && named[field].length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (named.people.length > 0 && named.roles.length > 0) onInvites(named);
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>Each of them gets a link to pass on. You are shown the links as soon as you are in.</p>
      <ChipField
        label="User names"
        error={isMissing('people') ? 'At least one user name is required' : undefined}
        values={named.people}
        onChange={people => setNamed(now => ({ ...now, people }))}
        known={[]}
        autoFocus
      />
      <ChipField
        label="Roles"
        error={isMissing('roles') ? 'At least one role is required' : undefined}
        values={named.roles}
        onChange={roles => setNamed(now => ({ ...now, roles }))}
        known={firstRoles}
      />
      <ChipField
        label="Logins on servers"
        tip="Without one they see servers and open no shell"
        values={named.logins}
        onChange={logins => setNamed(now => ({ ...now, logins }))}
        known={[]}
      />
      <Button kind="primary" size="large" type="submit">
        Invite
      </Button>
      <Button kind="quiet" onClick={() => onInvites(noInvites)}>
        Skip
      </Button>
    </form>
  );
}
