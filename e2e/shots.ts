// `npm run shots`: a picture of every page, and of what opens over pages, in both themes and at four widths, into shots/.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { BILLING_KEY, openBilling } from '../src/gateway/billing-double.testing.ts';
import { CHROMIUM, PASSWORD } from './rigs/browser.ts';
import { folder, isWanted, keys, openPage, shoot, sizes, taken, wanted } from './rigs/camera.ts';
import { acceptInvite, signIn } from './rigs/client.ts';
import { type GatewayRig, openGateway } from './rigs/gateway.ts';
import { fillGoverned } from './rigs/governed.ts';
import { MODEL_KEY, openModel } from './rigs/model.ts';
import { pages } from './rigs/pages.ts';
import { postern } from './rigs/postern.ts';
import { siteResources } from './rigs/resources.ts';
import { shootSso, ssoPictures } from './rigs/sso-pictures.ts';

/** What a picture is of: where it begins, the keys that bring it up, and what is there when it is up. */
interface Scene {
  readonly name: string;
  readonly path: string;
  readonly keys: readonly string[];
  readonly shows: string;
}

/** What opens over pages. `at` is the address of the cluster's pages. */
const scenes = (at: string): readonly Scene[] => [
  { name: 'palette', path: `${at}/nodes`, keys: ['Control+k', 'type:se'], shows: '[role=option]' },
  { name: 'palette-empty', path: `${at}/nodes`, keys: ['Control+k'], shows: '[role=option]' },
  {
    name: 'palette-argument',
    path: `${at}/nodes`,
    keys: ['Control+k', 'type:open a shell', 'Enter', 'type:web'],
    shows: '[role=option]',
  },
  { name: 'palette-labels', path: `${at}/nodes`, keys: ['Control+k', 'type:#env'], shows: '[role=option]' },
  {
    name: 'palette-roles',
    path: `${at}/nodes`,
    keys: ['Control+k', "type:Change a user's roles", 'Enter', 'type:reader', 'Enter'],
    shows: '[role=option]',
  },
  {
    name: 'palette-refused',
    path: `${at}/nodes`,
    keys: ['Control+k', 'type:ssh root@nowhere', 'Enter'],
    shows: 'dialog[open]',
  },
  { name: 'help', path: `${at}/nodes`, keys: ['?'], shows: 'dialog[open]' },
  { name: 'which-key', path: `${at}/nodes`, keys: ['g'], shows: 'footer' },
  { name: 'rows-marked', path: `${at}/nodes`, keys: ['j', 'j', 'x', 'j', 'x'], shows: 'tr[aria-selected=true]' },
  { name: 'row-menu', path: `${at}/nodes`, keys: ['j', 'j', '.'], shows: '[role=menu]' },
  { name: 'user-row-menu', path: '/web/users', keys: ['j', '.'], shows: '[role=menu]' },
  { name: 'connect-menu', path: `${at}/nodes`, keys: ['j', 'j', 'Enter'], shows: '[role=dialog]' },
  { name: 'columns', path: `${at}/nodes`, keys: ['c'], shows: '[role=menu]' },
  { name: 'views', path: `${at}/nodes`, keys: ['v'], shows: '[role=menu]' },
  { name: 'parse-error', path: `${at}/nodes?query=name%20%3D%20%22x%22`, keys: [], shows: '[role=alert], mark' },
  { name: 'none-found', path: `${at}/nodes?search=nothing-like-this`, keys: [], shows: 'main' },
  { name: 'database-connect', path: `${at}/databases?connect=orders`, keys: [], shows: 'dialog[open]' },
  { name: 'kubernetes-connect', path: `${at}/kubernetes`, keys: ['j', 'Enter'], shows: 'dialog[open]' },
  ...(['database', 'cluster', 'application'] as const).map(what => ({
    name: `add-${what}`,
    path: `${at}/nodes`,
    keys: ['Control+k', `type:add a${what === 'application' ? 'n' : ''} ${what}`, 'Enter'],
    shows: '[role=dialog], dialog[open]',
  })),
  { name: 'user-dialog', path: '/web/users', keys: ['j', 'Enter'], shows: 'dialog[open]' },
  { name: 'user-invite', path: '/web/users', keys: ['click:Invite a user'], shows: 'dialog[open]' },
  { name: 'role-new', path: '/web/roles', keys: ['click:Create a role'], shows: 'dialog[open]' },
  {
    name: 'role-completion',
    path: '/web/roles',
    keys: ['click:Create a role', 'Control+Home', ...Array(6).fill('ArrowDown'), 'End', 'Enter', 'type:  re'],
    shows: 'dialog[open] [role=listbox]',
  },
  {
    name: 'role-problem',
    path: '/web/roles',
    keys: [
      'click:Create a role',
      'Control+Home',
      ...Array(6).fill('ArrowDown'),
      'End',
      'Enter',
      'type:  logns: [x]',
      ...Array(6).fill('Shift'),
      'F8',
    ],
    shows: 'dialog[open] .cm-tooltip-lint, .cm-diagnostic',
  },
  { name: 'role-editor', path: '/web/roles', keys: ['j', 'Enter'], shows: 'dialog[open]' },
  { name: 'enroll-server', path: '/web/discover?tile=debian', keys: [], shows: 'main form' },
  { name: 'enroll-line', path: '/web/discover?tile=debian', keys: ['Enter'], shows: 'main form code' },
  { name: 'enroll-found', path: '/web/discover?search=sql', keys: [], shows: 'main ul' },
  { name: 'reached', path: `${at}/rights`, keys: [], shows: 'tbody tr' },
  { name: 'reachers', path: `${at}/rights?action=ssh&target=${hostname()}`, keys: [], shows: 'tbody tr' },
  { name: 'why', path: `${at}/rights/why?target=${hostname()}&login=oracle`, keys: [], shows: 'main li' },
  { name: 'run-prepared', path: `${at}/run?query=name+!%3D+""&command=uname`, keys: [], shows: 'tbody tr' },
  { name: 'run-done', path: `${at}/run?query=name+!%3D+""&command=uname`, keys: ['Enter'], shows: 'main section h2' },
  { name: 'role-line', path: '/web/roles?edit=access&line=12', keys: [], shows: 'dialog[open] .cm-line' },
  {
    name: 'role-review',
    path: '/web/roles?edit=reads-production',
    keys: [
      'Control+Home',
      ...Array(5).fill('ArrowDown'),
      'End',
      'type:, deploy',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'Home',
      'type:test,',
      'Control+Enter',
    ],
    shows: 'dialog section',
  },
  { name: 'connectors', path: '/web/sso', keys: [], shows: 'main' },
  { name: 'trust', path: '/web/trust', keys: [], shows: 'main' },
  { name: 'trust-new', path: '/web/trust', keys: ['click:Connect to a root cluster'], shows: 'dialog[open]' },
  { name: 'login-rules', path: '/web/loginrules', keys: [], shows: 'main' },
  {
    name: 'login-rule-new',
    path: '/web/loginrules',
    keys: ['click:Create a login rule'],
    shows: 'dialog[open] .cm-line',
  },
  {
    name: 'login-rule-review',
    path: '/web/loginrules',
    keys: ['click:Create a login rule', 'Control+Enter'],
    shows: 'dialog[open] form',
  },
  { name: 'login-rule-test', path: '/web/loginrules?test=admin', keys: [], shows: 'dialog[open] h3' },
  { name: 'connector-new', path: '/web/sso', keys: ['click:Create an auth connector'], shows: 'dialog[open]' },
  { name: 'lock-shown', path: '/web/locks?lock=6f1c8d3e-7a90-4a55-9d55-21c3a0a3b001', keys: [], shows: 'dialog[open]' },
  { name: 'new-lock', path: '/web/locks/new', keys: ['Tab', 'Tab', 'Enter', 'ArrowDown', 'Enter'], shows: 'main' },
  {
    name: 'lock-panel',
    path: '/web/locks/new?target=user:maximiliana.von-und-zu-hohenstein@subsidiary.example.com',
    keys: ['type:Left a laptop in a taxi', 'Tab', 'type:soon', 'Enter'],
    shows: 'dialog[open]',
  },
  {
    name: 'lock-made',
    path: '/web/locks/new?target=windows_desktop:office-1',
    keys: ['Enter'],
    shows: 'dialog[open]',
  },
  { name: 'audit-details', path: `${at}/audit`, keys: ['j', 'Enter'], shows: 'dialog[open]' },
  { name: 'audit-unfolded', path: `${at}/audit`, keys: ['j', 'j', 'Enter', 'j', 'j'], shows: 'main' },
  { name: 'audit-completion', path: `${at}/audit`, keys: ['/', 'type:ty'], shows: '[role=option]' },
  { name: 'audit-wrong-key', path: `${at}/audit?search=tpe%3Ax`, keys: [], shows: 'main' },
  { name: 'audit-none', path: `${at}/audit?search=nothing-like-this`, keys: [], shows: 'main' },
  { name: 'manual-chapter', path: '/web/support/manual/first-hour', keys: [], shows: 'main h1' },
  { name: 'other-cluster', path: '/web/cluster/elsewhere/nodes', keys: [], shows: 'main' },
  { name: 'not-found', path: '/web/nothing-here', keys: [], shows: 'h1' },
];

