// A web application on a host name of its own: opened by keyboard from the palette, over a real development server that checks its host name
// and reloads over a WebSocket.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { addPerson, carry, expect, run, test } from './rigs/journey.ts';

const page_ = (word: string): string => `export const word = '${word}';\n`;

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
