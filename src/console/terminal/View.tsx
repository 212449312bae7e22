import { useEffect, useRef } from 'react';
import type { Containers } from './containers.ts';
import styles from './pane.module.css';

/** Where one terminal is shown. React touches xterm in this one effect, through the containers. */
export function View(props: {
  readonly id: string;
  readonly containers: Containers;
  readonly title: string;
  readonly shown: boolean;
  readonly bells: number;
}) {
  const { id, containers, shown } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current) return containers.mount(id, container.current);
  }, [containers, id]);
  useEffect(() => {
    containers.setShown(id, shown);
    return () => containers.setShown(id, false);
  }, [containers, id, shown]);
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
