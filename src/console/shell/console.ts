// The console of a signed-in person, put together: user, terminals, commands, banners. Built once per page load.
import { subscribeKey } from 'valtio/vanilla/utils';
import type { Thing, Tools } from '../../../commands/command.ts';
import { firstRows } from '../../../commands/first.ts';
import { onList } from '../../../commands/gates.ts';
import { listenForChanges } from '../../client/changes.ts';
import { wholeOf } from '../../client/errors.ts';
import type { Socket } from '../../client/terminal-ports.ts';
import type { MakeCall } from '../../contract/call.ts';
import type { captureEvents } from '../../contract/capture.ts';
import type { ChangesMessage } from '../../contract/changes.ts';
import { listAlerts } from '../../contract/clusters.ts';
import { ApiError } from '../../contract/failure.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import { getPreferences, putPreferences, THEMES } from '../../contract/preferences.ts';
import { getUserContext } from '../../contract/session.ts';
import { flag, reaches } from '../../features/access.ts';
import { inCluster, match, to } from '../../features/paths.ts';
import { type Commanding, createCommanding } from '../palette/commanding.ts';
import { hearingOf } from '../palette/listen.ts';
import { type Answers, createAnswers } from '../screens/answers.ts';
import { viewSearch } from '../screens/list-choices.ts';
import type { Page } from '../screens/page.tsx';
import { createTerminals, type DesktopTabProps, type PageTerminals, type TabAddress } from '../terminal/index.ts';
import { createLazy } from '../ui/lazy.tsx';
import type { ListHandle, ListSlot } from '../ui/list.ts';
import { createSlot, type PlayerSlot } from '../ui/player-slot.ts';
import { saveFile } from '../ui/save-file.ts';
import { type Banners, createBanners } from './alerts.ts';
import type { BarMenus } from './bar-menus.ts';
import type { Boot } from './boot.ts';
import { onStorage } from './browser.ts';
import { createFacts, createSelected, onFacts, select } from './facts.ts';
import { categoryOf, NOTHING_HERE, pathOfCategory } from './last-paths.ts';
import { changeQuery, currentPath, follow, leaving, queryOf } from './navigation.ts';
import { createNotices, type Notices } from './notices.ts';
import { createOnboarding, type Onboarding } from './onboarding.ts';
import { pageKeys } from './page-keys.ts';
import { createPreferences, type PreferencesStore } from './preferences.ts';
import { untilNoDialog } from './presence.ts';
import { createSessionFactors, type SessionFactors } from './session-factors.ts';
import { keys, readJson, writeJson } from './storage.ts';
import { barTitle } from './titles.ts';
import { createUser, type UserStore } from './user.ts';

export interface Console {
  readonly boot: Boot;
  /** When the gateway has said who is signed in, or that it could not. */
  readonly ready: Promise<void>;
  /** The client that screens use: what they change makes lists forget what they knew. */
  readonly api: MakeCall;
  readonly answers: Answers;
  readonly sockets: NonNullable<Page['sockets']>;
  readonly user: UserStore;
  readonly preferences: PreferencesStore;
  readonly notices: Notices;
  readonly factors: SessionFactors;
  readonly terminals: PageTerminals;
  readonly commanding: Commanding;
  readonly banners: Banners;
  readonly onboarding: Onboarding;
  /** Tells the gateway's log what was clicked; nobody waits for it. */
  readonly capture: (event: keyof typeof captureEvents, alert?: string) => void;
  /** What commands act on; one function for good, as screens load again when what they load with is another. */
  readonly select: (things: readonly Thing[]) => void;
  readonly tools: Tools;
  readonly list: ListSlot;
  /** The menus of the top bar put themselves here, so that commands can open them. */
  readonly menus: BarMenus;
  readonly player: PlayerSlot;
  readonly desktop: PlayerSlot;
  /** Calls when a command has changed something at the gateway: lists ask again. */
  readonly onChange: (listener: () => void) => () => void;
  readonly onListChanged: Page['onListChanged'];
  /** Hears from the gateway what has changed, and at once when the session is over; until the answer is called. */
  readonly listen: () => () => void;
}

/** A list that has not come by then is on no page, ms. */
const LIST_COMES_WITHIN_MS = 2000;

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

function later(action: () => void, ms: number): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** A command that went to a page gives it the keys, wherever they were before; a page with a place of its own for them takes them there. */
const focusPage = (): void => document.getElementById('page')?.focus({ preventScroll: true });

/** What shows a desktop in a tab comes when there is one. */
const { Component: DesktopTab } = createLazy<DesktopTabProps>(
  async () => (await import('../desktop/DesktopTab.tsx')).DesktopTab,
);
/** The page that a tab's address names. */
const pathOfTab = (at: TabAddress, mode?: Mode): string =>
  'sid' in at ? to('consoleSession', at, { mode }) : to('consoleConnect', at);