/** What somebody with a second factor meets: from the invitation to the link that a command line shows. */
const factors = [
  'factor-choice',
  'factor-app',
  'factor-passwordless',
  'recovery-codes',
  'recovery-codes-print',
  'credentials-done',
  'devices',
  'device-add',
  'account-codes',
  'account-codes-new',
  'headless',
  'headless-gone',
  'session-key',
  'session-key-gone',
  'login-options',
  'login-second',
  'login-locked',
  'recover',
  'recover-device',
  'reset-welcome',
  'reset-password',
  'reset-codes',
  'reset-done',
  'expired-reset',
  'registration-complete',
  'reset-complete',
  'login-disabled',
  'firefox-passkey',
  'passkey-account',
  'login-none',
] as const;
async function shootFactors(browser: Browser): Promise<void> {
  const one = await openGateway({ flags: ['--second-factor', 'on', '--passwordless', 'allowed'] });
  try {
    const page = await openPage(browser, one);
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: false,
      automaticPresenceSimulation: true,
    } as const;
    await session.send('WebAuthn.addVirtualAuthenticator', { options });
    const look = async (name: (typeof factors)[number]): Promise<void> => {
      if (isWanted(name)) await shoot(page, name);
    };
    const go = async (path: string): Promise<void> => {
      await page.goto(new URL(path, one.url).href);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');
    };
    const button = (name: RegExp | string) => page.getByRole('button', { name });
    await go(one.invite());
    await button(/Get started|Continue/).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const method = page.getByLabel('Two-Factor Method');
    await method.waitFor();
    await look('factor-choice');
    await method.selectOption('Authenticator App');
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    await look('factor-app');
    await method.selectOption('Hardware Key');
    await page.getByLabel('Device Name').press('Enter');
    await page.getByText('Recovery codes (3 total)').waitFor();
    await look('recovery-codes');
    await page.emulateMedia({ media: 'print' });
    await look('recovery-codes-print');
    await page.emulateMedia({ media: null });
    await button(/^I have saved my/).click();
    await button('Go to Cluster').waitFor();
    await look('credentials-done');
    await button('Go to Cluster').click();
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await go('/web/account/twofactor');
    await look('devices');
    await button('Add a two-factor device').first().click();
    await page.getByRole('dialog').waitFor();
    await look('device-add');
    await go('/web/account/twofactor');
    await button('Make new recovery codes').first().click();
    await look('account-codes');
    await button('Make new codes').click();
    await page.getByText('Recovery codes (3 total)').waitFor();
    await look('account-codes-new');

    const line = (...words: readonly string[]) => postern(one.folder, ...words);
    const signIn = line('sign-in', '--url', one.url, '--user', 'admin', '--headless');
    const approval = await signIn.link(/\S+\/web\/headless\/\S+/);
    await go(approval);
    await button('Approve with a hardware key').waitFor();
    await look('headless');
    await button('Approve with a hardware key').click();
    await signIn.status;
    await look('headless-gone');
    const keyed = join(one.folder, 'keyed.yaml');
    await writeFile(
      keyed,
      `kind: role
version: v7
metadata: { name: keyed }
spec: { options: { require_session_mfa: true } }
---
kind: user
version: v2
metadata: { name: admin }
spec: { roles: [access, editor, keyed], traits: { logins: [root] } }
---
kind: github
version: v3
metadata: { name: hub }
spec: { display: GitHub, client_id: x, client_secret: y, teams_to_roles: [{ organization: acme, roles: [access] }] }
`,
    );
    await one.command('resources', 'apply', keyed);
    const shell = line('ssh', `root@${hostname()}`);
    await go(await shell.link(/\S+redirect_url=\S+/));
    await button('Use hardware key').waitFor();
    await look('session-key');
    shell.type('\x03');
    await shell.status;
    await go('/web/headless/key?challenge=x&redirect_url=http://127.0.0.1:1/');
    await look('session-key-gone');

    await page.context().clearCookies();
    await go('/web/login');
    await page.getByRole('link', { name: 'Other sign-in options' }).click();
    await page.waitForTimeout(600);
    await look('login-options');
    await go('/web/recover/password');
    await look('recover');
    await go(/http\S+/.exec(await one.command('users', 'add', 'ann', '--roles', 'access'))?.[0] ?? '');
    await button(/Get started|Continue/).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await button('Go Passwordless').click();
    await page.getByLabel('Device Name').waitFor();
    await look('factor-passwordless');
    await go(/http\S+/.exec(await one.command('users', 'reset', 'ann'))?.[0] ?? '');
    await look('reset-welcome');
    await button('Continue').click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await look('reset-password');
    await setCredentials(page, linkIn(await one.command('users', 'reset', 'ann')));
    await page.getByText('Recovery codes (3 total)').waitFor();
    await look('reset-codes');
    await button(/^I have saved my/).click();
    await button('Go to Cluster').waitFor();
    await look('reset-done');
    await page.context().clearCookies();
    await go('/web/recover/device');
    await look('recover-device');
    await go(`/web/reset/${'0'.repeat(64)}/continue`);
    await look('expired-reset');
    await shootKeyPolicy(one, page, look);
    await shootPasskeyOnly(one, browser);
    // A lock is told of to whoever has proved who they are.
    for (const name of ['login-locked', 'login-second'] as const) {
      if (name === 'login-locked') await one.command('lock', 'admin', '2h', 'Left a laptop in a taxi');
      else await session.send('WebAuthn.disable');
      await go('/web/login');
      await page.getByLabel('Username').fill('admin');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await (name === 'login-locked' ? page.getByRole('alert') : page.getByRole('status')).waitFor();
      await look(name);
    }
    await one.command('resources', 'remove', 'github/hub');
    await one.command('passwords', 'accept', 'no', '--force');
    await go('/web/login');
    await look('login-none');
  } finally {
    await one.dispose();
  }
}

