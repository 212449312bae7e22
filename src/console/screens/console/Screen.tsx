import { useEffect } from 'react';
import { textChoice } from '../../../../commands/answer.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Empty } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { arriving } from './arriving.ts';
import styles from './console.module.css';

/** The terminals fill the page here; the frame draws them. This screen says what the address means, and what to do when there is none. */
export default function ConsolePage() {
  const { feature, params, query, arrive, run, setQuery } = usePage();
  const { workspace } = query;
  const asked = JSON.stringify(arriving(feature, params, query));
  useEffect(() => arrive(JSON.parse(asked)), [arrive, asked]);
  // A link to a workspace opens it once: the address is the terminals' again.
  useEffect(() => {
    if (workspace === undefined) return;
    setQuery({ workspace: undefined });
    run('workspace.open', { workspace: textChoice(workspace) });
  }, [workspace, run, setQuery]);
  return (
    <div className={styles.blank}>
      <Empty isPage title="No terminal is open">
        <p>Pick a server, then a login.</p>
        <CommandButton id="shell.open" kind="primary" size="large" />
      </Empty>
    </div>
  );
}
