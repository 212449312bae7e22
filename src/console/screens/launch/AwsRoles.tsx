import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import styles from './aws-roles.module.css';

export interface AwsRole {
  readonly arn: string;
  /** Its name, without account and path. */
  readonly display: string;
}

/** Which role the AWS console is used as. Arrows walk, Enter takes. */
export function AwsRoles({
  fqdn,
  roles,
  onChoose,
}: {
  readonly fqdn: string;
  readonly roles: readonly AwsRole[];
  readonly onChoose: (arn: string) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll('button') ?? [])];
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  return (
    <ListPage title={`Open ${fqdn}`} says={`${roles.length} roles`}>
      <p>Your roles let you use the AWS console as any of these:</p>
      <ul
        ref={list}
        className={styles.roles}
        aria-label="Roles of AWS"
        onKeyDown={event => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          const all = buttons();
          all.at((all.findIndex(one => one === document.activeElement) + by) % all.length)?.focus();
        }}
      >
        {roles.map(({ arn, display }) => (
          <li key={arn}>
            <Button size="large" onClick={() => onChoose(arn)}>
              {display}
            </Button>
            <code>{arn}</code>
          </li>
        ))}
      </ul>
    </ListPage>
  );
}
