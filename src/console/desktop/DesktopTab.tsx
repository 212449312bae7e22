import { useEffect, useMemo, useRef, useState } from 'react';
import type { DesktopState } from '../../client/desktop-connection.ts';
import { readDesktopAddress } from '../../contract/desktop-address.ts';
import type { TerminalHandle } from '../terminal/ports.ts';
import type { Tab } from '../terminal/tab.ts';
import type { DesktopTabProps } from '../terminal/terminals.ts';
import type { DesktopHandle } from './Desktop.tsx';
import styles from './desktop.module.css';
import { OpenDesktop, type OpenDesktopPorts } from './OpenDesktop.tsx';

/** What of a terminal a desktop does not have: commands do not offer it there. */
const nothing = (): void => undefined;
const notOfDesktops: Omit<TerminalHandle, 'focus' | 'reconnect'> = {
  ...{ act: nothing, insert: nothing, copy: nothing, paste: nothing, clear: nothing, control: nothing },
  ...{ decideFile: nothing, type: nothing, find: nothing, endFind: nothing, detach: nothing, dispose: nothing },
  selected: () => '',
  text: () => '',
  approval: async () => ({}),
};

/** What a tab shows of a desktop's connection. */
function standing(state: DesktopState): Partial<Tab> {
  const lostAt = state.kind === 'lost' ? Date.now() : null;
  if (state.kind === 'ready') return { status: 'connected', since: Date.now(), problem: '', lostAt };
  if (state.kind === 'over') return { status: 'refused', problem: state.why, lostAt };
  return { status: state.kind === 'lost' ? 'reconnecting' : 'connecting', problem: '', lostAt };
}

/** A desktop in a tab beside terminals: it is connected to when it is first shown, and left when its tab is closed. */
export function DesktopTab({ terminals, tab, isShown, isFront }: DesktopTabProps) {
  const { key, clusterId, login, title } = tab;
  const name = readDesktopAddress(tab.serverId) ?? '';
  const [wasShown, setWasShown] = useState(isShown);
  useEffect(() => {
    if (isShown) setWasShown(true);
  }, [isShown]);
  const place = useRef<HTMLDivElement>(null);
  const handle = useRef<DesktopHandle>(null);
  useEffect(
    () =>
      terminals.register(key, {
        ...notOfDesktops,
        focus: () => (handle.current ? handle.current.focus() : place.current?.focus({ preventScroll: true })),
        reconnect: () => handle.current?.reconnect(),
      }),
    [terminals, key],
  );
  /** It had the focus last: what had it, such as the field for a password, may be gone by now. */
  const hasKeys = useRef(false);
  useEffect(() => {
    const hear = ({ target }: FocusEvent): void => {
      // A dialog, such as the palette, has them for a while and gives them back.
      if (!(target instanceof Element) || target.closest('dialog') !== null) return;
      hasKeys.current = place.current?.contains(target) === true;
    };
    document.addEventListener('focusin', hear);
    return () => document.removeEventListener('focusin', hear);
  }, []);
  const front = useRef(isFront);
  front.current = isFront;
  const ports = useMemo<OpenDesktopPorts>(
    () => ({
      ...terminals.ports,
      leave: () => void terminals.close(key),
      fullScreen: terminals.fullScreen,
      stands(state) {
        const now = terminals.state.tabs.find(one => one.key === key);
        if (now) Object.assign(now, standing(state));
      },
      takesKeys: () => front.current && (terminals.awaitsKeys(key) || hasKeys.current),
    }),
    [terminals, key],
  );
  return (
    <div
      ref={place}
      id={`terminal-${key}`}
      className={styles.tab}
      hidden={!isShown}
      role="tabpanel"
      tabIndex={-1}
      aria-label={`Desktop ${title}`}
    >
      {wasShown && <OpenDesktop place="tab" {...{ clusterId, name, login, isFront, handle, ports }} />}
    </div>
  );
}
