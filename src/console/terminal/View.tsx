import { useEffect, useRef } from 'react';
import type { Hosts } from './hosts.ts';
import styles from './pane.module.css';

/** Where one terminal is shown. React touches xterm in this one effect, through the hosts. */
export function View(props: {
  readonly id: string;
  readonly hosts: Hosts;
  readonly title: string;
  readonly shown: boolean;
  readonly bells: number;
}) {
  const { id, hosts, shown } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current) return hosts.mount(id, container.current);
  }, [hosts, id]);
  useEffect(() => {
    hosts.setShown(id, shown);
    return () => hosts.setShown(id, false);
  }, [hosts, id, shown]);
  return (
    <div
      ref={container}
      id={`terminal-${id}`}
      className={styles.view}
      hidden={!shown}
      role="tabpanel"
      aria-label={`Terminal ${props.title}`}
    >
      {props.bells > 0 && <span key={props.bells} className={styles.bell} aria-hidden />}
    </div>
  );
}
