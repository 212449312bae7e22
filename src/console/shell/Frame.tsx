import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { listClusters } from '../../contract/clusters.ts';
import { ApiError } from '../../contract/failure.ts';
import { isLocked, leadsTo, reachable, reaches } from '../../features/access.ts';
import type { Viewer } from '../../features/feature.ts';
import { hasCluster, isLeaf, match, to, toLocked } from '../../features/paths.ts';
import { ruleIn } from '../../features/reach.ts';
import { features } from '../../features/table.ts';
import { useFact } from '../palette/context.tsx';
import { PageContext } from '../screens/page.tsx';
import { loadPane } from '../terminal/index.ts';
import { joined } from '../ui/joined.ts';
import { createAwaited, createLazy, loadAwaited } from '../ui/lazy.tsx';
import { BannerList } from './Banners.tsx';
import type { Console } from './console.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import styles from './frame.module.css';
import { inviteKept } from './kept-answers.ts';
import { pathOfCategory, rememberPath } from './last-paths.ts';
import { NoticeList } from './NoticeList.tsx';
import { follow } from './navigation.ts';
import { pageOf } from './page-of.ts';
import { NotFound } from './pages.tsx';
import { onPainted } from './presence.ts';
import { loadAhead, privatePages } from './private-pages.ts';
import { Sidebar } from './Sidebar.tsx';
import { StatusLine } from './StatusLine.tsx';
import { keys, writeJson } from './storage.ts';
import { TopBar } from './TopBar.tsx';
import { themeOf } from './theme.ts';
import { barTitle } from './titles.ts';

const { Component: RequestBanner } = createLazy(async () => (await import('./RequestBanner.tsx')).RequestBanner, null);
const { Component: AccessDenied } = createLazy(async () => (await import('./AccessDenied.tsx')).AccessDenied);
const { Component: LeafCluster } = createLazy(async () => (await import('./LeafCluster.tsx')).LeafCluster);
const loadPalette = () => import('../palette/Palette.tsx');
const { Component: Palette } = createLazy(async () => (await loadPalette()).Palette, null);
const { Component: Help } = createLazy(async () => (await import('../palette/Help.tsx')).Help, null);
const { Component: LeaderHint } = createLazy(async () => (await import('../palette/LeaderHint.tsx')).LeaderHint, null);
const { Component: Pane } = createLazy(async () => (await loadPane()).Pane, null);
const { Component: AssistPlace } = createLazy(async () => (await import('./AssistPlace.tsx')).AssistPlace, null);
const { Component: Questionnaire } = createLazy(async () => (await import('./Questionnaire.tsx')).Questionnaire, null);
const OnboardingDialog = createAwaited(async () => (await import('./OnboardingDialog.tsx')).OnboardingDialog);
const { Component: Locked } = createLazy(async () => (await import('../screens/locked/Screen.tsx')).default);
/** From here on the sidebar stands beside the page (frame.module.css). */
const BESIDE = '(min-width: 1056px)';
const consoleRoutes: ReadonlySet<string> = new Set(['console', 'consoleConnect', 'consoleSession']);

