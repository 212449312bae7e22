// From a tile to a connection that was tried, by keyboard alone, against a real sshd that joins by the line.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { INSTANCE, openAwsOidcDouble, TRUSTED_ROLE } from '../src/gateway/aws-oidc-double.testing.ts';
import { filesByWire, openOrders, role } from './rigs/databases.ts';
import { type DirectoryRig, openDirectoryRig } from './rigs/directory.ts';
import { freePort, type GatewayRig } from './rigs/gateway.ts';
import {
  addPerson,
  test as base,
  carry,
  enter,
  expect,
  leaveShell,
  press,
  run,
  screen,
  typeText,
} from './rigs/journey.ts';
import { pasteLine } from './rigs/paste.ts';
import { openPreparedGateway } from './rigs/prepared.ts';
import { openSshd, type SshdRig } from './rigs/sshd.ts';
import { openVncDesktop } from './rigs/vnc-desktop.ts';

/** A gateway that machines can dial, and a server that trusts nobody yet. */
const test = base.extend<{ readonly dialled: GatewayRig; readonly sshd: SshdRig }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  dialled: async ({}, use) => {
    const gateway = await openPreparedGateway({ flags: ['--ssh-listen', `127.0.0.1:${await freePort()}`] });
    await use(gateway);
    await gateway.dispose();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  sshd: async ({}, use) => {
    const sshd = await openSshd({ trustedUserCa: '# nobody' });
    await use(sshd);
    await sshd.dispose();
  },
});

const line = (page: Page) => page.locator('code', { hasText: 'install-node.sh' });
/** Options by which the script finds a server that is no machine of its own. */
const flagsOf = (sshd: SshdRig, name: string) => {
  const state = join(sshd.folder, 'postern');
  return ['--sshd-config', join(sshd.folder, 'sshd_config'), '--state', state, '--plain', '--name', name];
};
async function tile(page: Page, search: string): Promise<void> {
  await press(page, 'g', 'n');
  await expect(page.getByLabel('Filter: what to enroll')).toBeFocused();
  await typeText(page, search);
  await press(page, 'ArrowDown', 'Enter');
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** A gateway whose integrations ask a double of AWS. You must end both. */
async function openAws() {
  let url = '';
  const published = async (path: string) => (await fetch(`${url}/.well-known/${path}`)).json();
  const aws = await openAwsOidcDouble({
    discovery: () => published('openid-configuration'),
    keys: () => published('jwks-oidc'),
  });
  const gateway = await openPreparedGateway({
    flags: ['--aws-endpoint', aws.url, '--ssh-listen', `127.0.0.1:${await freePort()}`],
  });
  url = gateway.url;
  return { aws, gateway };
}
/** From the first step of a guide that there is no account for to the list of integrations. */
async function enrollAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'enroll an AWS account' }).focus();
  await press(page, 'Enter');
  await expect(page.getByLabel('Integration name')).toBeFocused();
  await typeText(page, 'prod');
  await page.getByLabel('Role ARN', { exact: true }).focus();
  await typeText(page, `${TRUSTED_ROLE}\n`);
  await expect(button(page, 'Go to the list')).toBeFocused();
  await press(page, 'Enter');
  await expect(page.getByRole('row', { name: /AWS OIDC prod/ })).toBeVisible();
}

const office = `kind: role
version: v7
metadata: { name: office }
spec:
  allow:
    windows_desktop_labels: { env: office }
    windows_desktop_logins: [alice]
`;
/** As the script on a domain controller prints it. */
const printed = ({ ldapsPort, ca, base, reader }: DirectoryRig, password: string): string => `kind: discovery_config
version: v1
metadata:
  name: "example.com"
spec:
  ldap:
    address: "localhost:${ldapsPort}"
    ca_cert: ${JSON.stringify(ca)}
    bind_name: ${JSON.stringify(reader.name)}
    password: ${JSON.stringify(password)}
    base: ${JSON.stringify(base)}
`;

