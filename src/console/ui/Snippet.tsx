import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import styles from './snippet.module.css';

/** The check icon shows for this long after copying (specification section 9). */
const COPIED_MS = 1000;

/** A line to copy, such as a command or a link. Copy failure says how to copy by hand. */
export function Snippet({
  text,
  label,
  prefix,
}: {
  readonly text: string;
  readonly label: string;
  /** What stands before the line in the shell that it is for. */
  readonly prefix?: '$' | '>';
}) {
  const [copied, setCopied] = useState(false);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setFailed('');
      setCopied(true);
    } catch (error) {
      setFailed(`Cannot copy to clipboard. Use Ctrl/Cmd + C. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <div>
      <div className={styles.snippet}>
        {prefix !== undefined && <span aria-hidden="true">{prefix}</span>}
        <code className={styles.text}>{text}</code>
        <button
          type="button"
          className={styles.copy}
          aria-label={copied ? 'Copied' : `Copy ${label}`}
          onClick={() => void copy()}
        >
          {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        </button>
      </div>
      {failed !== '' && (
        <p className={styles.failed} role="alert">
          {failed}
        </p>
      )}
    </div>
  );
}
