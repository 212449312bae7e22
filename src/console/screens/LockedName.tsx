import { LockKeyhole } from 'lucide-react';
import styles from './locked-name.module.css';

/** A name, marked where something keeps its bearer out; the mark says what. */
export function LockedName({ name, told }: { readonly name: string; readonly told: readonly string[] }) {
  if (told.length === 0) return name;
  const text = told.join(' ');
  return (
    <span className={styles.locked} title={text}>
      <LockKeyhole aria-label={text} role="img" />
      <span>{name}</span>
    </span>
  );
}
