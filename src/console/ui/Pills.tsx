import styles from './pills.module.css';

/** Labels as `key: value` pills; with `onPick` they filter on click. */
export function Pills({
  labels,
  onPick,
}: {
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly onPick?: (label: { readonly name: string; readonly value: string }) => void;
}) {
  return (
    <span className={styles.pills}>
      {labels.map(label => {
        const text = label.name === '' ? label.value : `${label.name}: ${label.value}`;
        return onPick ? (
          <button
            key={text}
            type="button"
            tabIndex={-1}
            className={styles.pill}
            title={`Filter by ${text}`}
            onClick={() => onPick(label)}
          >
            {text}
          </button>
        ) : (
          <span key={text} className={styles.pill}>
            {text}
          </span>
        );
      })}
    </span>
  );
}