/** Pastes the line that is shown, and walks on over logins and trial to a shell of the host, then to the list of servers. */
async function fromLineToShell(page: Page, text: string, flags: readonly string[], host: string): Promise<void> {
  expect(await pasteLine(text, ...flags)).toMatchObject({ status: 0 });
  await expect(page.getByText(`${host} has joined.`)).toBeVisible();
  await expect(button(page, 'Next')).toBeFocused();
  await press(page, 'Enter');

  await expect(page.getByRole('button', { name: 'Take away root' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Logins of your own' }).focus();
  await press(page, 'Control+Enter');

  await expect(page.getByLabel('Login', { exact: true })).toBeFocused();
  await press(page, 'Control+Enter');
  const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
  await expect(traces).toHaveCount(4);
  await expect(traces.getByLabel('Passed')).toHaveCount(4);
  await press(page, 'Control+Enter');

  await expect(page.getByRole('heading', { name: `${host} is enrolled` })).toBeVisible();
  await button(page, /Open a shell as/).focus();
  await press(page, 'Enter');
  await expect(screen(page)).toContainText('#');
  await typeText(page, 'echo "over $((6*7))"\n');
  await expect(screen(page)).toContainText('over 42');
  await leaveShell(page);
  await press(page, 'g', 's');
}

test('a server goes from its tile over the pasted line to a shell, and the page sees it arrive by itself', async ({
  page,
  dialled: gateway,
  sshd,
}) => {
  await enter(page, gateway);
  await tile(page, 'debian');
  await expect(page.getByRole('heading', { name: 'Debian server' })).toBeVisible();
  await expect(page.getByLabel('Labels')).toBeFocused();
  await typeText(page, 'env=lab');
  await press(page, 'Enter');
  await expect(page.getByText('Waiting for the server to join')).toBeVisible();
  const text = (await line(page).textContent()) ?? '';
  const flags = flagsOf(sshd, 'enrolled-1');
  try {
    await fromLineToShell(page, text, flags, 'enrolled-1');
    await expect(page.locator('tbody tr', { hasText: 'enrolled-1' })).toContainText('env: lab');
  } finally {
    await pasteLine(text, ...flags, '--uninstall');
    await rm(join(sshd.folder, 'postern'), { recursive: true, force: true });
  }
});

test('a trial that fails says at which step and what to do, and a login that no role takes is told', async ({
  page,
  dialled: gateway,
  sshd,
}) => {
  await enter(page, gateway);
  await tile(page, 'ubuntu');
  await press(page, 'Enter');
  const text = (await line(page).textContent()) ?? '';
  const flags = flagsOf(sshd, 'enrolled-2');
  try {
    expect(await pasteLine(text, ...flags)).toMatchObject({ status: 0 });
    await expect(button(page, 'Next')).toBeFocused();
    await press(page, 'Enter');
    await page.getByRole('combobox', { name: 'Logins of your own' }).focus();
    await typeText(page, 'nobody-here\n');
    await press(page, 'Control+Enter');
    await page.getByLabel('Login', { exact: true }).selectOption('nobody-here');
    await press(page, 'Control+Enter');
    const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
    await expect(traces.last().getByLabel('Failed')).toBeVisible();
    await expect(traces.last()).toContainText('Create "nobody-here" there');
    await expect(button(page, 'Try again')).toBeVisible();
    // Whoever leaves before the end is asked.
    await press(page, 'Escape');
    await page.getByRole('main').focus();
    await press(page, 'g', 's');
    await expect(page.getByRole('alertdialog')).toContainText('not enrolled to the end');
  } finally {
    await pasteLine(text, ...flags, '--uninstall');
  }
});

test('a database goes from its tile over its certificate, which the line fetches once, to a prompt', async ({
  page,
  dialled: gateway,
}) => {
  const file = test.info().outputPath('shop.yaml');
  await writeFile(file, role('shop', 'app'));
  await gateway.command('resources', 'apply', file);
  const ed = await addPerson(gateway, 'ed', '--roles', 'access,editor,shop');
  const postgres = await openOrders(await filesByWire(gateway.url, ed));
  try {
    await carry(page, gateway, ed.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await tile(page, 'postgres');
    await expect(page.getByRole('heading', { name: 'Which database?' })).toBeVisible();
    await expect(page.getByLabel('Name')).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByRole('alert').first()).toHaveText('A name is needed');
    await typeText(page, 'orders');
    await press(page, 'Tab', 'Tab');
    await typeText(page, `127.0.0.1:${postgres.port}`);
    await press(page, 'Tab');
    await typeText(page, 'team=shop');
    await press(page, 'Enter');

    await expect(page.getByRole('heading', { name: 'Its certificate' })).toBeVisible();
    await press(page, 'Control+Enter');
    const sign = page.locator('code', { hasText: 'sign/db' });
    await expect(page.getByText("ssl_cert_file = 'server.crt'")).toBeVisible();
    const text = (await sign.textContent()) ?? '';
    const fetched = () => promisify(execFile)('sh', ['-c', text], { cwd: test.info().outputDir });
    await fetched();
    const listed = await promisify(execFile)('tar', ['tzf', 'postern_mTLS.tar.gz'], { cwd: test.info().outputDir });
    expect(listed.stdout.trim().split('\n')).toEqual(['server.crt', 'server.key', 'server.cas']);
    await expect(fetched()).rejects.toThrow('403');
    await press(page, 'Control+Enter');

    // What the role gives stays; what is added is told when no role takes it from the user.
    const users = page.getByRole('combobox', { name: 'Database users of your own' });
    await expect(users).toBeVisible();
    await users.focus();
    await press(page, 'Control+Enter');
    await expect(page.getByLabel('Database user', { exact: true })).toHaveValue('app');
    await expect(page.getByLabel('Database name', { exact: true })).toHaveValue('orders');
    await press(page, 'Control+Enter');
    const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
    await expect(traces).toHaveCount(5);
    await expect(traces.getByLabel('Passed')).toHaveCount(5);
    await press(page, 'Control+Enter');
    await button(page, 'Open a prompt as app').focus();
    await press(page, 'Enter');
    await expect(screen(page)).toContainText('orders=>');
  } finally {
    await postgres.dispose();
  }
});

test('desktops of a domain go from their tile over the scripts and the directory to the list, and one opens to words', async ({
  page,
}) => {
  // The directory of a test is on the gateway's own machine.
  const gateway = await openPreparedGateway({ flags: ['--plugins-loopback'] });
  const directory = await openDirectoryRig();
  try {
    await directory.add({ 'win-7': 'dNSHostName: WIN-7.desks.invalid\noperatingSystem: Windows 11\n' });
    const found = 'win-7.desks.invalid';
    const file = test.info().outputPath('office.yaml');
    await writeFile(file, office);
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,editor,office');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await tile(page, 'active directory');
    await expect(page.getByText('install-ad-cs.ps1')).toBeVisible();
    await press(page, 'Enter');
    await expect(button(page, 'Make the line')).toBeFocused();
    await press(page, 'Enter');
    const shown = page.getByText(/configure\/[^/]+\/configure-ad\.ps1/);
    await expect(shown).toBeVisible();
    const [, address = ''] = /-Uri '([^']+)'/.exec((await shown.textContent()) ?? '') ?? [];
    expect(await (await fetch(address)).text()).toContain('kind: discovery_config');
    // What was begun is not left without a question.
    await press(page, 'g', 'w');
    await expect(button(page, 'Leave')).toBeVisible();
    await button(page, 'Cancel').press('Enter');
    await expect(button(page, 'Leave')).toHaveCount(0);
    await button(page, 'Next').press('Enter');

    // What the script prints, pasted whole, fills every field; a wrong password is told, and the fields stay.
    await expect(page.getByLabel('Address')).toBeFocused();
    const { name, password } = directory.reader;
    await page.evaluate(text => navigator.clipboard.writeText(text), printed(directory, 'of somebody else'));
    await press(page, 'Control+v');
    await expect(page.getByLabel('Account', { exact: true })).toHaveValue(name);
    await press(page, 'Control+Enter');
    await expect(page.getByText(`does not let ${name} in`)).toBeVisible();
    await page.getByLabel('Password of the account').focus();
    await press(page, 'Control+a');
    await typeText(page, password);
    await page.getByLabel('Labels').focus();
    await typeText(page, 'env=office\n');
    await expect(page.getByRole('heading', { name: 'example.com is read' })).toBeVisible();
    await expect(page.getByText(`Desktops are there: ${found}.`)).toBeVisible();
    await button(page, 'Next').press('Enter');
    await button(page, 'Browse desktops').press('Enter');

    const row = page.getByRole('row', { name: new RegExp(found) });
    await expect(row).toContainText('ldap/os: Windows 11');
    await run(page, `desktop alice@${found}`);
    // Nobody is there: what it is, and what was tried.
    await expect(page.getByRole('alert').filter({ hasText: `${found}:3389 cannot be reached` })).toBeVisible();
  } finally {
    await directory.dispose();
    await gateway.dispose();
  }
});

test('a database of RDS goes from its tile over the account and its list to a trial, which says what is missing', async ({
  page,
}) => {
  const { aws, gateway } = await openAws();
  try {
    await enter(page, gateway);
    await tile(page, 'rds postgres');
    await enrollAccount(page);
    await tile(page, 'rds postgres');
    await expect(page.getByLabel('Integration')).toBeFocused();
    await press(page, 'Tab');
    await typeText(page, 'nowhere\n');
    await expect(page.getByRole('alert').first()).toHaveText('A region of AWS, such as eu-central-1');
    await press(page, 'Control+A');
    await typeText(page, 'eu-central-1\n');
    const found = page.getByRole('row', { name: /^orders postgres/ });
    await expect(found).toContainText('available');
    await expect(found).toBeFocused();
    await press(page, 'Enter');
    await expect(button(page, 'Remove orders')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByText('orders is at orders.x.eu-central-1.rds.amazonaws.com:5432.')).toBeVisible();
    // Its network is not the gateway's: a task in ECS leads there.
    await page.getByLabel('How the gateway reaches it').selectOption({ index: 3 });
    await expect(page.locator('code', { hasText: 'deployservice-iam.sh' })).toContainText('taskRole=postern-task');
    await press(page, 'Control+Enter');
    await expect(page.getByText('The service runs;')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.locator('code', { hasText: 'aws iam put-role-policy --role-name postern' })).toContainText(
      'arn:aws:rds-db:eu-central-1:123456789012:dbuser:db-orders/*',
    );
    await press(page, 'Control+Enter');
    await expect(page.getByRole('heading', { name: 'As whom do you use it?' })).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByRole('heading', { name: 'Test the connection' })).toBeVisible();
    await press(page, 'Control+Enter');
    const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
    await expect(traces.last().getByLabel('Failed')).toBeVisible();
    await button(page, 'Skip').focus();
    await press(page, 'Enter');
    await expect(page.getByRole('heading', { name: 'orders is enrolled' })).toBeVisible();
    await expect(page.getByText('By a password of AWS')).toBeVisible();
  } finally {
    aws.close();
    await gateway.dispose();
  }
});

