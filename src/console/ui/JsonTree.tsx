import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { joined } from './joined.ts';
import styles from './json-tree.module.css';
import { jsonLines, treeStep } from './json-tree.ts';

/** A value of JSON as a tree that arrow keys walk through; Enter hands over what is under the cursor, as JSON or as the bare text that it is. */
export function JsonTree({
  label,
  value,
  onCopy,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly onCopy: (text: string) => void;
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const lines = jsonLines(value, closed);
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === current),
  );
  const toggle = (id: string): void =>
    setClosed(before => (before.has(id) ? new Set([...before].filter(one => one !== id)) : new Set([...before, id])));
  const move = (to: number): void => {
    setCurrent(lines[to]?.id ?? '');
    (place.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inner = lines[at]?.value;
    const step = treeStep(lines, at, event.key);
    if (event.key === 'Enter') onCopy(typeof inner === 'string' ? inner : JSON.stringify(inner, null, 2));
    else if (step === null) return;
    else if ('to' in step) move(step.to);
    else toggle(step.toggle);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={place} role="tree" aria-label={label} className={styles.tree}>
      {lines.map(({ id, name, level, value: inner, holds, isOpen }, index) => (
        <div
          key={id}
          role="treeitem"
          tabIndex={index === at ? 0 : -1}
          aria-level={level}
          aria-expanded={holds === undefined ? undefined : isOpen}
          className={styles.line}
          style={{ paddingInlineStart: `${level * 16}px` }}
          onKeyDown={onKeyDown}
          onFocus={() => setCurrent(id)}
          onClick={() => holds !== undefined && toggle(id)}
        >
          {holds !== undefined && <ChevronRight aria-hidden="true" className={joined(isOpen && styles.open)} />}
          <span className={styles.name}>{name}</span>
          <span className={styles[holds === undefined ? typeof inner : 'holds']}>{holds ?? JSON.stringify(inner)}</span>
        </div>
      ))}
    </div>
  );
}
