import { Gate } from '../ui/Gate.tsx';
import styles from './topbar.module.css';

/** The product's mark and name: a small gate with a prompt in it. */
export function Mark() {
  return (
    <span className={styles.mark}>
      <Gate size={28} />
      <span className={styles.name}>Postern</span>
    </span>
  );
}
