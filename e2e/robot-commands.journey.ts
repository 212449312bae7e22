// A robot with a keyboard and no mouse runs every command of the registry that asks for nothing irrevocable, from a page and with a
// terminal in front: each is named in the palette, answered there, does what it says, and leaves the focus where it can be seen.
import { writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { accessLists } from '../commands/access-lists.ts';
import { agents } from '../commands/agents.ts';
import { assist } from '../commands/assist.ts';
import { clusters } from '../commands/clusters.ts';
import type { Command } from '../commands/command.ts';
import { desktop } from '../commands/desktop.ts';
import { devices } from '../commands/devices.ts';
import { files } from '../commands/files.ts';
import { commands } from '../commands/index.ts';
import { pods } from '../commands/pods.ts';
import { requests } from '../commands/requests.ts';
import { reviews } from '../commands/reviews.ts';
import { splits } from '../commands/splits.ts';
import { factsWith } from '../commands/tools.testing.ts';
import { workspaces } from '../commands/workspaces.ts';
import { type FeatureId, featureIds } from '../src/features/table.ts';
import type { GatewayRig } from './rigs/gateway.ts';
import { acceptInvite, expect, press, run, screen, test, typeText } from './rigs/journey.ts';
import { addressOf, expectFocus, focused, name, overlay, palette, settle } from './rigs/robot.ts';
import { openSshd } from './rigs/sshd.ts';

/** Terminals that are open while the terminals' own commands run. */
const TERMINALS = 3;
/** When a robot looks again, ms: often, for it looks a thousand times. */
const intervals = [20, 50, 100];
/** Questions that one command asks at most. */
const QUESTIONS_MOST = 5;

/** A group of applications to look into, and one of each kind that is reached by other means. */
const RESOURCES = `kind: snippet
version: v1
metadata: { name: greeting }
spec: { text: inserted-by-robot, roles: ['*'] }
---
kind: app
version: v3
metadata: { name: wiki }
spec: { uri: 'http://127.0.0.1:1' }
---
kind: app
version: v3
metadata: { name: zookeeper }
spec: { uri: 'tcp://127.0.0.1:1' }
---
kind: app
version: v3
metadata: { name: zoom }
spec: { uri: 'https://zoom.example.com', saml: { entity_id: 'urn:zoom', acs_url: 'https://zoom.example.com/acs' } }
---
kind: user_group
version: v1
metadata: { name: finance }
spec: { applications: [wiki] }
---
kind: db
version: v3
metadata: { name: orders }
spec: { protocol: postgres, uri: 'orders.example.com:5432' }
---
kind: kube_cluster
version: v3
metadata: { name: production }
spec: {}
---
kind: windows_desktop
version: v3
metadata: { name: office }
spec: { addr: office.example.com }
---
kind: role
version: v7
metadata: { name: sees-groups }
spec: { allow: { group_labels: { '*': '*' } } }
---
kind: plugin
version: v1
sub_kind: slack
metadata: { name: ops }
spec: { url: https://hooks.example.com/services/T/B/X }
---
kind: oidc
version: v3
metadata: { name: corp }
spec:
  issuer_url: https://login.example.com
  client_id: postern
  client_secret: of nobody
  claims_to_roles: [{ claim: groups, value: dev, roles: [access] }]
---
kind: login_rule
version: v1
metadata: { name: as-given }
spec: { priority: 0, traits_expression: external }
`;
/** The first administrator, who sees the groups as well: none of the roles that come with the gateway shows them. */
const ADMINISTRATOR = `kind: user
version: v2
metadata: { name: admin }
spec: { roles: [access, editor, auditor, sees-groups], traits: { logins: [${userInfo().username}] } }
`;

/** What a walk has at hand. */
interface Hand {
  readonly page: Page;
  readonly gateway: GatewayRig;
  /** A terminal is in front when a command is named, and not the page. */
  readonly overTerminal: boolean;
  /** Address of a host that no server stands for yet. */
  readonly address: string;
  /** Name of a user that the walk invites. */
  readonly user: string;
}

/** Also while their pane is hidden. */
const tabs = (page: Page) => page.locator('[role=tab]');
const rows = (page: Page) => page.locator('tbody tr');
const marks = (page: Page) => page.getByRole('status').filter({ hasText: /^\d+ marked$/ });
const says = (page: Page, text: string | RegExp) => expect(page.getByRole('log')).toContainText(text);
const shows = (page: Page, heading: string | RegExp) =>
  expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();

const banner = (page: Page) => page.getByRole('button', { name: 'Dismiss: Robots at work' });
const isLive = (page: Page) => page.getByRole('button', { name: 'Live' });

/** Names a command and takes it, wherever the keys are. */
async function take(page: Page, title: string): Promise<void> {
  await name(page, title, (await focused(page)).isTerminal ? 'Control+Shift+k' : 'Control+k');
  await expect(palette(page).getByRole('option').first()).toContainText(title);
  await press(page, 'Enter');
  await expect(palette(page)).toHaveCount(0);
}

const themeOf = ({ page }: Hand) => page.locator('html').getAttribute('data-theme');

/** How a page is made ready: the least in which some commands apply. */
const states = {
  async page({ page, overTerminal }: Hand) {
    // What is named over the terminal can be named from it as well as from the page.
    if (overTerminal && addressOf('nodes').test(page.url())) return;
    const isThere =
      addressOf('nodes').test(page.url()) &&
      (await page.getByRole('main').evaluate(at => at === document.activeElement));
    if (!isThere) await take(page, 'Go to Servers');
  },
  /** Nothing is said on the screen any more: what goes from there by itself is under the bell. */
  async quiet(hand: Hand) {
    await states.page(hand);
    await expect(hand.page.getByRole('log').locator('> div')).toHaveCount(0);
  },
  async row(hand: Hand) {
    const { page } = hand;
    if (hand.overTerminal) await take(page, 'Go to Servers');
    else await states.page(hand);
    await expect(rows(page).first()).toBeVisible();
    await press(page, 'Home');
    await expect(rows(page).first()).toBeFocused();
  },
  async marked(hand: Hand) {
    await states.row(hand);
    await press(hand.page, 'Control+a');
    await expect(marks(hand.page)).toHaveCount(1);
  },
  async audit({ page }: Hand) {
    await take(page, 'Go to Audit Log');
    await expect(page).toHaveURL(addressOf('audit'));
    await expect(rows(page).first()).toBeVisible();
  },
  /** The cursor is on an event of a session. */
  async sessionEvent(hand: Hand) {
    await states.audit(hand);
    await rows(hand.page).filter({ hasText: 'Session Ended' }).first().focus();
  },
  async recordings({ page }: Hand) {
    await take(page, 'Go to Session Recordings');
    await expect(page).toHaveURL(addressOf('recordings'));
    await expect(rows(page).first()).toBeVisible();
  },
  async player(hand: Hand) {
    const { page } = hand;
    if (addressOf('player').test(page.url())) return;
    await states.recordings(hand);
    await press(page, 'Home', 'Enter');
    await expect(page).toHaveURL(addressOf('player'));
    await expect(page.locator('[data-player-screen]')).toBeVisible();
  },
  async terminal(hand: Hand) {
    const { page } = hand;
    for (let count = await tabs(page).count(); count < TERMINALS; count++) {
      await take(page, 'Go to Servers');
      await run(page, `ssh root@${hostname()}`);
      await expect(tabs(page)).toHaveCount(count + 1);
      await expect(screen(page)).toContainText('#');
    }
    await states.page(hand);
  },
  async hidden(hand: Hand) {
    await states.terminal(hand);
    if (await screen(hand.page).isVisible()) await take(hand.page, 'Show or hide the terminal pane');
    await expect(screen(hand.page)).toBeHidden();
  },
  /** Text of the terminal is selected, as its search does with what it finds. */
  async found(hand: Hand) {
    await states.terminal(hand);
    await take(hand.page, 'Find in the terminal');
    await typeText(hand.page, hostname());
    await expect(hand.page.getByRole('search').getByText(/^\d+ of \d+$/)).toBeVisible();
    await press(hand.page, 'Escape');
  },
  async cut(hand: Hand) {
    await states.terminal(hand);
    hand.gateway.network.cut();
    await expect(hand.page.getByText(/Reconnecting; what you type is kept/)).toBeVisible();
  },
  async dark(hand: Hand) {
    await states.page(hand);
    if ((await themeOf(hand)) !== 'dark') await take(hand.page, 'Switch to Dark Theme');
  },
} satisfies Record<string, (hand: Hand) => Promise<unknown>>;

type Seen = (hand: Hand) => Promise<unknown>;
/** How one command is run where its group's way does not do. */
interface Way {
  readonly state?: keyof typeof states;
  /** By argument; a question without one takes the first answer that is offered. */
  readonly answers?: (hand: Hand) => Readonly<Record<string, string>>;
  /** It may ask whether it should, and should. */
  readonly agrees?: true;
  readonly happens?: Seen;
  /** The gateway refuses it here, which `happens` sees in words. */
  readonly isRefused?: true;
  readonly after?: (hand: Hand) => unknown;
}

const stateOf: Readonly<Partial<Record<Command['group'], keyof typeof states>>> = {
  list: 'row',
  terminal: 'terminal',
  player: 'player',
};

const opens = (feature: FeatureId): Way => ({ happens: ({ page }) => expect(page).toHaveURL(addressOf(feature)) });
const shell: Seen = async ({ page }) => {
  await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  await expect(screen(page)).toContainText('#');
};
const clipboard =
  (text: string | RegExp): Seen =>
  ({ page }) =>
    expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(text);
/** Its files may have to come first. */
const over: Way = { happens: ({ page }) => expect(overlay(page).first()).toBeVisible() };
const onRow = (which: 'first' | 'last'): Way => ({ happens: ({ page }) => expect(rows(page)[which]()).toBeFocused() });

/** The form to lock something shows it; what was chosen is given up again. */
const locking: Way = {
  happens: ({ page }) => expect(page.getByRole('dialog', { name: 'Lock' })).toBeVisible(),
  after: async ({ page }) => {
    await page.getByRole('button', { name: 'Clear' }).focus();
    await press(page, 'Enter');
  },
};

/** What was played is of a terminal. */
const noList: Way = {
  happens: ({ page }) => says(page, 'holds no list of statements or requests'),
  isRefused: true,
};

const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(featureIds.map(id => [`goto.${id}`, opens(id)])),
  'shell.open': { happens: shell },
  'shell.openMarked': { state: 'marked', agrees: true, answers: () => ({ login: 'root' }), happens: shell },
  'session.join': { state: 'terminal', answers: () => ({ mode: 'Peer' }), happens: shell },
  // Once more, so that they are everybody's again.
  'session.takeKeys': {
    state: 'terminal',
    happens: ({ page }) => expect(page.locator('footer')).toContainText('you have the keys'),
    after: ({ page }) => take(page, 'Take the keys of this session, or return them to all'),
  },
  'session.invite': { state: 'terminal', answers: () => ({ mode: 'Observer' }), happens: clipboard(/mode=observer$/) },
  'recording.play': opens('player'),
  'recording.lastScreen': {
    state: 'recordings',
    happens: ({ page }) => expect(page.getByRole('complementary', { name: 'Last screen' })).toBeVisible(),
    after: ({ page }) => take(page, 'Show the last screen of the row, or no longer'),
  },
  'recording.hold': {
    answers: () => ({ reason: 'robots at work' }),
    happens: ({ page }) => says(page, /recording of .* is held/),
  },
  'recording.holdAll': {
    answers: () => ({ on: 'user:nobody-recorded', reason: 'robots at work' }),
    happens: ({ page }) => says(page, /All recordings of user nobody-recorded are held/),
  },
  'recording.holds': {
    happens: ({ page }) => expect(page.getByRole('dialog', { name: 'Legal holds' })).toBeVisible(),
    after: ({ page }) => press(page, 'Escape'),
  },
  'recording.search': { ...opens('recordings'), answers: () => ({ text: 'robot' }) },
  'category.switch': {
    state: 'page',
    happens: ({ page }) =>
      expect(page.getByRole('button', { name: 'Management', exact: true })).toHaveAttribute('aria-pressed', 'true'),
  },
  'terminal.new': { happens: ({ page }) => expect(palette(page).getByRole('combobox')).toHaveValue('ssh ') },
  'terminal.close': {
    state: 'hidden',
    agrees: true,
    happens: ({ page }) => expect(tabs(page)).toHaveCount(TERMINALS - 1),
  },
  // Once more, so that the page can be seen again.
  'terminal.maximise': {
    happens: ({ page }) => expect(page.locator('header')).toBeHidden(),
    after: ({ page }) => press(page, 'Control+Shift+Enter'),
  },
  'terminal.allowClipboard': { happens: ({ page }) => says(page, 'may write the clipboard') },
  'terminal.denyClipboard': { happens: ({ page }) => says(page, 'are kept from the clipboard') },
  'terminal.find': { happens: ({ page }) => expect(page.getByLabel('Find in the terminal')).toBeFocused() },
  'terminal.read': {
    happens: ({ page }) => expect(page.getByRole('textbox', { name: /^Text of root@/ })).toBeFocused(),
  },
  'terminal.copy': { state: 'found', happens: clipboard(hostname()) },
  'terminal.broadcast': {
    happens: ({ page }) => expect(page.getByRole('dialog', { name: 'Type into several terminals' })).toBeVisible(),
    after: ({ page }) => press(page, 'Escape'),
  },
  'snippet.insert': { happens: ({ page }) => expect(screen(page)).toContainText('inserted-by-robot') },
  'snippet.new': opens('snippets'),
  'terminal.roundTrips': { happens: ({ page }) => says(page, /ound trip/) },
  'terminal.askPaste': { happens: ({ page }) => says(page, 'ask first') },
  'terminal.paste': { happens: ({ page }) => expect(screen(page)).toContainText('pasted-by-robot') },
  'terminal.reconnect': {
    state: 'cut',
    after: ({ gateway }) => gateway.network.mend(),
  },
  // Once more, so that it is off again: a terminal that is read out draws every line twice.
  'terminal.screenReader': {
    happens: ({ page }) => says(page, 'Terminals are read out'),
    after: ({ page }) => take(page, 'Switch screen reader mode of terminals'),
  },
  'terminal.copyLink': { happens: clipboard(/\/console\/session\//) },
  'list.filter': { happens: ({ page }) => expect(page.getByLabel('Filter Servers')).toBeFocused() },
  'list.open': { happens: shell },
  'list.menu': over,
  'list.columns': over,
  'list.views': over,
  'list.first': onRow('first'),
  'list.last': onRow('last'),
  'list.copy': { happens: clipboard('second') },
  'list.clear': { state: 'marked', happens: ({ page }) => expect(marks(page)).toHaveCount(0) },
  'audit.live': { state: 'audit', happens: ({ page }) => expect(isLive(page)).toHaveAttribute('aria-pressed', 'true') },
  'audit.types': { ...over, state: 'audit' },
  'audit.facets': { ...over, state: 'audit' },
  'player.exportCsv': noList,
  'player.exportJson': noList,
  'audit.exportCsv': { state: 'audit', happens: ({ page }) => says(page, 'have been exported') },
  'audit.exportNdjson': { state: 'audit', happens: ({ page }) => says(page, 'have been exported') },
  'audit.details': over,
  'audit.unfold': { state: 'audit' },
  'audit.recording': { ...opens('player'), state: 'sessionEvent' },
  'audit.related': {
    ...opens('audit'),
    state: 'sessionEvent',
    answers: () => ({ place: 'All events of its session' }),
  },
  'users.events': opens('audit'),
  'servers.events': opens('audit'),
  'sessions.events': opens('audit'),
  'recordings.events': opens('audit'),
  'range.today': { state: 'audit', happens: ({ page }) => expect(page).toHaveURL(/range=today/) },
  'range.week': { state: 'audit' },
  'range.days': {
    state: 'audit',
    answers: () => ({ first: '2026-01-01', last: '2026-01-31' }),
    happens: ({ page }) => expect(page).toHaveURL(/from=2026-01-01&to=2026-01-31/),
  },
  'notifications.open': over,
  'notifications.read': {
    state: 'quiet',
    happens: ({ page }) => expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible(),
  },
  'notices.dismiss': { happens: ({ page }) => expect(page.getByRole('log').locator('> div')).toHaveCount(0) },
  'banner.dismiss': { happens: ({ page }) => expect(banner(page)).toHaveCount(0) },
  'account.menu': over,
  'cluster.choose': over,
  'cluster.page': opens('nodes'),
  'databases.add': {
    answers: () => ({ name: 'robots', protocol: 'postgres', address: 'robots.example.com', labels: 'made-by=robot' }),
    // It is tried at once, and cannot be reached.
    happens: async ({ page }) => {
      await says(page, 'has been added');
      await expect(overlay(page).first()).toBeVisible();
    },
  },
  'applications.open': {
    happens: async ({ page }) => {
      await expect.poll(() => page.context().pages().length).toBe(2);
      await page.context().pages()[1]?.close();
    },
  },
  'applications.add': {
    answers: () => ({ name: 'robots', address: 'http://robots.example.com', labels: 'made-by=robot' }),
    // It is tried at once, and cannot be reached.
    happens: async ({ page }) => {
      await says(page, 'has been added');
      await expect(overlay(page).first()).toBeVisible();
    },
  },
  'applications.addSaml': { happens: ({ page }) => shows(page, 'Add an application that takes SAML') },
  'applications.changeSaml': {
    answers: () => ({ application: 'zoom' }),
    happens: ({ page }) => shows(page, 'How zoom takes SAML'),
  },
  'applications.try': over,
  'applications.connect': over,
  'applications.change': {
    answers: () => ({ address: '', labels: 'made-by=robot' }),
    happens: ({ page }) => says(page, 'has been changed'),
  },
  'desktops.add': {
    answers: () => ({ name: 'robots', protocol: 'rdp', address: 'robots.example.com', labels: 'made-by=robot' }),
    // It is tried at once, and cannot be reached.
    happens: async ({ page }) => {
      await says(page, 'has been added');
      await expect(overlay(page).first()).toBeVisible();
    },
  },
  'desktops.discover': { happens: ({ page }) => shows(page, 'Which directory?') },
  'desktops.try': over,
  'desktops.change': {
    answers: () => ({ address: '', labels: 'made-by=robot' }),
    happens: ({ page }) => says(page, 'has been changed'),
  },
  'bot.add': { answers: () => ({ name: 'robot', roles: 'access', logins: 'root' }), ...over },
  'bot.create': { happens: ({ page }) => shows(page, 'Add a bot') },
  'bot.line': { answers: () => ({ bot: 'robot' }), ...over },
  'bot.lock': {
    answers: () => ({ bot: 'robot', ttl: '1h' }),
    happens: ({ page }) => says(page, 'Bot robot is locked until'),
  },
  'tokens.add': { answers: () => ({ as: 'server', uses: '1', ttl: '1h', labels: 'made-by=robot' }), ...over },
  'list.add': over,
  'databases.try': over,
  'databases.change': {
    answers: () => ({ address: '', labels: 'made-by=robot' }),
    happens: ({ page }) => says(page, 'has been changed'),
  },
  'databases.prompt': {
    answers: () => ({ dbUser: 'app', dbName: 'orders' }),
    // Nobody has given the robot a database user: its terminal says so.
    happens: ({ page }) => expect(page.getByText('You may not use orders').first()).toBeVisible(),
  },
  'databases.connect': over,
  'kubernetes.connect': over,
  'applications.copyAddress': { happens: clipboard(/^http:\/\/wiki\.localhost:\d+$/) },
  'desktops.copyAddress': { happens: clipboard('office.example.com') },
  'userGroups.applications': opens('apps'),
  'servers.add': {
    answers: ({ address }) => ({ address, labels: 'made-by=robot' }),
    happens: ({ page }) => says(page, 'has been added'),
  },
  'users.invite': {
    answers: ({ user }) => ({ name: user, roles: 'access' }),
    happens: ({ page, user }) => shows(page, `${user} has been invited`),
  },
  'users.create': { happens: ({ page }) => shows(page, 'Invite a user') },
  'users.open': { answers: () => ({ user: 'admin' }), happens: ({ page }) => shows(page, 'Roles of admin') },
  'users.link': {
    answers: ({ user }) => ({ user }),
    happens: ({ page, user }) => shows(page, `${user} has been invited`),
  },
  'users.edit': {
    answers: ({ user }) => ({ user, roles: 'editor' }),
    happens: ({ page, user }) => says(page, `${user} now holds access, editor`),
  },
  'users.reached': { ...opens('rights'), answers: () => ({ user: 'admin' }) },
  'servers.run': opens('runs'),
  'files.open': { ...opens('files'), answers: () => ({ login: 'root' }) },
  'files.ofTerminal': opens('files'),
  'servers.reachers': opens('rights'),
  'databases.reachers': opens('rights'),
  'kubernetes.reachers': opens('rights'),
  'desktops.reachers': opens('rights'),
  'rights.why': { ...opens('why'), answers: () => ({ user: 'admin', action: 'ssh' }) },
  'locks.create': {
    answers: () => ({ target: 'login:nobody' }),
    happens: ({ page }) => says(page, 'Locked login'),
  },
  'users.lock': { ...locking, answers: () => ({ user: 'admin' }) },
  'roles.lock': { ...locking, answers: () => ({ role: 'access' }) },
  'servers.lock': locking,
  'desktops.lock': locking,
  'locks.remove': {
    agrees: true,
    answers: () => ({ lock: 'nobody' }),
    happens: ({ page }) => says(page, 'has been taken away'),
  },
  'locks.show': { answers: () => ({ lock: 'nobody' }), happens: ({ page }) => shows(page, 'Lock on login nobody') },
  'roles.create': { happens: ({ page }) => shows(page, 'New role') },
  'roles.edit': { answers: () => ({ role: 'access' }), happens: ({ page }) => shows(page, 'access') },
  'connectors.create': { happens: ({ page }) => shows(page, 'New auth connector') },
  'connectors.edit': { answers: () => ({ connector: 'corp' }), happens: ({ page }) => shows(page, 'corp') },
  'connectors.test': {
    answers: () => ({ connector: 'corp' }),
    happens: ({ page }) => shows(page, 'Test sign-in by corp'),
  },
  'integrations.enroll': {
    answers: () => ({ kind: 'Discord' }),
    happens: ({ page }) => expect(page).toHaveURL(/\/web\/integrations\/new\/discord$/),
  },
  'integrations.edit': {
    answers: () => ({ integration: 'ops' }),
    happens: ({ page }) => shows(page, 'Edit Slack ops'),
  },
  'integrations.delete': {
    agrees: true,
    answers: () => ({ integration: 'ops' }),
    happens: ({ page }) => says(page, 'ops has been deleted'),
  },
  'trust.create': { happens: ({ page }) => shows(page, 'New trusted cluster') },
  'loginRules.create': { happens: ({ page }) => shows(page, 'New login rule') },
  'loginRules.edit': { answers: () => ({ loginRule: 'as-given' }), happens: ({ page }) => shows(page, 'as-given') },
  'loginRules.test': { answers: () => ({ user: 'admin' }), happens: ({ page }) => shows(page, 'Login rules on admin') },
  'connectors.first': { answers: () => ({ connector: 'corp' }), happens: ({ page }) => says(page, 'begins with corp') },
  'connectors.passwordFirst': { happens: ({ page }) => says(page, 'begins with the password') },
  'account.approve': {
    answers: () => ({ request: 'a'.repeat(64) }),
    happens: ({ page }) => shows(page, 'Approve a sign-in elsewhere'),
  },
  'account.password': opens('accountPassword'),
  'account.keys': { happens: ({ page }) => shows(page, 'Keyboard') },
  // One of them is always hidden; the walk begins light.
  'theme.light': { state: 'dark', happens: hand => expect.poll(() => themeOf(hand)).toBe('light') },
  'theme.dark': { happens: hand => expect.poll(() => themeOf(hand)).toBe('dark') },
  'terminal.leader': {
    happens: ({ page }) => expect(page.getByRole('complementary', { name: 'Keys that can follow' })).toBeVisible(),
    after: ({ page }) => press(page, 'Escape'),
  },
  'palette.commands': { happens: ({ page }) => expect(palette(page).getByRole('combobox')).toHaveValue('>') },
  'support.bundle': { happens: ({ page }) => shows(page, 'Diagnostics') },
  'support.clicks': { happens: ({ page }) => shows(page, 'Counted clicks') },
  'help.open': { happens: ({ page }) => shows(page, 'Keyboard help') },
  'link.copy': { happens: clipboard(/\/web\/cluster\/[^/]+\/nodes/) },
};

/** What the palette asks for, null when it is closed. */
const labelOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('dialog[open] [role=combobox]')?.getAttribute('aria-label') ?? null);

/** The row under the palette's cursor. */
async function under(page: Page): Promise<{ readonly text: string; readonly isRefused: boolean }> {
  return page.evaluate(() => {
    const id = document.querySelector('dialog[open] [role=combobox]')?.getAttribute('aria-activedescendant');
    const row = id == null ? null : document.getElementById(id);
    return { text: row?.textContent ?? '', isRefused: row?.getAttribute('aria-disabled') === 'true' };
  });
}

/** Answers what the palette asks, one question after the other. */
async function answer(hand: Hand, command: Command, answers: Readonly<Record<string, string>>): Promise<void> {
  const { page } = hand;
  for (let asked = 0; asked < QUESTIONS_MOST; asked++) {
    const question = await labelOf(page);
    const asking = command.args?.find(({ title }) => question === `${command.title} ${title}`);
    if (asking === undefined) return;
    await typeText(page, answers[asking.name] ?? '');
    const wanted = new RegExp(answers[asking.name]?.split(', ').at(-1) ?? '.', 'i');
    await expect
      .poll(async () => (await under(page)).text, { message: `${command.id}: ${asking.title}`, intervals })
      .toMatch(wanted);
    await press(page, 'Enter');
    if (asking.held !== undefined) {
      // Several names: each is picked by Enter, and the row that says what they change is taken by one more.
      await expect.poll(async () => (await under(page)).text, { intervals }).toMatch(/adds/);
      await press(page, 'Enter');
    }
    await expect
      .poll(() => labelOf(page), {
        message: `${command.id} takes an answer to ${asking.title}`,
        intervals,
      })
      .not.toBe(question);
  }
}

/** Says yes to a question, unless what was wanted happens without one. */
async function agree(hand: Hand, { happens }: Way): Promise<void> {
  const { page } = hand;
  const isAsked = page
    .getByRole('alertdialog')
    .waitFor()
    .then(() => true);
  const isAsking = await Promise.race([isAsked, happens?.(hand).then(() => false)].map(one => one?.catch(() => true)));
  if (isAsking) await press(page, 'Tab', 'Enter');
}

/** Runs one command as its row says and sees what comes of it. */
async function walk(hand: Hand, command: Command): Promise<void> {
  const { page } = hand;
  const way = ways[command.id] ?? {};
  await states[way.state ?? stateOf[command.group] ?? 'page'](hand);
  if (hand.overTerminal) {
    if (!(await focused(page)).isTerminal) await press(page, 'i');
    await expect(page.locator('.xterm-helper-textarea:visible')).toBeFocused();
  }
  await page.evaluate(`navigator.clipboard.writeText('pasted-by-robot')`);
  if (command.id === 'palette.open') {
    await press(page, hand.overTerminal ? 'F1' : 'Control+k');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
  } else {
    await name(page, command.title, (await focused(page)).isTerminal ? 'Control+Shift+k' : 'Control+k');
    await expect
      .poll(async () => (await under(page)).text, { message: `${command.id} is found`, intervals })
      .toContain(command.title);
    const { text, isRefused } = await under(page);
    expect(isRefused, `${command.id} can be run; the palette says ${text}`).toBe(false);
    await press(page, 'Enter');
    if (command.args !== undefined) await answer(hand, command, way.answers?.(hand) ?? {});
  }
  if (way.agrees) await agree(hand, way);
  await way.happens?.(hand);
  await settle(page, command.id);
  await way.after?.(hand);
  await expectFocus(page, command.id);
}

/** One row of the registry shows the terminal of one number: those of higher numbers are the same row made once more. */
const numberOf = (id: string): number => Number(/^terminal\.show(\d)$/.exec(id)?.[1] ?? 0);
/** Pages with a chord are reached by that in robot.journey.ts; their rows are made from one table. */
const isReachedByChord = ({ id, keys }: Command): boolean => id.startsWith('goto.') && keys !== undefined;
/** What a cluster without second factors does not have: second-factor.journey.ts does it. */
const ofFactors: ReadonlySet<string> = new Set([
  'account.setPassword',
  'account.addDevice',
  'account.addPasskey',
  'account.removeDevice',
  'account.renewCodes',
]);
/** What needs several terminals in one tab, or several tabs: splits.journey.ts does it. */
const ofSplits: ReadonlySet<string> = new Set([
  'shell.right',
  // The browser's own full screen takes the keys of the page that a robot walks.
  'terminal.fullScreen',
  'shell.down',
  ...[...splits, ...workspaces].map(({ id }) => id),
]);
/** What is done with the files of a server: files.journey.ts does it. */
const ofFiles: ReadonlySet<string> = new Set(files.filter(({ keys }) => keys !== undefined).map(({ id }) => id));
/** What nobody does alone in a session. */
const ofOthers: ReadonlySet<string> = new Set(['session.giveKeys', 'session.pause']);
/** What needs two recordings of its own: sessions.journey.ts does it. */
const ofTwo: ReadonlySet<string> = new Set(['recording.compare', 'recording.compareMarked']);
/** What needs a cluster that runs: kubernetes.journey.ts does it. */
const ofPods: ReadonlySet<string> = new Set([...clusters, ...pods].map(({ id }) => id));
/** What needs a desktop that runs: desktops.journey.ts and rdp-desktops.test.ts do it. */
const ofDesktops: ReadonlySet<string> = new Set([
  'desktops.open',
  'desktops.password',
  'desktops.trust',
  ...desktop.map(({ id }) => id),
]);
/** What leaves a recording behind that nothing can be asked of: app-try-server.test.ts does it. */
const ofTrials: ReadonlySet<string> = new Set(['servers.try']);
/** What needs a statement that waits for a review: app-reviews.test.ts does it. */
const ofReviews: ReadonlySet<string> = new Set(reviews.map(({ id }) => id));
/** What needs somebody who asks and somebody who reviews: requests.journey.ts does it. */
const ofRequests: ReadonlySet<string> = new Set(requests.map(({ id }) => id));
/** What needs an agent, a device, an access list or a model: agents, devices, access-lists and assistant.journey.ts do it. */
const ofOwnJourneys: ReadonlySet<string> = new Set(
  [...agents, ...devices, ...accessLists, ...assist].map(({ id }) => id),
);
/** Pages of other deployments: modes.journey.ts goes to them. */
const ofModes: ReadonlySet<string> = new Set([
  'goto.billing',
  'goto.payments',
  'goto.invoiceSettings',
  'goto.downloads',
]);
/** Every other command but those that cannot be undone, and those that whoever may edit does not have; in the order of the registry. */
const walked = commands.filter(
  command =>
    command.destructive !== true &&
    !isReachedByChord(command) &&
    !ofFactors.has(command.id) &&
    !ofOthers.has(command.id) &&
    !ofTwo.has(command.id) &&
    !ofFiles.has(command.id) &&
    !ofPods.has(command.id) &&
    // What needs a service outside: notifications.journey.ts does it.
    command.id !== 'integrations.test' &&
    !ofReviews.has(command.id) &&
    !ofRequests.has(command.id) &&
    !ofOwnJourneys.has(command.id) &&
    !ofModes.has(command.id) &&
    !ofTrials.has(command.id) &&
    !ofDesktops.has(command.id) &&
    !ofSplits.has(command.id) &&
    command.id !== 'roles.view' &&
    command.id !== 'connectors.view' &&
    command.id !== 'loginRules.view' &&
    command.id !== 'trust.view' &&
    // It needs somebody who may ask: requests.journey.ts has one.
    command.id !== 'goto.newRequest' &&
    // It needs a root: leaf.test.ts does it.
    command.id !== 'trust.edit' &&
    numberOf(command.id) <= TERMINALS,
);

const terminal = {
  sid: 'sid',
  title: 'root@db-3',
  serverId: 'db-3',
  login: 'root',
  connected: true,
  hasSelection: true,
} as const;
const onPage = factsWith();
const inTerminal = factsWith({ focus: 'terminal', terminal, terminalCount: 1, paneOpen: true });
/** What a terminal in front changes: who hears its keys, whether it is there at all, or where it leaves the focus. */
const differsOverTerminal = (row: Command): boolean =>
  row.overTerminal === true ||
  row.terminalKeys !== undefined ||
  row.group === 'terminal' ||
  row.group === 'console' ||
  (row.when?.(onPage) ?? true) !== (row.when?.(inTerminal) ?? true) ||
  row.blocked?.(onPage) !== row.blocked?.(inTerminal);

for (const overTerminal of [false, true])
  test(`every command runs by keyboard alone ${overTerminal ? 'with a terminal in front' : 'from a page'}`, async ({
    page,
    newGateway: gateway,
  }) => {
    test.setTimeout(600_000);
    const refused: string[] = [];
    page.on('response', reply => {
      // 426: a socket that failed asks in plain HTTP why, and hears that nothing is wrong but the network.
      if (reply.status() >= 400 && reply.status() !== 426)
        refused.push(`${reply.status()} ${new URL(reply.url()).pathname}`);
    });
    const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
    try {
      await gateway.command('servers', 'add', `${sshd.host}:${sshd.port}`, '--name', 'second', '--yes');
      const resources = join(gateway.folder, 'robot.yaml');
      await writeFile(resources, RESOURCES);
      await gateway.command('resources', 'apply', resources);
      await gateway.command('alerts', 'add', '--severity', '1', '--message', 'Robots at work');
      await acceptInvite(page, gateway);
      await writeFile(resources, ADMINISTRATOR);
      await gateway.command('resources', 'apply', resources);
      await expect(banner(page)).toHaveCount(1);
      // A recording to play.
      await run(page, `ssh root@${hostname()}`);
      await expect(screen(page)).toContainText('#');
      await typeText(page, 'exit\n');
      await expect(page.locator('.xterm:visible')).toHaveCount(0);
      const hand: Hand = { page, gateway, overTerminal, address: `localhost:${sshd.port}`, user: 'robot' };
      if (overTerminal) await run(page, `ssh root@${hostname()}`);
      const wrong: string[] = [];
      for (const command of overTerminal ? walked.filter(differsOverTerminal) : walked) {
        refused.length = 0;
        await test
          .step(command.id, () => walk(hand, command))
          .catch(async (error: Error) => {
            wrong.push(`${command.id}: ${error.message.slice(0, 400)}`);
            // What one leaves open is not in the way of the next.
            await press(page, 'Escape');
          });
        // What says so may be of the command before: the answer is waited for, and does not count against the next.
        if (ways[command.id]?.isRefused === true) await expect.poll(() => refused.length).toBeGreaterThan(0);
        else wrong.push(...refused.map(reply => `${command.id}: ${reply}`));
      }
      expect(wrong).toEqual([]);
    } finally {
      await sshd.dispose();
    }
  });