test('a machine of EC2 goes from its tile over the machines of the account and the line to a shell', async ({
  page,
  sshd,
}) => {
  const { aws, gateway } = await openAws();
  const flags = flagsOf(sshd, 'web-1');
  let text = '';
  try {
    await enter(page, gateway);
    await tile(page, 'cloud instance');
    await enrollAccount(page);
    await tile(page, 'cloud instance');
    await expect(page.getByLabel('Integration')).toBeFocused();
    await press(page, 'Tab');
    await typeText(page, 'eu-central-1\n');
    const found = page.getByRole('row', { name: /^web & more/ });
    await expect(found).toContainText(INSTANCE);
    await expect(found).toBeFocused();
    await press(page, 'Enter');
    await expect(button(page, 'Remove web & more')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByLabel('Labels')).toHaveValue(
      `aws-account=123456789012 aws-region=eu-central-1 aws-instance=${INSTANCE} aws-vpc=vpc-0a1b2c3d`,
    );
    await expect(page.getByLabel('Labels')).toBeFocused();
    await press(page, 'Enter');
    await expect(page.getByText('Waiting for the server to join')).toBeVisible();
    await expect(page.getByText('Paste this into a shell of web & more, by Session Manager')).toBeVisible();
    text = (await line(page).textContent()) ?? '';
    await fromLineToShell(page, text, flags, 'web-1');
    await expect(page.locator('tbody tr', { hasText: 'web-1' })).toContainText(`aws-instance: ${INSTANCE}`);
  } finally {
    if (text !== '') await pasteLine(text, ...flags, '--uninstall');
    aws.close();
    await gateway.dispose();
  }
});

