// Names of roles, for fields that offer them.
import { useEffect, useState } from 'react';
import { listRoles } from '../../contract/roles.ts';
import { usePage } from './page.tsx';

/** Null until they are known; none for whoever may not read the roles, who can still type their names. */
export function useRoleNames(): readonly string[] | null {
  const { api } = usePage();
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let isHere = true;
    api(listRoles).then(
      found => isHere && setNames(found.map(role => role.name)),
      () => isHere && setNames([]),
    );
    return () => {
      isHere = false;
    };
  }, [api]);
  return names;
}
