// What commands may look at, read from the console's parts at the moment of asking.
import { proxy, ref, subscribe } from 'valtio/vanilla';
import type { Facts, Thing } from '../../../commands/command.ts';
import type { WebConfig } from '../../contract/config.ts';
import { match } from '../../features/paths.ts';
import { hearingOf } from '../palette/listen.ts';
import { type FrameTerminals, frontOf, shownIn, userOf } from '../terminal/index.ts';
import type { PreferencesStore } from './preferences.ts';
import { themeOf } from './theme.ts';
import type { UserStore } from './user.ts';

/** What is chosen in the list on screen. */
export interface Selected {
  things: readonly Thing[];
}
export const createSelected = (): Selected => proxy<Selected>({ things: [] });
/** Chooses things; a reference, since nobody changes them. */
export function select(selected: Selected, things: readonly Thing[]): void {
  if (things.length > 0 || selected.things.length > 0) selected.things = ref([...things]);
}

export interface FactsParts {
  readonly config: WebConfig;
  readonly preferences: PreferencesStore;
  readonly user: UserStore;
  readonly terminals: FrameTerminals;
  readonly selected: Selected;
}

/** The facts now. Cheap: it is asked on every key. */
export function createFacts({ config, preferences, user, terminals, selected }: FactsParts): () => Facts {
  return () => {
    const found = match(location.pathname);
    const { state } = terminals;
    const tab = frontOf(state);
    const { focus } = hearingOf(document.activeElement);
    return {
      who: user.state.who,
      config,
      clusterId: found?.params.clusterId ?? config.proxyCluster,
      feature: found?.id ?? null,
      focus: focus === 'modal' ? 'page' : focus,
      terminal:
        tab === undefined
          ? null
          : {
              sid: tab.sid,
              title: tab.title,
              serverId: tab.serverId,
              login: tab.login,
              connected: tab.status === 'connected',
              hasSelection: tab.hasSelection,
            },
      company:
        tab?.status === 'connected'
          ? {
              mode: tab.mode,
              user: userOf(tab),
              party: tab.party,
              isOwner: tab.isOwner,
              parties: tab.parties,
              state: tab.sessionState.state,
              writer: tab.sessionState.writer,
            }
          : null,
      terminalCount: state.groups.length,
      terminalTabs: shownIn(state).map(({ key, title, count }) => ({ key, title, count, isFront: key === tab?.group })),
      liveTerminals: state.tabs.filter(({ status }) => status === 'connected' || status === 'reconnecting').length,
      paneOpen: state.paneOpen,
      selection: selected.things,
      theme: themeOf(preferences.state.chosen.theme, config.customTheme).theme,
      surface: 'console',
    };
  };
}

/** Calls when the facts may have changed: a store moved, the page changed, the focus went elsewhere. The answer ends it. */
export function onFacts({ preferences, user, terminals, selected }: FactsParts, listener: () => void): () => void {
  const stops = [
    subscribe(user.state, listener),
    subscribe(terminals.state, listener),
    subscribe(selected, listener),
    subscribe(preferences.state, listener),
  ];
  // The router raises these on the window for its own changes of the address.
  const events = ['popstate', 'pushState', 'replaceState', 'focusin', 'focusout'] as const;
  for (const name of events) addEventListener(name, listener);
  return () => {
    for (const stop of stops) stop();
    for (const name of events) removeEventListener(name, listener);
  };
}
