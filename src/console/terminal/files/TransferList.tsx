import { Check, RotateCw, X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { BarButton } from '../../ui/BarButton.tsx';
import styles from './file-panel.module.css';
import { progressText } from './progress.ts';
import type { Transfer, Transfers } from './transfers.ts';

/** What is on its way, and what has ended since the list was cleared. */
export function TransferList({ transfers }: { readonly transfers: Transfers }) {
  const { transfers: list } = useSnapshot(transfers.state);
  return (
    <ul className={styles.list} aria-label="File transfers">
      {list.map(transfer => (
        <Row key={transfer.id} transfer={transfer} transfers={transfers} />
      ))}
    </ul>
  );
}

function Row({ transfer, transfers }: { readonly transfer: Readonly<Transfer>; readonly transfers: Transfers }) {
  const { id, name, status, loaded, total, problem } = transfer;
  const percent = total > 0 ? Math.floor((loaded / total) * 100) : status === 'done' ? 100 : 0;
  const isOpen = status === 'running' || status === 'waiting';
  return (
    <li className={styles.row} data-status={status}>
      <span className={styles.name} title={name}>
        {name}
      </span>
      <span className={styles.percent}>{total > 0 || status === 'done' ? `${percent} %` : ''}</span>
      {isOpen && (
        <BarButton name={`Cancel ${name}`} onClick={() => transfers.cancel(id)}>
          <X size={14} aria-hidden />
        </BarButton>
      )}
      {status === 'failed' && (
        <BarButton name={`Try ${name} again`} onClick={() => transfers.again(id)}>
          <RotateCw size={14} aria-hidden />
        </BarButton>
      )}
      {status === 'done' && <Check size={14} className={styles.done} aria-label="Done" />}
      <progress
        className={styles.bar}
        {...(total > 0 || loaded === 0 || !isOpen ? { max: 100, value: percent } : {})}
        aria-label={`Progress of ${name}`}
      />
      {problem !== '' ? (
        <p className={styles.problem} role={status === 'failed' ? 'alert' : 'status'}>
          {problem}
        </p>
      ) : (
        <p className={styles.facts}>{progressText(transfer)}</p>
      )}
    </li>
  );
}
