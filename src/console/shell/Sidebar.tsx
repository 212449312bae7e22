import { ChevronDown, Lock } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { flag, isLocked, placed } from '../../features/access.ts';
import type { Section, Viewer } from '../../features/feature.ts';
import { sectionTitles } from '../../features/feature.ts';
import { isCurrent, to, toLocked } from '../../features/paths.ts';
import { type FeatureId, features } from '../../features/table.ts';
import { Gate } from '../ui/Gate.tsx';
import { joined } from '../ui/joined.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import { FeatureIcon } from './icons.tsx';
import { type Category, categoryOf, NOTHING_HERE } from './last-paths.ts';
import { isRecommended, noteSeen } from './recommended.ts';
import styles from './sidebar.module.css';

interface SidebarProps {
  readonly viewer: Viewer;
  readonly path: string;
  readonly clusterId: string;
  /** Steps of a chord pressed so far: the leader lights up every entry's keys. */
  readonly pending: readonly string[];
  readonly keysOf: (id: FeatureId) => string | undefined;
  readonly onGo: (path: string) => void;
  readonly onSwitch: (category: Category) => void;
  /** A pointer did what a command does: its keys are taught. */
  readonly onPoint: (command: string) => void;
  /** Escape, where no group takes it: the drawer closes. */
  readonly onEscape: () => void;
}

const sections = Object.keys(sectionTitles) as readonly Section[];

/** Resources or Management, with the chord of every entry: while a leader key is pending, this is the key help. */
export function Sidebar({ viewer, path, clusterId, pending, keysOf, onGo, onSwitch, onPoint, onEscape }: SidebarProps) {
  const [category, setCategory] = useState<Category>(() => categoryOf(path) ?? 'resources');
  const here = categoryOf(path);
  useEffect(() => {
    if (here !== undefined) setCategory(here);
  }, [here]);

  useEffect(() => {
    const shown = placed(category, viewer);
    noteSeen(localStorage, shown, shown.find(id => isCurrent(id, path)) ?? null);
  }, [category, viewer, path]);

  const entry = (id: FeatureId) => {
    const chord = keysOf(id);
    const isLit = pending.length > 0 && chord?.startsWith(pending.join(' '));
    const { title, locked } = features[id];
    const behind = isLocked(id, viewer) ? locked : undefined;
    const href = behind === undefined ? to(id, { clusterId }) : toLocked(id, { clusterId });
    return (
      <li key={id}>
        <a
          href={href}
          data-entry
          className={joined(styles.entry, isCurrent(id, path) && styles.current)}
          aria-current={isCurrent(id, path) ? 'page' : undefined}
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onGo(href);
            if (event.detail > 0) onPoint(`goto.${id}`);
          }}
        >
          <FeatureIcon id={id} />
          <span className={styles.title}>{behind?.title ?? title}</span>
          {behind === undefined && !isCurrent(id, path) && isRecommended(localStorage, id) && (
            <span role="img" className={styles.dot} aria-label="Not seen yet" />
          )}
          {behind !== undefined && <Lock aria-label="Locked" className={styles.lock} />}
          {chord !== undefined && (
            <KeyCap
              chord={chord}
              lit={isLit ? pending.length : 0}
              className={joined(styles.keys, isLit && styles.lit)}
            />
          )}
        </a>
      </li>
    );
  };

  return (
    <nav
      className={styles.sidebar}
      aria-label="Pages"
      onKeyDown={event => {
        if (event.key === 'Escape') onEscape();
        else handleArrows(event);
      }}
    >
      {flag('managementSection', viewer) && (
        <fieldset className={styles.switch} aria-label="Category">
          {(['resources', 'management'] as const).map(one => (
            <button
              key={one}
              type="button"
              className={joined(styles.category, category === one && styles.chosen)}
              aria-pressed={category === one}
              onClick={event => {
                setCategory(one);
                onSwitch(one);
                if (event.detail > 0) onPoint('category.switch');
              }}
            >
              {one === 'resources' ? 'Resources' : 'Management'}
            </button>
          ))}
        </fieldset>
      )}
      {placed(category, viewer).length === 0 ? (
        <p className={styles.none}>{NOTHING_HERE}</p>
      ) : category === 'resources' ? (
        <ul className={styles.list}>{placed('resources', viewer).map(entry)}</ul>
      ) : (
        sections.map(section => {
          const ids = placed('management', viewer, section);
          return ids.length === 0 ? null : (
            <Group key={section} title={sectionTitles[section]} holdsCurrent={ids.some(id => isCurrent(id, path))}>
              {ids.map(entry)}
            </Group>
          );
        })
      )}
      {viewer.config.customLogo !== undefined ? (
        <img className={styles.logo} src={viewer.config.customLogo} alt={`Logo of ${viewer.config.proxyCluster}`} />
      ) : (
        viewer.config.customTheme !== '' && (
          <p className={styles.powered}>
            <Gate size={16} /> Powered by Postern
          </p>
        )
      )}
    </nav>
  );
}

/** A group of entries; it opens by itself when the page on screen is one of them. */
function Group({
  title,
  holdsCurrent,
  children,
}: {
  readonly title: string;
  readonly holdsCurrent: boolean;
  readonly children: React.ReactNode;
}) {
  const [open, setOpen] = useState(true);
  useEffect(() => {
    if (holdsCurrent) setOpen(true);
  }, [holdsCurrent]);
  return (
    <div>
      <button
        type="button"
        data-entry
        className={styles.group}
        aria-expanded={open}
        onClick={() => setOpen(now => !now)}
        onKeyDown={event => {
          if (event.key === 'Escape' && open) {
            setOpen(false);
            event.stopPropagation();
          }
        }}
      >
        {title}
        <ChevronDown aria-hidden="true" className={joined(!open && styles.closed)} />
      </button>
      {open && <ul className={styles.list}>{children}</ul>}
    </div>
  );
}

/** Up and down move between entries; Enter follows or toggles, as links and buttons do. */
function handleArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  entries.at((at + by + entries.length) % entries.length)?.focus();
  event.preventDefault();
  event.stopPropagation();
}