const consoles = new WeakMap<Boot, Console>();
/** The one console of a page load, built when it is first wanted. */
export function consoleOf(boot: Boot): Console {
  const built = consoles.get(boot) ?? createConsole(boot);
  consoles.set(boot, built);
  return built;
}

/** Wanted by whoever enrolls this browser, or has. */
const loadOwnDevice = async () => ({
  ...(await import('../../client/own-device.ts')),
  ...(await import('./own-device.ts')),
});

/** Builds it and asks at once who is signed in. */
function createConsole(boot: Boot): Console {
  const { api, config, session } = boot;
  const { keys: early } = pageKeys();
  const notices = createNotices({
    storage: sessionStorage,
    here: currentPath,
    later: (run, ms) => void setTimeout(run, ms),
  });
  /** Saying something, as one part of the console. */
  const sayAs =
    (source: string): Tools['notify'] =>
    text =>
      notices.notify(text, source);
  const factors = createSessionFactors();
  const preferences = createPreferences({
    storage: localStorage,
    load: () => api(getPreferences),
    save: chosen => api(putPreferences, { body: chosen }),
    onStorage,
    failed: sayAs('Preferences'),
  });
  const askWhoNow = () => api(getUserContext, { params: { clusterId: '-current-' } });
  /** Who is signed in; an enrolled browser first proves that it is the device. */
  const askWho = async () => {
    const who = await askWhoNow();
    const mayProve = who.deviceTrust !== 'off' && who.trustedDevice === undefined;
    if (!mayProve || readJson(localStorage, keys.trustedDevice) !== true) return who;
    const { proveHere, browserKeys } = await loadOwnDevice();
    // Refused, the session goes on as one of no trusted device: whatever needs one says so.
    const isProven = await proveHere(api, browserKeys, who.userName).catch(() => false);
    return isProven ? askWhoNow() : who;
  };
  const user = createUser(
    async () => {
      const who = await askWho();
      terminals.belongTo(who.userName);
      notices.belongTo(who.userName);
      return who;
    },
    () => boot.signOut(true),
  );
  const selected = createSelected();
  const here = (): string => match(location.pathname)?.params.clusterId ?? config.proxyCluster;
  /** What is on screen: the player, or a desktop. */
  const player = createSlot();
  const desktop = createSlot();
  /** The list on screen; a page has one, or none. */
  let shown: ListHandle | null = null;
  /** What was asked of a list that is still on its way. */
  let awaited: {
    readonly path: string;
    readonly act: (list: ListHandle) => void;
    readonly release: () => void;
  } | null = null;
  /** Acts on the list on screen, or on the one that its page is about to show: the keys behind wait for it, too. */
  const onShown = (act: (list: ListHandle) => void): void => {
    if (shown !== null) act(shown);
    if (shown !== null || awaited !== null || !onList(commanding.facts())) return;
    awaited = { path: location.pathname, act, release: early.hold({ mostMs: LIST_COMES_WITHIN_MS }) };
  };
  const menus: BarMenus = new Map();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const answers = createAnswers();
  const forgetful: MakeCall = async (call, given) => {
    const reply = await api(call, given);
    if (call.method !== 'GET') answers.forget();
    return reply;
  };

  const copyText: Tools['copyText'] = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      throw new Error(`Cannot copy to clipboard. Use Ctrl/Cmd + C. ${error instanceof Error ? error.message : ''}`);
    }
  };

  const download: Tools['save'] = async (call, given, name) =>
    saveFile(await wholeOf(await boot.download(call, given)), name ?? 'postern');
  const sockets: Console['sockets'] = { token: session.bearer, prove: factors.ask };
  const terminals = createTerminals({
    clusterId: here,
    ...sockets,
    call: forgetful,
    confirm: notices.confirm,
    notify: sayAs('Terminal'),
    save: download,
    copyText,
    openPalette: typed => commanding.openPalette(typed),
    keymap: { claims: event => commanding.keymap.claims(event) },
    keys: early,
    config: () => config,
    signedIn: () => session.isValid(),
    navigate: at => {
      const next = at === null ? to('console', { clusterId: here() }) : pathOfTab(at);
      if (location.pathname !== next) follow(next, { replace: true });
    },
    link: (at, mode) => location.origin + pathOfTab(at, mode),
    DesktopTab,
    runCommand: id => commanding.run(id),
    leavePage: () => {
      const before = readJson(sessionStorage, keys.pageBeforeConsole);
      follow(typeof before === 'string' ? before : to('root'));
      focusPage();
    },
    onLeave: run => addEventListener('pagehide', () => run(hearingOf(document.activeElement).focus === 'terminal')),
  });
  // A pane that closes takes the focus with it and gives it to nobody: then the page has the keys.
  subscribeKey(terminals.state, 'paneOpen', isOpen => {
    if (isOpen) return;
    if (!terminals.state.full && document.activeElement?.closest('[data-terminals]') != null) focusPage();
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusPage();
    });
  });

  const tools: Tools = {
    go: (feature, params, query) => {
      follow(to(feature, { clusterId: here(), ...params }, query));
      focusPage();
    },
    call: async (call, given) => {
      const reply = await forgetful(call, given);
      if (call.method !== 'GET') changed();
      return reply;
    },
    terminal: terminals,
    notify: text => notices.notify(text, barTitle(match(location.pathname)) || 'Console'),
    confirm: notices.confirm,
    handOver: notices.handOver,
    copyText,
    openTab: path => window.open(path, '_blank', 'noopener'),
    link: path => (path === undefined ? location.href : new URL(path, location.origin).href),
    assist: async act =>
      (await import('./assist.ts')).actAssist(act, {
        ...{ ...sockets, terminals, clusterId: config.proxyCluster, confirm: notices.confirm },
        ...{ notify: tools.notify, go: tools.go },
      }),
    player: player.act,
    desktop: desktop.act,
    setQuery: changeQuery,
    save: download,
    openPalette: typed => commanding.openPalette(typed),
    openHelp: () => commanding.openHelp(),
    lead: () => commanding.keymap.lead(),
    setTheme: theme => void preferences.change({ theme: THEMES[theme] }),
    signOut: ending => {
      // Otherwise the gateway keeps them for whoever signs in again as the same person.
      if (ending) terminals.forget();
      notices.read();
      boot.signOut(false);
    },
    list: {
      move: by => onShown(list => list.move(by)),
      filter: () => onShown(list => list.filter()),
      mark: () => onShown(list => list.mark()),
      menu: () => onShown(list => list.menu()),
      open: () => onShown(list => list.open()),
      act: what => onShown(list => list.act(what)),
      reload: changed,
    },
    frame: {
      open: what => {
        const open = (): void => menus.get(what)?.toggle();
        if (!terminals.state.maximised) return open();
        // The button is in the bar that a maximised terminal hides.
        terminals.restoreSize();
        requestAnimationFrame(open);
      },
      dismissBanner: () => {
        const [first] = banners.state.banners;
        if (first !== undefined) banners.dismiss(first.id);
        return first !== undefined;
      },
      readNotifications: () => notices.read(),
      dismissNotices: () => {
        for (const { id } of notices.state.notices) notices.drop(id);
      },
    },
    deleteView: (list, title) => {
      const { console } = preferences.state.chosen;
      const others = (console.views[list] ?? []).filter(view => view.title !== title);
      void preferences.change({ console: { ...console, views: { ...console.views, [list]: others } } });
    },
    ownDevice: {
      enroll: async (name, token) => {
        const { enrollHere, browserKeys } = await loadOwnDevice();
        const device = await enrollHere(api, browserKeys, name, token);
        writeJson(localStorage, keys.trustedDevice, true);
        changed();
        return device;
      },
      forget: async name => (await loadOwnDevice()).browserKeys.forget(name),
    },
    reloadUser: async () => user.know(await askWho()),
    switchCluster: clusterId => {
      const isOfCluster = match(location.pathname)?.params.clusterId !== undefined;
      // The other cluster's list is seen from its first row.
      const search = viewSearch(queryOf(location.search));
      const same = inCluster(location.pathname, clusterId) + (search === '' ? '' : `?${search}`);
      follow(isOfCluster ? same : to('nodes', { clusterId }));
      focusPage();
    },
    switchCategory: () => {
      const other = categoryOf(location.pathname) === 'management' ? 'resources' : 'management';
      const next = pathOfCategory(localStorage, other, { who: user.state.who, config }, here());
      if (next === undefined) throw new Error(NOTHING_HERE);
      follow(next);
      focusPage();
    },
  };

  const parts = { config, preferences, user, terminals, selected };
  const sayWrongKeys = (problems: readonly string[]): void => {
    for (const problem of problems) notices.notify(problem, 'Keyboard');
  };
  const commanding = createCommanding({
    first: firstRows,
    loadAll: async () => (await import('../../../commands/index.ts')).registry,
    wrongKeys: sayWrongKeys,
    facts: createFacts(parts),
    tools: from =>
      from === undefined
        ? tools
        : {
            ...tools,
            notify: sayAs(from.title.replace(/…$/, '')),
            confirm: question => notices.confirm({ ...question, destroys: from.destructive === true }),
          },
    recents: {
      read: () => preferences.state.chosen.console.recent,
      arrival: () => (preferences.state.status === 'loaded' ? undefined : preferences.load()),
      write: recent =>
        void preferences.change({ console: { ...preferences.state.chosen.console, recent: [...recent] } }),
    },
    keys: early,
    ownKeys: {
      read: () => preferences.state.chosen.console.keys,
      write: own => void preferences.change({ console: { ...preferences.state.chosen.console, keys: { ...own } } }),
    },
    taught: {
      read: () => {
        const taught = readJson(localStorage, keys.taughtKeys);
        return Array.isArray(taught) ? taught.filter(id => typeof id === 'string') : [];
      },
      write: taught => writeJson(localStorage, keys.taughtKeys, taught),
    },
    mac: isApple,
    later,
    onFacts: listener => onFacts(parts, listener),
  });
  early.claimBy(key => commanding.keymap.knows(key));

  const banners = createBanners({
    storage: localStorage,
    now: Date.now,
    isDashboard: config.isDashboard,
    showsBilling: () => flag('billing', { who: user.state.who, config }),
    providerOrigin: location.origin,
  });
  leaving.askWith(text => notices.confirm({ title: 'Leave this page?', text, action: 'Leave' }));
  const capture: Console['capture'] = (event, alert) => {
    // Fire and forget (specification section 7): what a click was for must not wait for its being told.
    void import('../../contract/capture.ts')
      .then(({ captureEvent, captureEvents }) =>
        api(captureEvent, { body: { event: captureEvents[event], ...(alert !== undefined && { alert }) } }),
      )
      .catch(() => undefined);
  };
  const onboarding = createOnboarding({
    storage: localStorage,
    async hasResource() {
      const { checkResources } = await import('../../contract/resources.ts').catch(() => {
        throw new ApiError('network');
      });
      return (await api(checkResources)).hasResource;
    },
    mayAdd: () => reaches('discover', commanding.facts()) && commanding.facts().who?.userAcl.tokens.create === true,
    untilFree: untilNoDialog,
  });
  const loadBanners = (): Promise<void> =>
    banners.loadFrom(
      async () => (await api(listAlerts, { params: { clusterId: '-current-' } })).alerts,
      text => console.warn(text),
    );

  const ready = user.load();
  void ready.then(() => {
    if (user.state.status === 'success') void loadBanners();
  });
  // Also when another tab of the same person changed them.
  let bound = '{}';
  const rebind = (): void => {
    const own = preferences.state.chosen.console.keys;
    const text = JSON.stringify(own);
    if (text === bound) return;
    bound = text;
    const problems = commanding.keymap.rebind(own);
    if (commanding.isWhole()) sayWrongKeys(problems);
  };
  rebind();
  subscribeKey(preferences.state, 'chosen', rebind);
  void preferences.load();

  const list: ListSlot = {
    put: handle => {
      shown = handle;
      if (awaited?.path === location.pathname) awaited.act(handle);
      awaited?.release();
      awaited = null;
      return () => {
        if (shown === handle) shown = null;
      };
    },
  };
  const onChange: Console['onChange'] = listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const watched = new Set<{ readonly list: ChangesMessage['changed']; readonly listener: () => void }>();
  const onListChanged: Console['onListChanged'] = (list, listener) => {
    const one = { list, listener };
    watched.add(one);
    return () => watched.delete(one);
  };
  // Whoever comes into an access list or leaves one may do other things now, which other lists show.
  const followLists = async (): Promise<void> => {
    const before = JSON.stringify(user.state.who);
    await tools.reloadUser?.();
    if (JSON.stringify(user.state.who) === before) return;
    answers.forget();
    changed();
  };
  onListChanged('accessLists', () => void followLists().catch(() => undefined));
  const listen: Console['listen'] = () =>
    listenForChanges({
      token: () => session.bearer(),
      connect: address => new WebSocket(location.origin.replace(/^http/, 'ws') + address) as unknown as Socket,
      after: (ms, run) => later(run, ms),
      onChange: changed => {
        for (const { list, listener } of watched) if (list === changed) listener();
      },
      onOver: why => sessionStorage.setItem(keys.over, why),
      onLost: () => void session.check(),
    });
  return {
    boot,
    ready,
    api: forgetful,
    sockets,
    answers,
    onChange,
    onListChanged,
    listen,
    onboarding,
    capture,
    user,
    preferences,
    notices,
    factors,
    terminals,
    commanding,
    banners,
    select: things => select(selected, things),
    tools,
    list,
    menus,
    player,
    desktop,
  };
}