/** Everything around the page: banners, top bar, sidebar, terminals, status line, palette. */
export function Frame({
  built,
  path,
  search,
}: {
  readonly built: Console;
  readonly path: string;
  readonly search: string;
}) {
  const { boot, user, terminals, commanding, tools } = built;
  const who = useSnapshot(user.state).who as Viewer['who'];
  const { palette, help } = useSnapshot(commanding.surface);
  // With its version: what is drawn here shows keys.
  const { pending, version: _version, leading } = useSnapshot(commanding.keymap.state);
  const { chosen, status } = useSnapshot(built.preferences.state);
  const { tabs, paneOpen, maximised } = useSnapshot(terminals.state);
  const { banners } = useSnapshot(built.banners.state);
  const { shown: onboards } = useSnapshot(built.onboarding.state);
  const main = useRef<HTMLElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const drawerButton = useRef<HTMLButtonElement>(null);
  const seen = useRef<string | null>(null);
  const [drawer, setDrawer] = useState(false);
  const [putOffBy, setPutOffBy] = useState(() => sessionStorage.getItem(keys.surveyPutOff));
  const viewer: Viewer = useMemo(() => ({ who, config: boot.config }), [who, boot]);
  const found = useMemo(() => match(path), [path]);
  const clusterId = found?.params.clusterId ?? boot.config.proxyCluster;
  const pane = tabs.length > 0 ? terminals.loaded() : undefined;
  const isConsole = found !== null && consoleRoutes.has(found.id);
  const isMaximised = maximised && tabs.length > 0 && (isConsole || paneOpen);
  const isFull = tabs.length > 0 && (isConsole || isMaximised);

  useEffect(() => {
    rememberPath(localStorage, path + search);
    if (!isConsole) writeJson(sessionStorage, keys.pageBeforeConsole, path + search);
  }, [path, search, isConsole]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer; what changes in the query while one reads does not.
  useEffect(() => setDrawer(false), [path]);
  const isOnTheWay = nextOf(path, viewer) !== undefined;
  useEffect(() => {
    const isArrival = seen.current === null;
    if (seen.current === path || (isArrival && isOnTheWay)) return;
    seen.current = path;
    // A page that was just loaded leaves the keys where the browser put them, also when it was led to.
    if (isArrival) return;
    // Whoever goes to another page wants to see it.
    if (!isConsole) terminals.restoreSize();
    // The keys belong to the new page, unless it has taken them itself, or a terminal or a dialog has them.
    const { activeElement: active } = document;
    if (main.current?.contains(active) || active?.closest('dialog') != null) return;
    main.current?.focus({ preventScroll: true });
  }, [path, isOnTheWay, isConsole, terminals]);
  const isBare = found?.id === 'console';
  useEffect(() => {
    terminals.setFull(isConsole);
    // The address names the terminal in front.
    if (isBare) terminals.arrive(null);
  }, [terminals, isConsole, isBare]);
  useEffect(() => {
    // At hand before the first Mod+K, but not part of the first load: it comes when the page stands and the browser has time.
    return onPainted(() => {
      // Opening it will try again and say what is wrong.
      void loadPalette()
        .then(({ warmPalette }) => warmPalette(commanding))
        .catch(() => undefined)
        .then(loadAwaited)
        .then(terminals.load)
        .catch(() => undefined)
        .then(() =>
          loadAhead(
            reachable({ who: user.state.who, config: boot.config }).filter(id => features[id].keys !== undefined),
          ),
        );
      void inviteKept(commanding.runner.run);
      built.onboarding.load().catch((error: unknown) => {
        // Without an answer nobody is told anything; the next page load asks again.
        if (!(error instanceof ApiError)) throw error;
      });
    });
  }, [commanding, built, user, boot, terminals]);
  const closeDrawer = useCallback(() => {
    setDrawer(false);
    drawerButton.current?.focus();
  }, []);

  useEffect(() => {
    // The drawer lies over the page: the keys go into it, and nothing behind it can be reached.
    if (!drawer) return;
    const entries = (selector: string) => side.current?.querySelector<HTMLElement>(selector);
    (entries('[aria-current=page]') ?? entries('[data-entry]'))?.focus();
    // In a window that has become wide the sidebar stands beside the page again, which must not stay out of reach.
    const wide = matchMedia(BESIDE);
    const widened = (): void => setDrawer(false);
    wide.addEventListener('change', widened);
    return () => wide.removeEventListener('change', widened);
  }, [drawer]);

  const loadClusters = useCallback(() => boot.api(listClusters), [boot]);
  const { theme, brand } = themeOf(chosen.theme, boot.config.customTheme);
  const page = useMemo(() => pageOf(built, found, search, viewer.who), [built, found, search, viewer]);

  const title = barTitle(found);
  const surveys =
    boot.config.questionnaire &&
    status === 'loaded' &&
    chosen.onboard.survey === undefined &&
    putOffBy !== who?.userName;
  // Neither dialog may cover a terminal that has the keys, and the second waits for the first.
  const isFree = useFact(facts => facts.focus !== 'terminal') && !isConsole;
  const isOfCluster = found?.params.clusterId !== undefined;
  const screen = (
    <ErrorBoundary key={found?.id ?? 'none'}>
      <PageContext value={page}>
        <Screen path={path} viewer={viewer} />
      </PageContext>
    </ErrorBoundary>
  );
  return (
    <div
      className={joined(
        styles.frame,
        (isMaximised || found?.id === 'desktop' || found?.id === 'watchDesktop') && styles.maximised,
      )}
    >
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      {who !== null && (who.assumed.length > 0 || who.accessStrategy.type !== 'optional') && (
        <RequestBanner who={who} />
      )}
      {banners.length > 0 && (
        <BannerList banners={built.banners} onFollow={alert => built.capture('bannerClick', alert)} />
      )}
      <TopBar
        cluster={isOfCluster ? { clusterId, load: loadClusters, onPick: tools.switchCluster } : undefined}
        menus={built.menus}
        notices={built.notices}
        title={title}
        paletteKeys={commanding.keymap.keysOf('palette.open')}
        onPalette={() => commanding.openPalette()}
        onPaletteNear={() => void loadPalette().catch(() => undefined)}
        drawerButton={drawerButton}
        onDrawer={() => setDrawer(now => !now)}
        drawerOpen={drawer}
        viewer={viewer}
        clusterId={clusterId}
        theme={brand === undefined ? theme : undefined}
        onGo={follow}
        onTheme={tools.setTheme}
        onSignOut={() => commanding.run('session.signOut')}
      />
      <div className={styles.middle}>
        {drawer && (
          <button
            type="button"
            className={styles.scrim}
            aria-label="Close the pages"
            tabIndex={-1}
            onClick={closeDrawer}
          />
        )}
        <div ref={side} className={joined(styles.side, drawer && styles.drawerOpen)}>
          <Sidebar
            viewer={viewer}
            path={path}
            clusterId={clusterId}
            pending={pending}
            keysOf={id => commanding.keymap.keysOf(`goto.${id}`)}
            onGo={next => {
              if (drawer) closeDrawer();
              follow(next);
            }}
            onPoint={commanding.teach}
            onEscape={() => drawer && closeDrawer()}
            onSwitch={category => {
              const next = pathOfCategory(localStorage, category, viewer, clusterId);
              if (next !== undefined) follow(next);
            }}
          />
        </div>
        <main id="page" ref={main} tabIndex={-1} className={styles.stage} inert={drawer}>
          {isFull && <h1 className="visually-hidden">{title}</h1>}
          <div className={joined(styles.page, isFull && styles.behind)}>
            {isLeaf(found?.params.clusterId, boot.config) ? (
              <ErrorBoundary key={clusterId}>
                <LeafCluster
                  api={boot.api}
                  clusterId={clusterId}
                  rootId={boot.config.proxyCluster}
                  onRoot={() => tools.switchCluster(boot.config.proxyCluster)}
                >
                  {screen}
                </LeafCluster>
              </ErrorBoundary>
            ) : (
              screen
            )}
          </div>
          {pane !== undefined && (
            <ErrorBoundary>
              <Pane terminals={pane} full={isFull} />
            </ErrorBoundary>
          )}
        </main>
        {boot.config.assistEnabled && !onboards && (
          <AssistPlace page={page} viewer={viewer} covered={!isFree} onExplained={terminals.focus} />
        )}
      </div>
      <StatusLine built={built} clusterId={clusterId} />
      <NoticeList
        notices={built.notices}
        factors={built.factors}
        copyText={tools.copyText}
        whyOf={text => {
          const rule = ruleIn(text);
          return rule && to('why', { clusterId }, rule);
        }}
      />
      {surveys && isFree && (
        <Questionnaire
          built={built}
          onLater={() => {
            const name = who?.userName ?? '';
            sessionStorage.setItem(keys.surveyPutOff, name);
            setPutOffBy(name);
          }}
        />
      )}
      {onboards && !surveys && isFree && (
        <OnboardingDialog
          onAdd={() => {
            built.capture('addFirstResource');
            built.onboarding.answer();
            follow(to('discover'));
          }}
          onLater={() => {
            built.capture('addFirstResourceLater');
            built.onboarding.answer();
          }}
        />
      )}
      {palette !== null && <Palette />}
      {help && <Help />}
      {leading && <LeaderHint />}
    </div>
  );
}

/** Where a path leads on to for this person; undefined where it stays. */
function nextOf(path: string, viewer: Viewer): string | undefined {
  const found = match(path);
  if (found === null) return undefined;
  const next = leadsTo(found.id, viewer);
  if (next !== undefined) {
    const clusterId = found.params.clusterId ?? viewer.config.proxyCluster;
    return to(next, hasCluster(next) ? { clusterId } : {});
  }
  if (isLocked(found.id, viewer)) return found.locked ? undefined : toLocked(found.id, found.params);
  return found.locked && reaches(found.id, viewer) ? to(found.id, found.params) : undefined;
}

/** The page itself, or why there is none. */
function Screen({ path, viewer }: { readonly path: string; readonly viewer: Viewer }) {
  const found = match(path);
  if (found === null) return <NotFound />;
  const next = nextOf(path, viewer);
  if (next !== undefined) return <GoTo path={next} />;
  if (isLocked(found.id, viewer)) return <Locked />;
  if (!reaches(found.id, viewer)) return <AccessDenied id={found.id} viewer={viewer} />;
  const Page = privatePages[found.id]?.Component;
  return Page === undefined ? <NotFound /> : <Page key={found.params.clusterId} />;
}

function GoTo({ path }: { readonly path: string }) {
  useEffect(() => follow(path, { replace: true }), [path]);
  return null;
}
