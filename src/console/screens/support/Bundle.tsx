import { Copy, Download } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { getSupportBundle } from '../../../contract/support.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './support.module.css';

/** The diagnostics bundle: shown whole before it is saved, so that who sends it knows what they send. */
export function Bundle() {
  const page = usePage();
  const { api, clusterId, setQuery } = page;
  const ask = useCallback(() => api(getSupportBundle, { params: { clusterId } }), [api, clusterId]);
  const { answer: bundle, error, again } = useAsked(ask);
  const text = bundle === null ? '' : `${JSON.stringify(bundle, null, 2)}\n`;
  const seen = useRef<HTMLElement>(null);
  // Whoever asks for it sees it, also where it stands below the window. Newer browsers answer a promise, which is no clean-up.
  useEffect(() => void seen.current?.scrollIntoView(), []);
  return (
    <section ref={seen} className={styles.card} aria-labelledby="support-bundle">
      <h2 id="support-bundle">Diagnostics</h2>
      <p>
        How this gateway is set up, and the warnings and errors of its log. No passwords, keys or tokens, nothing of
        what people did in their sessions. Read it before you send it: it is what the file holds, and nothing has been
        sent.
      </p>
      {error !== null && <Alert>{error.message}</Alert>}
      {bundle === null && error === null && <Spinner />}
      {bundle !== null && (
        <>
          <div className={styles.acts}>
            <Button
              kind="primary"
              icon={<Download aria-hidden="true" />}
              onClick={() =>
                saveFile(
                  new Blob([text], { type: 'application/json' }),
                  `postern-${bundle.cluster}-${bundle.made.replace(/[:.]/g, '-')}.json`,
                )
              }
            >
              Save as a file
            </Button>
            <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, text)}>
              Copy
            </Button>
            <Button kind="quiet" onClick={again}>
              Ask again
            </Button>
            <Button kind="quiet" onClick={() => setQuery({ bundle: undefined })}>
              Close
            </Button>
          </div>
          <div className={styles.bundle}>
            <CodeField label="The diagnostics" value={text} readOnly />
          </div>
        </>
      )}
    </section>
  );
}
