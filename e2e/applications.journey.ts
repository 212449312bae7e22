// A web application on a host name of its own: opened by keyboard from the palette, over a real development server that checks its host name
// and reloads over a WebSocket. And one that takes people in by SAML: Apache with mod_auth_mellon.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { addPerson, carry, enter, expect, press, run, test, typeText } from './rigs/journey.ts';
import { openMellon } from './rigs/mellon.ts';

const page_ = (word: string): string => `export const word = '${word}';\n`;

// Rule 2.3: launcher links
// Rule 2: root has the main pages, and the app launcher beneath it
test('an application is opened from the palette, reloads by itself, and is left with the console', async ({
  page,
  ownGateway: gateway,
}) => {
  // Not below the folder of results, whose changes the development server does not look at.
  const folder = await mkdtemp(join(tmpdir(), 'postern-wiki-'));
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Wiki</title><main><h1 id="word">none</h1></main><script type="module" src="/main.js"></script></html>',
  );
  await writeFile(
    join(folder, 'main.js'),
    "import { word } from './word.js';\nconst show = text => { document.getElementById('word').textContent = text; };\nshow(word);\nimport.meta.hot.accept('./word.js', next => show(next.word));\n",
  );
  await writeFile(join(folder, 'word.js'), page_('one'));
  const vite = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  });
  try {
    await vite.listen();
    const uri = vite.resolvedUrls?.local[0] ?? '';
    const file = test.info().outputPath('wiki.yaml');
    await writeFile(
      file,
      `kind: role
version: v7
metadata: { name: wiki }
spec:
  options: { reach_loopback: true }
  allow:
    app_labels: { team: docs }
    rules: [{ resources: [ssh_session], verbs: [list] }]
---
kind: app
version: v3
metadata: { name: wiki, labels: { team: docs } }
spec: { uri: "${uri.replace(/\/$/, '')}" }
`,
    );
    await gateway.command('resources', 'apply', file);
    const dora = await addPerson(gateway, 'dora', '--roles', 'access,wiki');
    await carry(page, gateway, dora.cookie);
    await page.goto(`${gateway.url}/web`);
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
    const opened = page.waitForEvent('popup');
    await run(page, 'app wiki');
    const wiki = await opened;
    const listens = wiki.waitForEvent('console', message => message.text().includes('connected'));
    await wiki.getByRole('heading', { name: 'one' }).waitFor();
    await listens;
    expect(new URL(wiki.url()).hostname).toBe('wiki.localhost');
    await writeFile(join(folder, 'word.js'), page_('two'));
    await wiki.getByRole('heading', { name: 'two' }).waitFor();

    // The session is one of the running ones; its host knows nobody once they have left the console.
    await page.goto(`${gateway.url}/web/cluster/${dora.cluster}/sessions`);
    await page.getByRole('row').filter({ hasText: 'wiki' }).waitFor();
    await fetch(`${gateway.url}/v1/webapi/sessions/web`, {
      method: 'DELETE',
      headers: { cookie: dora.cookie, authorization: `Bearer ${dora.bearer}` },
    });
    await wiki.reload();
    await wiki.getByRole('button', { name: 'Sign in' }).waitFor();
    await wiki.close();
  } finally {
    await vite.close();
    await rm(folder, { recursive: true });
  }
});

