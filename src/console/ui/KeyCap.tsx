import { joined } from './joined.ts';
import styles from './keycap.module.css';

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');
const spoken: Readonly<Record<string, string>> = isApple
  ? { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧', enter: '↵', escape: 'esc' }
  : { mod: 'Ctrl', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: '↵', escape: 'Esc' };

/** The keys of a chord as people read them: `mod+k` becomes ['Ctrl+K'], `g s` becomes ['G', 'S']. */
export function readableChord(chord: string): readonly string[] {
  // Of several chords for one thing, such as `j, down`, the first is shown.
  const [first = ''] = chord.split(', ');
  return first.split(' ').map(step => {
    const parts = step.split('+').filter(part => part !== '');
    if (step.endsWith('+')) parts.push('+');
    return parts
      .map(part => spoken[part] ?? (part.length === 1 ? part.toUpperCase() : part[0]?.toUpperCase() + part.slice(1)))
      .join(isApple ? '' : '+');
  });
}

/** A chord drawn as key caps. `lit`: how many of its steps were pressed already. */
export function KeyCap({
  chord,
  lit = 0,
  className,
}: {
  readonly chord: string;
  readonly lit?: number;
  readonly className?: string | undefined;
}) {
  const steps = readableChord(chord);
  return (
    <kbd className={joined(styles.chord, className)}>
      {steps.map((step, index) => (
        <span key={steps.slice(0, index + 1).join(' ')} className={joined(styles.cap, index < lit && styles.lit)}>
          {step}
        </span>
      ))}
    </kbd>
  );
}
