import { Copy } from 'lucide-react';
import styles from './copyable.module.css';
import { usePage } from './page.tsx';

/** An identifier with a button that copies it, seen when the pointer or the keys are in its row. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const page = usePage();
  const title = `Copy ${label} ${text}`;
  if (text === '') return null;
  return (
    <span className={styles.place}>
      <span className={styles.text} title={text}>
        {text}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className={styles.copy}
        aria-label={title}
        onClick={() => void copied(page, text)}
      >
        <Copy aria-hidden="true" />
      </button>
    </span>
  );
}

/** Copies and says so; what the browser refuses is said too. */
export async function copied(
  page: Pick<ReturnType<typeof usePage>, 'copyText' | 'notify'>,
  text: string,
): Promise<void> {
  try {
    await page.copyText(text);
    const lines = text.split('\n').length;
    page.notify(lines > 1 ? `${lines} lines have been copied` : `${text.slice(0, 80)} has been copied`);
  } catch (error) {
    page.notify(error instanceof Error ? error.message : 'Cannot copy to clipboard');
  }
}
