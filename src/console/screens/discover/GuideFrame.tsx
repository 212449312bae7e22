import { Check, Minus } from 'lucide-react';
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Slide } from '../../wizards/Slide.tsx';
import styles from './discover.module.css';
import type { Walk } from './guide.ts';

/** Hears that what the step on screen asks for has failed. */
const FailedContext = createContext(() => {});
/** What a step calls whose failure is no problem of the page, but what it was to find out. */
export const useFailed = (): (() => void) => useContext(FailedContext);

/** The steps at the left, the one on screen beside them. */
export function GuideFrame<Step extends string>({
  walk: { steps, at, ends },
  titles,
  onFailed,
  children,
}: {
  readonly walk: Walk<Step>;
  readonly titles: Readonly<Record<Step, string>>;
  readonly onFailed: () => void;
  readonly children: ReactNode;
}) {
  const index = steps.indexOf(at);
  return (
    <div className={styles.guide}>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((step, place) => (
          <li
            key={step}
            aria-current={step === at ? 'step' : undefined}
            className={place < index ? styles.over : undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              {place >= index ? place + 1 : ends[step] === 'skipped' ? <Minus /> : <Check />}
            </span>
            <span>
              {titles[step]}
              {ends[step] === 'skipped' && <span className={styles.aside}> skipped</span>}
            </span>
          </li>
        ))}
      </ol>
      <FailedContext value={onFailed}>
        <Slide at={index}>{children}</Slide>
      </FailedContext>
    </div>
  );
}

/** One step: what it is about, and its buttons. `onNext` runs on its main button, Enter in a field and Mod+Enter. */
export function GuideStep({
  title,
  problem = '',
  next,
  canGoOn = true,
  isBusy = false,
  onNext,
  onBack,
  onSkip,
  children,
}: {
  readonly title: string;
  readonly problem?: string | undefined;
  /** What the main button says. */
  readonly next: string;
  readonly canGoOn?: boolean;
  readonly isBusy?: boolean;
  readonly onNext: () => void;
  readonly onBack?: (() => void) | undefined;
  readonly onSkip?: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const id = useId();
  const failed = useRef(() => {});
  failed.current = useFailed();
  useEffect(() => {
    if (problem !== '') failed.current();
  }, [problem]);
  const form = useRef<HTMLFormElement>(null);
  // The step before it took the focus with it.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, [data-next]')?.focus();
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canGoOn && !isBusy) onNext();
  };
  return (
    <form
      ref={form}
      className={styles.step}
      aria-labelledby={id}
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <h2 id={id}>{title}</h2>
      {problem !== '' && <Alert>{problem}</Alert>}
      {children}
      <div className={styles.buttons}>
        {/* Never disabled: a button that is takes no keys, and whoever waits stands on it. */}
        <Button kind="primary" type="submit" aria-disabled={!canGoOn || isBusy} data-next>
          {next}
        </Button>
        {onSkip && <Button onClick={onSkip}>Skip</Button>}
        {onBack && (
          <Button kind="quiet" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}