test('an application goes from its tile over its address to a trial that a real server answers', async ({
  page,
  dialled: gateway,
}) => {
  const wiki = createServer((_request, answer) => void answer.end('a wiki')).listen(0, '127.0.0.1');
  await once(wiki, 'listening');
  const file = test.info().outputPath('inside.yaml');
  await writeFile(
    file,
    'kind: role\nversion: v7\nmetadata: { name: inside }\nspec: { options: { reach_loopback: true }, allow: { app_labels: { team: docs } } }\n',
  );
  await gateway.command('resources', 'apply', file);
  const ed = await addPerson(gateway, 'ed', '--roles', 'access,editor,inside');
  try {
    await carry(page, gateway, ed.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    const told: string[] = [];
    page.on('request', request => {
      if (!request.url().endsWith('/v1/webapi/capture')) return;
      const { event, eventData } = request.postDataJSON() as { event: string; eventData?: { stepStatus?: string } };
      told.push(`${event.split('.').at(-1)} ${eventData?.stepStatus?.split('_').at(-1)}`);
    });
    await tile(page, 'web application');
    await expect(page.getByRole('heading', { name: 'Which application?' })).toBeVisible();
    await typeText(page, 'Wiki');
    await press(page, 'Enter');
    await expect(page.getByRole('alert').first()).toContainText('At most 63 lower-case letters');
    await press(page, 'Control+A');
    await typeText(page, 'wiki');
    await press(page, 'Tab', 'Tab');
    await typeText(page, `http://127.0.0.1:${(wiki.address() as AddressInfo).port}`);
    await press(page, 'Tab');
    await typeText(page, 'team=docs\n');
    await expect(page.getByRole('heading', { name: 'Test the connection' })).toBeVisible();
    await press(page, 'Control+Enter');
    const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
    await expect(traces.last().getByLabel('Passed')).toBeVisible();
    await expect(page.getByText('wiki can be used.')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByRole('heading', { name: 'wiki is enrolled' })).toBeVisible();
    await expect(button(page, 'Open wiki')).toBeVisible();
    // The log hears how it went, and nothing of what was typed.
    await expect.poll(() => told).toEqual(['started SUCCESS', 'testConnection SUCCESS', 'completed SUCCESS']);
  } finally {
    wiki.close();
  }
});

test('a VNC desktop goes from its tile over its address to a trial that a real server answers, and to its screen', async ({
  page,
  dialled: gateway,
}) => {
  const vnc = await openVncDesktop();
  try {
    const file = test.info().outputPath('office.yaml');
    await writeFile(
      file,
      'kind: role\nversion: v7\nmetadata: { name: office }\nspec: { options: { reach_loopback: true }, allow: { windows_desktop_labels: { env: office }, windows_desktop_logins: [alice] } }\n',
    );
    await gateway.command('resources', 'apply', file);
    const ed = await addPerson(gateway, 'ed', '--roles', 'access,editor,office');
    await carry(page, gateway, ed.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    await tile(page, 'vnc');
    await expect(page.getByRole('heading', { name: 'Which desktop?' })).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await typeText(page, 'lab');
    await press(page, 'Enter');
    await expect(page.getByRole('alert').first()).toBeVisible();
    await press(page, 'Tab');
    await typeText(page, `127.0.0.1:${vnc.port}`);
    await press(page, 'Tab');
    await typeText(page, 'env=office\n');
    await expect(page.getByRole('heading', { name: 'As whom do you log in?' })).toBeVisible();
    await expect(page.getByText('Logins that your roles give:')).toContainText('alice');
    await page.getByRole('combobox', { name: 'Logins of your own' }).focus();
    await press(page, 'Control+Enter');
    await expect(page.getByRole('heading', { name: 'Test the connection' })).toBeVisible();
    await press(page, 'Control+Enter');
    const traces = page.getByRole('list', { name: 'What was tried' }).getByRole('listitem');
    await expect(traces.last().getByLabel('Passed')).toBeVisible();
    await expect(page.getByText('lab can be used.')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByRole('heading', { name: 'lab is enrolled' })).toBeVisible();
    await button(page, 'Open it as alice').focus();
    await press(page, 'Enter');
    await page.getByRole('textbox', { name: 'Password of the desktop' }).fill(vnc.password);
    await press(page, 'Enter');
    await page.locator('[data-desktop=shown] canvas:focus').waitFor();
    await expect(page.getByText('keys → desktop')).toBeVisible();
    await page.mouse.move(200, 300);
    await typeText(page, 'echo typed-$((6*7)) > proof\n');
    await expect.poll(() => vnc.read('proof')).toBe('typed-42\n');
    await press(page, 'Control+Shift+k');
    await typeText(page, 'disconnect from the desktop');
    await press(page, 'Enter');
    await expect(page.getByText('You have disconnected.')).toBeVisible();
  } finally {
    await vnc.dispose();
  }
});
