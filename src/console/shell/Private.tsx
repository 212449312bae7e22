import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { subscribeKey } from 'valtio/vanilla/utils';
import { CommandingContext } from '../palette/context.tsx';
import { openKeyboard } from '../palette/listen.ts';
import { DesktopSlotContext } from '../ui/desktop-slot.ts';
import { HoldKeysContext } from '../ui/lazy.tsx';
import { ListSlotContext } from '../ui/list.ts';
import { PlayerSlotContext } from '../ui/player-slot.ts';
import { Spinner } from '../ui/Spinner.tsx';
import type { Boot } from './boot.ts';
import { every } from './browser.ts';
import { consoleOf } from './console.ts';
import { Frame } from './Frame.tsx';
import { openInactivity } from './inactivity.ts';
import { pageKeys } from './page-keys.ts';
import { FatalError } from './pages.tsx';
import { afterFrame, onActivity, onPainted, whenPainted } from './presence.ts';
import { showTheme } from './theme.ts';

export { preparePage } from './private-pages.ts';

/** The gate: asks who is signed in, keeps the session alive, and shows the console (specification section 4). */
export function Private({
  boot,
  path,
  search,
}: {
  readonly boot: Boot;
  readonly path: string;
  readonly search: string;
}) {
  const built = consoleOf(boot);
  const { status, error } = useSnapshot(built.user.state);
  const isIn = status === 'success';

  useEffect(() => {
    if (!isIn) return;
    const { session, config } = boot;
    const { preferences } = built;
    const paint = (): void => showTheme(document.documentElement, preferences.state.chosen.theme, config.customTheme);
    paint();
    const stops = [
      session.open(),
      whenPainted(built.listen),
      preferences.open(),
      subscribeKey(preferences.state, 'chosen', paint),
      openKeyboard(built.commanding.keymap, onPainted),
      openInactivity({
        storage: localStorage,
        now: Date.now,
        every,
        onActivity,
        timeoutMs: () => session.token()?.sessionInactiveTimeout ?? 0,
        timedOut: () => boot.signOut(true),
      }),
    ];
    // Its keys are heard from here on: those that were pressed while it came are next. Some may be of rows that come after the first page: those
    // are fetched when somebody presses a key or, without that, when the browser has time; at once for whoever has terminals or keys of their own.
    const { keys, stands } = pageKeys();
    const whole = (): void => void built.commanding.loadAll().then(stands, stands);
    if (built.commanding.isWhole()) stands();
    else if (built.terminals.begun()) stops.push(afterFrame(whole));
    else {
      const own = (): void => {
        if (Object.keys(built.commanding.ownKeys.read()).length > 0) whole();
      };
      own();
      stops.push(keys.onWaiting(whole), onPainted(whole), subscribeKey(preferences.state, 'chosen', own));
    }
    return () => {
      for (const stop of stops) stop();
    };
  }, [isIn, boot, built]);

  if (status === 'failed' && error !== null)
    return <FatalError error={error as Error} onLogin={() => boot.signOut(true)} />;
  if (!isIn) return <Spinner />;
  return (
    <CommandingContext value={built.commanding}>
      <ListSlotContext value={built.list}>
        <PlayerSlotContext value={built.player}>
          <DesktopSlotContext value={built.desktop}>
            <HoldKeysContext value={pageKeys().keys.hold}>
              <Frame built={built} path={path} search={search} />
            </HoldKeysContext>
          </DesktopSlotContext>
        </PlayerSlotContext>
      </ListSlotContext>
    </CommandingContext>
  );
}
