import { Fragment } from 'react';
import type { Giver } from '../../contract/rights.ts';
import { reaches } from '../../features/access.ts';
import { placeOf } from '../../features/reach.ts';
import { LinkTo, usePage } from './page.tsx';

/** Roles, each with the line of its YAML that is meant: as a link to it for whoever may see roles, else in words. */
export function RoleLinks({
  roles,
  isBrief = false,
}: {
  readonly roles: readonly Giver[];
  readonly isBrief?: boolean;
}) {
  const { who, config } = usePage();
  const seesRoles = reaches('roles', { who, config });
  return roles.map(({ name, line, list }, index) => {
    const place = placeOf({ role: name, line });
    return (
      <Fragment key={name}>
        {index > 0 && ', '}
        {seesRoles ? (
          <LinkTo id="roles" query={{ edit: name, line: String(line) }} title={place}>
            {isBrief ? name : place}
          </LinkTo>
        ) : (
          <span title={place}>{isBrief ? name : place}</span>
        )}
        {list !== undefined && ` by ${list}`}
      </Fragment>
    );
  });
}