type Look = (name: (typeof factors)[number]) => Promise<void>;

/** Fills in both passwords of an invitation or a reset, and leaves its second factor to the key that is plugged in. */
async function setCredentials(page: Page, link: string): Promise<void> {
  await page.goto(`${link}/continue`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Two-Factor Method').selectOption('Hardware Key');
  await page.getByLabel('Device Name').press('Enter');
}

const linkIn = (said: string): string => /http\S+/.exec(said)?.[0] ?? '';

/** Where keys live in hardware: the end of an invitation, of a reset, and of a sign-in. */
async function shootKeyPolicy(one: GatewayRig, page: Page, look: Look): Promise<void> {
  const file = join(one.folder, 'hardware.yaml');
  await writeFile(
    file,
    'kind: role\nversion: v7\nmetadata: { name: hardware }\nspec: { options: { require_session_mfa: hardware_key } }\n',
  );
  await one.command('resources', 'apply', file);
  await setCredentials(page, linkIn(await one.command('users', 'add', 'hal', '--roles', 'hardware')));
  await page.getByRole('heading', { name: 'Registration Complete' }).waitFor();
  await look('registration-complete');
  await setCredentials(page, linkIn(await one.command('users', 'reset', 'hal')));
  await page.getByRole('heading', { name: 'Reset Complete' }).waitFor();
  await look('reset-complete');
  await page.goto(`${one.url}/web/login`);
  await page.getByLabel('Username').fill('hal');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Web UI Login Disabled' }).waitFor();
  await look('login-disabled');
}

/** Somebody who has no password: what Firefox is told on the way there, and the account. */
async function shootPasskeyOnly(one: GatewayRig, browser: Browser): Promise<void> {
  const link = linkIn(await one.command('users', 'add', 'pia', '--roles', 'access'));
  const firefox = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: sizes[0],
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const warned = await firefox.newPage();
  await warned.goto(`${link}/continue`);
  await warned.getByRole('button', { name: 'Go Passwordless' }).click();
  await warned.getByText('Firefox may not support').waitFor();
  if (isWanted('firefox-passkey')) await shoot(warned, 'firefox-passkey');
  await firefox.close();
  const page = await openPage(browser, one);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${link}/continue`);
  await page.getByRole('button', { name: 'Go Passwordless' }).click();
  await page.getByLabel('Device Name').press('Enter');
  await page.getByRole('button', { name: /^I have saved my/ }).click();
  await page.getByRole('button', { name: 'Go to Cluster' }).click();
  await page.getByRole('heading', { name: 'Servers' }).waitFor();
  await page.goto(`${one.url}/web/account`);
  await page.getByText('passwordless-device', { exact: true }).waitFor();
  if (isWanted('passkey-account')) await shoot(page, 'passkey-account');
}

/** What only a gateway with other settings shows, or one that does not answer. */
const modal = ['questionnaire', 'locked', 'custom-theme', 'banners', 'no-answer', 'invites', 'survey'] as const;
/** What whoever comes first is asked once, between the password and the end. */
async function shootFirstQuestions(browser: Browser): Promise<void> {
  const one = await openGateway({ flags: ['--cloud', '--questionnaire'] });
  try {
    const page = await openPage(browser, one);
    await page.goto(`${one.invite()}/continue`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Invite Collaborators' }).waitFor();
    await keys(page, 'type:ann\n', 'type:bob\n');
    if (isWanted('invites')) await shoot(page, 'invites');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('Company name').waitFor();
    await keys(page, 'Control+Enter');
    if (isWanted('survey')) await shoot(page, 'survey');
  } finally {
    await one.dispose();
  }
}

async function shootModes(browser: Browser): Promise<void> {
  const logoFolder = await mkdtemp(join(tmpdir(), 'postern-logo-'));
  const logo = join(logoFolder, 'logo.svg');
  await writeFile(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32" rx="6" fill="#d9822b"/></svg>',
  );
  try {
    const flags = ['--questionnaire', '--usage-based-billing', '--sales-url', 'https://sales.example.com'];
    for (const themed of [[], ['--custom-theme', 'orange', '--logo', logo]]) {
      const one = await openGateway({ flags: [...flags, ...themed] });
      try {
        if (themed.length === 0) await shootFirstQuestions(browser);
        const user = await acceptInvite(one.url, one.invite(), PASSWORD);
        const { cookie, cluster } = await signIn(one.url, user, PASSWORD);
        const page = await openPage(browser, one, cookie);
        const at = async (path: string) => {
          await page.goto(`${one.url}${path}`);
          await page.getByRole('main').waitFor();
          await page.waitForLoadState('networkidle');
        };
        await at(`/web/cluster/${cluster}/nodes`);
        if (themed.length > 0) {
          await page.getByRole('button', { name: 'Not now' }).click();
          if (isWanted('custom-theme')) await shoot(page, 'custom-theme', ['dark']);
          continue;
        }
        if (isWanted('questionnaire')) await shoot(page, 'questionnaire');
        await page.getByRole('button', { name: 'Not now' }).click();
        await at(`/web/cluster/${cluster}/sessions`);
        if (isWanted('locked')) await shoot(page, 'locked');
        for (const [severity, text] of [
          ['1', 'Maintenance tonight from 22:00 to 23:00 UTC'],
          ['10', 'The certificate of this gateway ends in 3 days'],
        ] as const)
          await one.command('alerts', 'add', '--severity', severity, '--message', text);
        await at(`/web/cluster/${cluster}/nodes`);
        await page.getByText('Maintenance tonight').waitFor();
        if (isWanted('banners')) await shoot(page, 'banners');
        await page.route('**/v1/webapi/**', route => route.abort());
        await page.goto(`${one.url}/web`);
        await page.getByRole('heading').first().waitFor();
        if (isWanted('no-answer')) await shoot(page, 'no-answer');
      } finally {
        await one.dispose();
      }
    }
  } finally {
    await rm(logoFolder, { recursive: true });
  }
}

/** What only a cluster in use shows of its governance: requests, lists, machines, agents, and what all of them left to be told. */
const governed: readonly Scene[] = [
  { name: 'requests', path: '/web/accessrequest', keys: ['j'], shows: 'tbody tr' },
  { name: 'request-new', path: '/web/accessrequest/new', keys: [], shows: 'main' },
  { name: 'access-lists', path: '/web/accesslists', keys: ['j'], shows: 'tbody tr' },
  { name: 'access-list', path: '/web/accesslists/on-call', keys: [], shows: 'tbody tr' },
  { name: 'access-list-review', path: '/web/accesslists/on-call?review=yes', keys: ['j'], shows: 'main tr, main li' },
  {
    name: 'access-list-new',
    path: '/web/accesslists',
    keys: ['Control+k', 'type:>Create an access list', 'Enter'],
    shows: 'dialog[open]',
  },
  { name: 'trusted-devices', path: '/web/devices', keys: ['j'], shows: 'tbody tr' },
  { name: 'bots-made', path: '/web/bots', keys: ['j'], shows: 'tbody tr' },
  {
    name: 'bot-form',
    path: '/web/bots',
    keys: ['Control+k', 'type:>Fill in the form for a new bot', 'Enter'],
    shows: 'dialog[open]',
  },
  { name: 'agents-made', path: '/web/agents', keys: ['j'], shows: 'tbody tr' },
  { name: 'enrolled', path: '/web/integrations', keys: ['j'], shows: 'tbody tr' },
  { name: 'enroll', path: '/web/integrations/new', keys: [], shows: 'main li' },
  { name: 'enroll-aws', path: '/web/integrations/new/aws-oidc', keys: [], shows: 'main form' },
  { name: 'enroll-slack', path: '/web/integrations/new/slack', keys: [], shows: 'main form' },
  { name: 'enroll-email', path: '/web/integrations/new/email', keys: [], shows: 'main form' },
  { name: 'enroll-guide', path: '/web/integrations/new/github-actions', keys: [], shows: 'main form' },
  { name: 'integration-edit', path: '/web/integrations?edit=integration/production', keys: [], shows: 'dialog[open]' },
  { name: 'plugin-edit', path: '/web/integrations?edit=plugin/operations', keys: [], shows: 'dialog[open]' },
  { name: 'reviews-none', path: '/web/cluster/-current-/reviews', keys: [], shows: 'main' },
  { name: 'bell', path: '/web/account', keys: ['Shift+B'], shows: '[role=menuitem]' },
  { name: 'usage', path: '/web/billing', keys: [], shows: 'tbody tr' },
  { name: 'invoices', path: '/web/billing/payments', keys: [], shows: 'tbody tr' },
  { name: 'invoice-settings', path: '/web/billing/settings', keys: [], shows: 'main form' },
  { name: 'support-page', path: '/web/support', keys: [], shows: 'main h1' },
  { name: 'bundle', path: '/web/support', keys: ['Control+k', 'type:>diagnostics', 'Enter'], shows: '#support-bundle' },
  {
    name: 'telemetry',
    path: '/web/support',
    keys: ['Control+k', 'type:>Show what is counted', 'Enter'],
    shows: '#support-clicks',
  },
  { name: 'assistant', path: '/web/assist', keys: ['type:which servers are there?\n'], shows: '[role=log]' },
  {
    name: 'assistant-card',
    path: '/web/assist',
    keys: ['type:is a disk full?\n'],
    shows: '[role=log] [role=region], [role=log] section',
  },
  { name: 'assistant-docked', path: '/web/users', keys: ['Control+/'], shows: 'tbody tr' },
];
async function shootGoverned(browser: Browser): Promise<void> {
  const [model, provider] = [await openModel(), await openBilling()];
  const one = await openGateway({
    flags: [
      ...['--billing-address', provider.address, '--billing-key', BILLING_KEY],
      ...['--cloud', '--assistant-address', model.url, '--assistant-model', 'example'],
      ...['--assistant-key', MODEL_KEY],
    ],
  });
  try {
    const { cookie, cluster } = await fillGoverned(one);
    const page = await openPage(browser, one, cookie);
    for (const scene of governed) {
      if (!isWanted(scene.name) && !wanted.includes('governed')) continue;
      await shootScene(page, one, { ...scene, path: scene.path.replace('-current-', cluster) });
    }
  } finally {
    await one.dispose();
    await model.dispose();
    await provider.dispose();
  }
}
async function shootScene(page: Page, { url }: GatewayRig, scene: Scene): Promise<void> {
  await page.goto(`${url}${scene.path}`);
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  await keys(page, ...scene.keys);
  await page
    .locator(scene.shows)
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => console.log(`${scene.name}: ${scene.shows} did not come`));
  await shoot(page, scene.name);
}

/** Every page, and what opens over pages. */
async function shootPages(browser: Browser, gateway: GatewayRig): Promise<void> {
  const visitor = await openPage(browser, gateway);
  const invite = new URL(gateway.invite()).pathname;
  for (const [name, path] of [
    ['welcome', invite],
    ['set-password', `${invite}/continue`],
    ['expired', `/web/invite/${'0'.repeat(64)}/continue`],
  ] as const) {
    if (!isWanted(name)) continue;
    await visitor.goto(`${gateway.url}${path}`);
    await visitor.getByRole('heading').first().waitFor();
    await shoot(visitor, name);
  }
  const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  const wire = await signIn(gateway.url, user, PASSWORD);
  if (isWanted('empty')) {
    const early = await openPage(browser, gateway, wire.cookie);
    for (const id of ['databases', 'recordings', 'sessions'] as const) {
      await early.goto(`${gateway.url}/web/cluster/${wire.cluster}/${id}`);
      await early.getByRole('heading').first().waitFor();
      await shoot(early, `empty-${id}`);
    }
    await early.close();
  }
  const site = join(gateway.folder, 'site.yaml');
  await writeFile(
    site,
    `${siteResources(60)}---
kind: user
version: v2
metadata: { name: ${user} }
spec: { roles: [access, editor, auditor], traits: { logins: [root, deploy] } }
---
kind: user
version: v2
metadata: { name: maximiliana.von-und-zu-hohenstein@subsidiary.example.com }
spec: { roles: [access, auditor] }
---
kind: lock
version: v2
metadata: { name: 6f1c8d3e-7a90-4a55-9d55-21c3a0a3b001, expires: '2031-05-01T10:00:00Z' }
spec: { target: { user: maximiliana.von-und-zu-hohenstein@subsidiary.example.com }, message: 'Left a laptop in a taxi on the way back from the data centre; ask the help desk before you do anything else' }
---
kind: role
version: v7
metadata: { name: reads-production, description: Reads what runs in production }
spec:
  allow:
    logins: [root, web
      ]
    node_labels: { env: [prod,
      staging ] }
---
kind: user
version: v2
metadata: { name: dora }
spec: { roles: [reads-production] }
---
kind: login_rule
version: v1
metadata: { name: logins-from-mail, description: The part of a mail address before the @ is a login }
spec: { priority: 0, traits_expression: 'external.add("logins", strings.lower(email.local(external.email)))' }
---
kind: login_rule
version: v1
metadata: { name: database-people, description: 'Whoever is in the group dba is postgres, everybody else reads' }
spec: { priority: 10, traits_expression: 'external.put("db_users", ifelse(contains(external.groups, "dba"), set("postgres", "reader"), set("reader")))' }
---
kind: lock
version: v2
metadata: { name: break-glass }
spec: { target: { login: administrator } }
---
kind: lock
version: v2
metadata: { name: quarantine }
spec: { target: { server_id: site-7 }, message: Forensics }
`,
  );
  await gateway.command('resources', 'apply', site);
  for (const { id, path } of pages(wire.cluster, 'public')) {
    if (!isWanted(id)) continue;
    await visitor.goto(`${gateway.url}${path}`);
    await visitor.getByRole('heading').first().waitFor();
    await shoot(visitor, id);
  }

  const at = `/web/cluster/${wire.cluster}`;
  const page = await openPage(browser, gateway, wire.cookie);
  const servers = async () => {
    await page.goto(`${gateway.url}${at}/nodes`);
    await page.locator('tbody tr').first().waitFor();
  };
  await servers();
  await keys(page, 'Control+k', `type:ssh root@${hostname()}`, 'Enter');
  await page.locator('.xterm:visible').first().waitFor();
  await page.waitForTimeout(800);
  await keys(page, 'type:ls --color=always / && uname -a\n');
  await page.waitForTimeout(800);
  if (isWanted('shell')) await shoot(page, 'shell');
  if (isWanted('files-panel')) {
    await keys(page, 'Control+Shift+k', 'type:download a file', 'Enter', 'type:none', 'Enter');
    await page.getByLabel('File or folder to download').fill('/etc/');
    await keys(page, 'click:Folder as tar');
    await page.getByLabel('Done').waitFor();
    await shoot(page, 'files-panel');
    await keys(page, 'Escape');
  }
  await page.goto(`${gateway.url}${at}/sessions`);
  await page.locator('tbody tr').first().waitFor();
  if (isWanted('activeSessions-live')) await shoot(page, 'activeSessions-live');
  await page.goto(`${gateway.url}${at}/console`);
  await page.locator('.xterm:visible').first().waitFor();
  await page.waitForTimeout(800);
  if (isWanted('console-session')) await shoot(page, 'console-session');
  if (isWanted('console-maximised')) {
    await keys(
      page,
      'Control+Shift+Enter',
      "type:clear; printf '\\033]52;c;eA==\\a'; seq 3 | xargs printf '\\033[7;3%dm inverse \\033[0m'; echo\n",
    );
    await shoot(page, 'console-maximised');
    await keys(page, 'Control+Shift+Enter');
  }
  await keys(page, 'type:exit\n');
  await page.locator('.xterm:visible').first().waitFor({ state: 'hidden' });

  for (const { id, path } of pages(wire.cluster, 'private')) {
    if (!isWanted(id)) continue;
    await page.goto(`${gateway.url}${path}`);
    await page.getByRole('main').waitFor();
    await shoot(page, id);
  }
  for (const scene of scenes(at)) {
    if (!isWanted(scene.name)) continue;
    await shootScene(page, gateway, scene);
  }
  for (const [name, button] of [
    ['user-menu', 'User menu'],
    ['clusters-menu', `Cluster: ${wire.cluster}`],
    ['notifications', 'Notifications'],
  ] as const) {
    if (!isWanted(name)) continue;
    await servers();
    await page.locator(`header button[title="${button}"], header button[aria-label^="${button}"]`).first().click();
    await shoot(page, name);
  }
  if (isWanted('last-screen')) {
    await page.goto(`${gateway.url}${at}/recordings`);
    await page.locator('tbody tr').first().waitFor();
    await keys(page, 'j', 'w');
    await page.getByRole('img', { name: /^Last on the screen/ }).waitFor();
    await shoot(page, 'last-screen');
    await keys(page, 'w', '.', 'type:hold', 'Enter', 'type:case 2026-17', 'Enter');
    await page.getByRole('img', { name: /^Held since/ }).waitFor();
    await shoot(page, 'held');
    await page.goto(`${gateway.url}${at}/recordings?holds=yes`);
    await page.getByRole('dialog', { name: 'Legal holds' }).waitFor();
    await shoot(page, 'holds');
    await page.goto(`${gateway.url}${at}/recordings/compare`);
    await page.getByRole('heading', { name: 'Two recordings are compared' }).waitFor();
    await shoot(page, 'compare-none');
  }
  if (isWanted('player')) {
    await page.goto(`${gateway.url}${at}/recordings`);
    await page.locator('tbody tr').first().waitFor();
    await keys(page, 'j', 'Enter');
    await page.locator('.xterm:visible').first().waitFor();
    await page.waitForTimeout(1500);
    await shoot(page, 'player');
  }
}

const isGoverned = (name: string): boolean => name === 'governed' || governed.some(scene => scene.name === name);
const browser = await chromium.launch(CHROMIUM);
if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
try {
  if (wanted.length === 0 || !wanted.every(isGoverned)) {
    const gateway = await openGateway();
    try {
      await shootPages(browser, gateway);
    } finally {
      await gateway.dispose();
    }
  }
  if (wanted.length === 0 || wanted.some(isGoverned)) await shootGoverned(browser);
  if (modal.some(isWanted)) await shootModes(browser);
  if (factors.some(isWanted)) await shootFactors(browser);
  if (ssoPictures.some(isWanted)) await shootSso(browser);

  const cells = taken.map(
    file =>
      `<figure><img src="${file}" width="${file.includes('phone') ? 130 : 460}"><figcaption>${file}</figcaption></figure>`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><style>body{display:flex;flex-wrap:wrap;font:12px sans-serif}</style>${cells.join('')}`,
  );
  const sheet = await browser.newPage({ viewport: { width: 1960, height: 1000 } });
  await sheet.goto(`file://${folder}/index.html`);
  await sheet.screenshot({ path: join(folder, 'contact-sheet.png'), fullPage: true });
  console.log(`${taken.length} pictures in ${folder}, together in contact-sheet.png`);
} finally {
  await browser.close();
}
