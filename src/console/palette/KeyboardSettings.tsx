// Every command with its keys, and the way to change them.
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { Stroke } from '../../../commands/chords.ts';
import type { Command } from '../../../commands/command.ts';
import { commandById, commands } from '../../../commands/index.ts';
import { wordsOf } from '../../../commands/rank.ts';
import { Button } from '../ui/Button.tsx';
import { KeyCap } from '../ui/KeyCap.tsx';
import type { Commanding } from './commanding.ts';
import { useCommanding } from './context.tsx';
import { groupTitles } from './help.ts';
import styles from './keyboard-settings.module.css';
import { holdOneStop } from './one-stop.ts';
import { createRebinding, type Rebinding, type Rebound, recorded, storedChord, type Where } from './rebinding.ts';

/** A sequence is whole when no further key has followed for this long, milliseconds. */
const FURTHER_KEY_MS = 900;

/** The command and place whose keys are being changed, and what came of the last try. */
interface Changing {
  readonly id: string;
  readonly where: Where;
  readonly chord: string;
  readonly outcome: Exclude<Rebound, { kind: 'done' }> | null;
}

const oneStop = (list: HTMLElement | null) => (list ? holdOneStop(list) : undefined);

/** The list of commands with their keys: change, take over, reset. */
export function KeyboardSettings() {
  const commanding = useCommanding();
  // Drawn anew when keys were put in place, here or by another tab.
  void useSnapshot(commanding.keymap.state).version;
  const rebinding = useMemo(
    () => createRebinding({ keymap: commanding.keymap, own: commanding.ownKeys, commandById }),
    [commanding],
  );
  const [typed, setTyped] = useState('');
  const [changing, setChanging] = useState<Changing | null>(null);
  const searchId = useId();
  const wanted = wordsOf(typed);
  const found = commands.filter(command => {
    const { page, terminal } = commanding.keymap.allKeysOf(command.id);
    const text = [command.title, command.id, ...(command.words ?? []), ...page, ...terminal].join(' ').toLowerCase();
    return wanted.every(word => text.includes(word));
  });
  return (
    <div className={styles.settings}>
      <div className={styles.tools}>
        <label htmlFor={searchId} className="visually-hidden">
          Search commands and keys
        </label>
        <input
          id={searchId}
          type="search"
          className={styles.search}
          placeholder="Search commands and keys"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <Button
          aria-disabled={!rebinding.hasOwn() || undefined}
          onClick={() => {
            setChanging(null);
            rebinding.resetAll();
          }}
        >
          Reset all keys
        </Button>
      </div>
      {found.length === 0 && <p className={styles.none}>No command matches "{typed}".</p>}
      <p className={styles.hint}>
        <kbd>↑</kbd> <kbd>↓</kbd> go from command to command, <kbd>←</kbd> <kbd>→</kbd> along a row.
      </p>
      <div ref={oneStop}>
        {(Object.keys(groupTitles) as Command['group'][]).map(group => {
          const rows = found.filter(command => command.group === group);
          if (rows.length === 0) return null;
          return (
            <section key={group} aria-label={groupTitles[group]}>
              <h3 className={styles.group}>{groupTitles[group]}</h3>
              <ul className={styles.rows}>
                {rows.map(command => (
                  <Row
                    key={command.id}
                    command={command}
                    commanding={commanding}
                    rebinding={rebinding}
                    changing={changing?.id === command.id ? changing : null}
                    onChanging={setChanging}
                  />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly command: Command;
  readonly commanding: Commanding;
  readonly rebinding: Rebinding;
  readonly changing: Changing | null;
  readonly onChanging: (changing: Changing | null) => void;
}

function Row({ command, commanding, rebinding, changing, onChanging }: RowProps) {
  const keys = commanding.keymap.allKeysOf(command.id);
  const places: readonly Where[] = command.overTerminal === true ? ['page'] : ['page', 'terminal'];
  const change = (where: Where, chord: string, take = false): void => {
    const outcome = rebinding.set(command.id, where, chord, take);
    onChanging(outcome.kind === 'done' ? null : { id: command.id, where, chord, outcome });
  };
  const line = useRef<HTMLLIElement>(null);
  const wasChanging = useRef(false);
  useEffect(() => {
    // The part that heard the keys is gone: whoever works by keyboard goes on from this row.
    if (wasChanging.current && document.activeElement === document.body) line.current?.querySelector('button')?.focus();
    wasChanging.current = changing !== null;
  }, [changing]);
  return (
    <li ref={line} className={styles.row}>
      <span className={styles.title}>{command.title.replace(/…$/, '')}</span>
      {places.map(where => {
        const name = where === 'terminal' ? 'in a terminal' : command.overTerminal === true ? 'everywhere' : 'on pages';
        const isChanging = changing?.where === where && changing.outcome === null;
        return (
          <span key={where} className={styles.place}>
            <span className={styles.where}>{name}</span>
            {isChanging ? (
              <Recorder
                commanding={commanding}
                where={where}
                onChord={chord => change(where, chord)}
                onCancel={() => onChanging(null)}
              />
            ) : (
              <>
                <span className={styles.keys}>
                  {keys[where].length === 0 ? <span className={styles.where}>none</span> : null}
                  {keys[where].map(chord => (
                    <KeyCap key={chord} chord={chord} />
                  ))}
                </span>
                <Button
                  size="dense"
                  kind="quiet"
                  aria-label={`Change the keys of ${command.title} ${name}`}
                  onClick={() => onChanging({ id: command.id, where, chord: '', outcome: null })}
                >
                  Change
                </Button>
                {rebinding.isOwn(command.id, where) && (
                  <Button
                    size="dense"
                    kind="quiet"
                    aria-label={`Reset the keys of ${command.title} ${name}`}
                    onClick={() => {
                      onChanging(null);
                      rebinding.reset(command.id, where);
                    }}
                  >
                    Reset
                  </Button>
                )}
              </>
            )}
          </span>
        );
      })}
      {changing?.outcome != null && (
        <p className={styles.problem} role="alert">
          {changing.outcome.kind === 'refused' ? (
            changing.outcome.why
          ) : (
            <>
              <KeyCap chord={changing.chord} /> already runs{' '}
              {changing.outcome.by.map(other => `“${other.title.replace(/…$/, '')}”`).join(' and ')}.{' '}
              <Button size="dense" onClick={() => change(changing.where, changing.chord, true)}>
                Use it here instead
              </Button>
            </>
          )}{' '}
          <Button size="dense" kind="quiet" onClick={() => onChanging(null)}>
            Keep as it was
          </Button>
        </p>
      )}
    </li>
  );
}

interface RecorderProps {
  readonly commanding: Commanding;
  readonly where: Where;
  readonly onChord: (chord: string) => void;
  readonly onCancel: () => void;
}

/** Hears the new keys; every key is one of them, so Escape alone calls it off and Backspace means none. */
function Recorder({ commanding, where, onChord, onCancel }: RecorderProps) {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const latest = useRef({ onChord, onCancel });
  latest.current = { onChord, onCancel };
  const place = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    place.current?.focus();
    let so: readonly Stroke[] = [];
    let stopWaiting = (): void => {};
    const finish = (): void => latest.current.onChord(storedChord(so, where, commanding.mac));
    const stop = commanding.record(event => {
      const next = recorded(so, event);
      stopWaiting();
      so = next.strokes;
      setStrokes(so);
      if (next.kind === 'cancelled') latest.current.onCancel();
      else if (next.kind === 'none') latest.current.onChord('');
      else if (next.kind === 'whole') finish();
      else if (so.length > 0) stopWaiting = commanding.later(finish, FURTHER_KEY_MS);
    });
    return () => {
      stop();
      stopWaiting();
    };
  }, [commanding, where]);
  return (
    <output ref={place} tabIndex={-1} className={styles.recorder} onBlur={() => latest.current.onCancel()}>
      {strokes.length === 0 ? (
        'Press the new keys; Backspace for none, Escape to keep'
      ) : (
        <KeyCap chord={strokes.join(' ')} />
      )}
    </output>
  );
}
