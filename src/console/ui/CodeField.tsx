import { lazy, Suspense, useEffect, useRef } from 'react';
import styles from './code.module.css';

const CodeEditor = lazy(async () => ({ default: (await import('./CodeEditor.tsx')).CodeEditor }));

/** Something that may be written next. */
export interface Completion {
  readonly label: string;
  /** A sentence about it. */
  readonly info?: string | undefined;
  /** What is put in, with the caret this many characters before its end. */
  readonly text: string;
  readonly back?: number;
  /** Its value is asked for next. */
  readonly isKey?: boolean;
}
export interface Completed {
  /** Where what they replace begins, offset. */
  readonly start: number;
  readonly options: readonly Completion[];
}

/** Something wrong with a text: from where to where, in offsets, and a sentence. */
export interface TextProblem {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface CodeFieldProps {
  readonly label: string;
  /** What its colours and completions are of; absent: YAML. */
  readonly language?: 'yaml' | 'text';
  readonly value: string;
  readonly readOnly?: boolean;
  /** From 1: the line that could not be read. */
  readonly faultyLine?: number | undefined;
  /** From 1: the line that it opens at, marked. */
  readonly line?: number | undefined;
  /** What fits at an offset of the text; null: nothing. */
  readonly complete?: ((text: string, caret: number) => Promise<Completed | null>) | undefined;
  /** What is wrong with the text, asked for once somebody has stopped typing. */
  readonly check?: ((text: string) => Promise<readonly TextProblem[]>) | undefined;
  readonly onChange?: (text: string) => void;
  /** On Mod+Enter. */
  readonly onSubmit?: () => void;
}

/** Text, and YAML in colour. Until the editor is here the text stands plain in its place, and has the keys if the editor will take them. */
export function CodeField(props: CodeFieldProps) {
  return (
    <Suspense fallback={<Plain {...props} />}>
      <CodeEditor {...props} />
    </Suspense>
  );
}

function Plain({ label, value, readOnly = false }: CodeFieldProps) {
  const place = useRef<HTMLPreElement>(null);
  // After the dialog around it has opened, which moves the focus itself.
  useEffect(() => {
    if (!readOnly) queueMicrotask(() => place.current?.focus({ preventScroll: true }));
  }, [readOnly]);
  return (
    // biome-ignore lint/a11y: a text that can be scrolled through by keyboard.
    <pre ref={place} role="textbox" aria-readonly="true" tabIndex={0} aria-label={label} className={styles.plain}>
      {value}
    </pre>
  );
}
