import { useEffect } from 'react';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Empty } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { arriving } from './arriving.ts';
import styles from './console.module.css';

/** The terminals fill the page here; the frame draws them. This screen says what the address means, and what to do when there is none. */
export default function ConsolePage() {
  const { feature, params, query, arrive } = usePage();
  const asked = JSON.stringify(arriving(feature, params, query));
  useEffect(() => arrive(JSON.parse(asked)), [arrive, asked]);
  return (
    <div className={styles.blank}>
      <Empty isPage title="No terminal is open">
        <p>Pick a server, then a login.</p>
        <CommandButton id="shell.open" kind="primary" size="large" />
      </Empty>
    </div>
  );
}