test('the AWS console asks which role of AWS, and the one that is taken is asked for at its host', async ({
  page,
  ownGateway: gateway,
}) => {
  const file = test.info().outputPath('aws.yaml');
  const role = (name: string): string => `arn:aws:iam::123456789012:role/team/${name}`;
  await writeFile(
    file,
    `kind: role
version: v7
metadata: { name: cloud }
spec: { allow: { app_labels: { team: cloud }, aws_role_arns: ['${role('Admin')}', '${role('ReadOnly')}'] } }
---
kind: app
version: v3
metadata: { name: aws, labels: { team: cloud } }
spec: { uri: 'https://console.aws.amazon.com/ec2/home' }
`,
  );
  await gateway.command('resources', 'apply', file);
  const rosa = await addPerson(gateway, 'rosa', '--roles', 'cloud');
  await carry(page, gateway, rosa.cookie);
  await page.goto(`${gateway.url}/web/launch/aws.localhost`);
  await expect(page.getByRole('button', { name: 'Admin' })).toBeFocused();
  await press(page, 'ArrowDown');
  await expect(page.getByRole('button', { name: 'ReadOnly' })).toBeFocused();
  const [asked] = await Promise.all([
    page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/sessions/app')),
    press(page, 'Enter'),
  ]);
  expect(asked.postDataJSON()).toMatchObject({ fqdn: 'aws.localhost', arn: role('ReadOnly') });
  // This gateway has no credentials of AWS: its page there says so.
  await page.waitForURL(/^http:\/\/aws\.localhost:\d+\//);
  await expect(page.getByText(/AWS does not let the gateway act as .*team\/ReadOnly/)).toBeVisible({ timeout: 30_000 });
});

test('the API of a cloud is connected to by the lines of a dialog, which names whom the person may be', async ({
  page,
  ownGateway: gateway,
}) => {
  const file = test.info().outputPath('cloud.yaml');
  const accounts = ['admin', 'reader'].map(name => `${name}@acme.iam.gserviceaccount.com`);
  await writeFile(
    file,
    `kind: role
version: v7
metadata: { name: cloud }
spec: { allow: { app_labels: { team: cloud }, gcp_service_accounts: ${JSON.stringify(accounts)} } }
---
kind: app
version: v3
metadata: { name: google, labels: { team: cloud } }
spec: { uri: 'cloud://GCP' }
`,
  );
  await gateway.command('resources', 'apply', file);
  const rosa = await addPerson(gateway, 'rosa', '--roles', 'cloud');
  await carry(page, gateway, rosa.cookie);
  await page.goto(`${gateway.url}/web`);
  await page.getByRole('heading', { name: 'Servers', exact: true }).waitFor();
  await run(page, 'Connect to an application with a client', 'google');
  const account = page.getByRole('combobox', { name: 'Service account' });
  await expect(account).toHaveValue('admin@acme.iam.gserviceaccount.com');
  await account.focus();
  await press(page, 'ControlOrMeta+a');
  await typeText(page, 'reader@acme.iam.gserviceaccount.com');
  await expect(
    page.getByText('postern proxy app google --gcp-service-account reader@acme.iam.gserviceaccount.com --port 8400'),
  ).toBeVisible();
  await expect(page.getByText("curl 'http://127.0.0.1:8400/storage.googleapis.com/")).toBeVisible();
});

test('an application that takes SAML is added by keyboard, and takes a browser in from its own page and from the palette', async ({
  page,
  ownGateway: gateway,
}) => {
  const metadata = await (await fetch(`${gateway.url}/enterprise/saml-idp/metadata`)).text();
  const mellon = await openMellon(metadata);
  try {
    await enter(page, gateway);
    await run(page, 'Add an application that takes SAML');
    const dialog = page.getByRole('dialog', { name: 'Add an application that takes SAML' });
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await typeText(page, 'Inside Out');
    await press(page, 'Tab');
    await typeText(page, mellon.page);
    await press(page, 'Tab');
    // As it is pasted.
    await page.keyboard.insertText(mellon.metadata);
    await expect(dialog.getByLabel('Entity ID')).toBeDisabled();
    await press(page, 'Tab');
    await typeText(page, 'roles: user.roles');
    await press(page, 'Tab');
    await typeText(page, mellon.page);
    await press(page, 'Tab');
    await typeText(page, 'team=docs');
    await press(page, 'Control+Enter');
    // What is wrong is said at its field, which has the keys.
    const name = dialog.getByLabel('Name');
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await press(page, 'Control+a');
    await typeText(page, 'inside');
    await expect(name).toHaveValue('inside');
    await press(page, 'Control+Enter');
    await expect(dialog.or(page.getByText('inside has been saved')).first()).toHaveText('inside has been saved');
    await expect(dialog).toBeHidden();
    const row = page.getByRole('row', { name: /^inside/ });
    await expect(row).toContainText('docs');

    // Changed, with what was written before it in the form.
    await run(page, 'Change an application that takes SAML', 'inside');
    const change = page.getByRole('dialog', { name: 'How inside takes SAML' });
    await expect(change.getByLabel('What it is told of a person')).toHaveValue('roles: user.roles');
    await change.getByLabel('Labels').fill('team=docs env=test');
    await press(page, 'Control+Enter');
    await expect(row).toContainText('test');

    // From the palette, and then from its own page, in a browser that it does not know.
    const opened = page.waitForEvent('popup');
    await run(page, 'app inside');
    const there = await opened;
    await there.getByRole('heading', { name: 'Inside' }).waitFor();
    await expect(there.locator('#who')).toHaveText('admin');
    await expect(there.locator('#roles')).toHaveText('access');
    await there.close();
    const own = page.context().pages().length;
    const [known] = await page.context().cookies(mellon.page);
    expect(known).toBeDefined();
    await page.context().clearCookies({ domain: '127.0.0.1' });
    await page.goto(mellon.page);
    await page.getByRole('heading', { name: 'Inside' }).waitFor();
    expect(page.url()).toBe(mellon.page);
    await expect(page.locator('#who')).toHaveText('admin');
    expect(page.context().pages().length).toBe(own);

    await page.goto(`${gateway.url}/web`);
    await press(page, 'g', 'l');
    await expect(page.getByText(/signed in to .*inside|inside/i).first()).toBeVisible();
  } finally {
    await mellon.close();
  }
});
