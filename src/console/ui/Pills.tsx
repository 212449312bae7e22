import { useEffect, useRef, useState } from 'react';
import { joined } from './joined.ts';
import { Menu } from './Menu.tsx';
import { MenuItem, MenuNote } from './MenuItem.tsx';
import styles from './pills.module.css';

interface Label {
  readonly name: string;
  readonly value: string;
}
const textOf = ({ name, value }: Label): string => (name === '' ? value : `${name}: ${value}`);

/** Labels as `key: value` pills on one line; with `onPick` they filter on click. Those that do not fit are behind a "+2". */
export function Pills({
  labels,
  onPick,
}: {
  readonly labels: readonly Label[];
  readonly onPick?: (label: Label) => void;
}) {
  const line = useRef<HTMLSpanElement>(null);
  const [fit, setFit] = useState(labels.length);
  /** Room between the last pill that fits and the end of the line, px: the "+2" is drawn that much nearer, and takes no room from the line by it. */
  const [gap, setGap] = useState(0);
  const count = labels.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other labels are measured anew.
  useEffect(() => {
    const element = line.current;
    if (element === null || count < 2) return;
    // Pills that do not fit are on a further line, which is out of sight.
    const measured = (): void => {
      const pills = [...element.children].filter(child => child instanceof HTMLElement);
      const top = pills[0]?.offsetTop;
      const fitting = pills.filter(pill => pill.offsetTop === top);
      const last = fitting.at(-1);
      setFit(fitting.length);
      if (last !== undefined) setGap(element.getBoundingClientRect().right - last.getBoundingClientRect().right);
    };
    const sizes = new ResizeObserver(measured);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [labels, count]);
  const hidden = count < 2 ? [] : labels.slice(fit);
  return (
    <span className={styles.pills}>
      <span ref={line} className={styles.line}>
        {labels.map((label, index) => {
          const text = textOf(label);
          const isOut = count > 1 && index >= fit;
          return onPick ? (
            <button
              key={text}
              type="button"
              tabIndex={-1}
              disabled={isOut}
              className={joined(styles.pill, isOut && styles.out)}
              title={`Filter by ${text}`}
              onClick={() => onPick(label)}
            >
              {text}
            </button>
          ) : (
            <span key={text} className={styles.pill}>
              {text}
            </span>
          );
        })}
      </span>
      {hidden.length > 0 && (
        <Menu
          label="Labels that do not fit"
          placement="bottom-end"
          kind={onPick ? 'menu' : 'dialog'}
          trigger={props => (
            <button
              type="button"
              tabIndex={-1}
              className={styles.more}
              style={{ left: -gap }}
              aria-label={`${hidden.length} more: ${hidden.map(textOf).join(', ')}`}
              title={hidden.map(textOf).join('\n')}
              {...props}
            >
              +{hidden.length}
            </button>
          )}
        >
          {close =>
            hidden.map(label =>
              onPick ? (
                <MenuItem
                  key={textOf(label)}
                  onChoose={() => {
                    close();
                    onPick(label);
                  }}
                >
                  {textOf(label)}
                </MenuItem>
              ) : (
                <MenuNote key={textOf(label)}>{textOf(label)}</MenuNote>
              ),
            )
          }
        </Menu>
      )}
    </span>
  );
}
