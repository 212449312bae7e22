// Small answers of a web application through the gateway, beside the same application asked directly.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import { median, percentile, type Row } from './row.ts';

const CONNECTIONS = 16;
const ROUND_MS = 3000;
/** Of each kind, one after the other: what else a machine does meanwhile falls on both. */
const ROUNDS = 3;
const HOST = 'hello.localhost';
const APPLICATION = `require('node:http').createServer((asked, answer) => {
  answer.setHeader('content-type', 'text/plain');
  answer.end('hello');
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

interface Measured {
  readonly perSecond: number;
  /** Of each request, ms. */
  readonly waits: readonly number[];
}

/** As many requests as go through in a round. Throws for an answer that is not the application's. */
async function ask(origin: string, headers: Readonly<Record<string, string>>): Promise<Measured> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const waits: number[] = [];
  const began = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - began < ROUND_MS) {
      const from = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/', headers });
      const text = await body.text();
      if (statusCode !== 200 || text !== 'hello') throw new Error(`${statusCode} ${text}`);
      waits.push(performance.now() - from);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    return { perSecond: waits.length / ((performance.now() - began) / 1000), waits };
  } finally {
    await pool.destroy();
  }
}

/** Cookies of a session in the application, as the wire gives them to a console. */
async function enter({ call }: WireClient): Promise<string> {
  const given = (await call('POST', 'sessions/app', { fqdn: HOST })) as Record<string, string>;
  const { cookie_value, subject_cookie_value } = given;
  return `__Host-postern-app-session=${cookie_value}; __Host-postern-app-subject=${subject_cookie_value}`;
}

/** Rows of the speed table about web applications. */
export async function benchApplications(): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const application = spawn(process.execPath, ['-e', APPLICATION], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(application.stdout, 'data')) as [Buffer];
    const uri = `http://127.0.0.1:${String(port).trim()}`;
    const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    const file = join(gateway.folder, 'hello.yaml');
    const documents = [
      `kind: app\nversion: v3\nmetadata: { name: hello, labels: { team: bench } }\nspec: { uri: '${uri}' }\n`,
      'kind: role\nversion: v7\nmetadata: { name: bench }\nspec: { options: { reach_loopback: true }, allow: { app_labels: { team: bench } } }\n',
      `kind: user\nversion: v2\nmetadata: { name: ${user} }\nspec: { roles: [access, editor, bench] }\n`,
    ];
    await writeFile(file, documents.join('---\n'));
    await gateway.command('resources', 'apply', file);
    const cookie = await enter(await signIn(gateway.url, user, PASSWORD));
    const direct: Measured[] = [];
    const through: Measured[] = [];
    // The first of each is not counted: code is compiled and connections are opened in it.
    for (let round = 0; round <= ROUNDS; round++) {
      direct.push(await ask(uri, {}));
      through.push(await ask(gateway.directUrl, { host: HOST, cookie }));
    }
    const [near, far] = [direct, through].map(all => ({
      perSecond: median(all.slice(1).map(({ perSecond }) => perSecond)),
      p50: percentile(
        all.slice(1).flatMap(({ waits }) => waits),
        50,
      ),
    }));
    if (!near || !far) throw new Error('nothing was measured');
    return [
      {
        what: `small answers of an application through the gateway, ${CONNECTIONS} connections, recorded`,
        target: '≥ 12 000/s or 0.4 ×',
        measured: `${Math.round(far.perSecond)}/s (${(far.perSecond / near.perSecond).toFixed(2)} ×), p50 ${far.p50.toFixed(2)} ms`,
        reference: `direct: ${Math.round(near.perSecond)}/s, p50 ${near.p50.toFixed(2)} ms`,
      },
    ];
  } finally {
    application.kill();
    await gateway.dispose();
  }
}
