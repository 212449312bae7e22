// The manual is true: its commands run against a real gateway and a real sshd, its YAML is taken, its links lead somewhere.
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { openSshd, type SshdRig } from '../../e2e/rigs/sshd.ts';
import { frameTypes } from '../contract/envelope.ts';
import { failures } from '../contract/failure.ts';
import { CSRF_COOKIE } from '../contract/session.ts';
import { closeCodes } from '../contract/terminal.ts';
import { manualLinks } from '../features/manual.ts';
import { readConfiguration } from '../gateway/services/configuration/configuration.ts';
import { anchorOf } from './anchors.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const here = import.meta.dirname;
const root = resolve(here, '../..');
const PASSWORD = 'correct horse battery';

interface Block {
  readonly language: string;
  readonly text: string;
}
const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
/** `# NAME.yaml` in the first line names the file that the commands of the chapter speak of. */
const fileOf = ({ text }: Block): string => /^# (\S+\.yaml)\n/.exec(text)?.[1] ?? '';
/** Resources, rather than settings of the gateway. */
const isResources = ({ text }: Block): boolean => /^kind: /m.test(text);

const names = (await readdir(here)).filter(name => name.endsWith('.md'));
const chapters = new Map(
  await Promise.all(names.map(async name => [name, await readFile(join(here, name), 'utf8')] as const)),
);
const of = (language: string) =>
  [...chapters].flatMap(([name, text]) =>
    blocksOf(text).flatMap(block => (block.language === language ? [{ name, block }] : [])),
  );

/** Makes the first administrator by the link that the gateway printed. The page may not be built: cookie and header need only be the same. */
async function choosePassword(gateway: GatewayRig): Promise<void> {
  const csrf = 'c'.repeat(64);
  const answer = await fetch(`${gateway.url}/v1/webapi/users/password/token`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', cookie: `${CSRF_COOKIE}=${csrf}`, 'x-csrf-token': csrf },
    body: JSON.stringify({
      token: gateway.invite().split('/').at(-1),
      password: Buffer.from(PASSWORD).toString('base64'),
    }),
  });
  expect(answer.status).toBe(200);
}

test('index.md lists every chapter once, and no other', () => {
  const listed = [...(chapters.get('index.md') ?? '').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(names.filter(name => name !== 'index.md').toSorted());
});

test('every line of the security checks names a test that is there', async () => {
  const lines = [...(chapters.get('asvs.md') ?? '').matchAll(/\| `([\w/.-]+\.test\.ts)`: (.+) \|$/gm)];
  const lost = await Promise.all(
    lines.map(async ([, file = '', title = '']) => {
      const text = await readFile(join(root, 'src', file), 'utf8').catch(() => '');
      return ["'", '"', '`'].some(quote => text.includes(`${quote}${title}${quote}`)) ? [] : [`${file}: ${title}`];
    }),
  );
  expect(lost.flat()).toEqual([]);
  expect(lines.length).toBeGreaterThan(50);
});

const headings = (name: string) =>
  new Set([...(chapters.get(name) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title)));

test.each(Object.entries(manualLinks))("the console's link %s leads to a heading", (_id, { chapter, section }) => {
  expect([...headings(`${chapter}.md`)]).toContain(section);
});

test('every link leads to a chapter and a heading of it', () => {
  const broken = [...chapters].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, to = '']) => {
      const [file = '', anchor] = to.split('#');
      const target = file === '' ? name : file;
      return chapters.has(target) && (anchor === undefined || headings(target).has(anchor)) ? [] : [`${name}: ${to}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('the chapter on the wire has a row for every status of a failure, every type of frame and every close code', () => {
  const wire = chapters.get('web-api.md') ?? '';
  const rows = [...wire.matchAll(/^\| (`?[^|]+?`?) \|/gm)].map(([, first = '']) => first);
  const statuses = Object.values(failures).flatMap(({ status }) => (status === 0 ? [] : [String(status)]));
  expect(statuses.filter(status => !rows.includes(status))).toEqual([]);
  const types = rows.flatMap(row => [...row.matchAll(/`(\w)`/g)].map(([, type]) => type));
  expect(types.toSorted()).toEqual(Object.values(frameTypes).toSorted());
  const [closing = ''] = /^Close codes: .*$/m.exec(wire) ?? [];
  expect([...new Set(closing.match(/\b1\d{3}\b/g))].map(Number).toSorted()).toEqual(
    Object.values(closeCodes).toSorted(),
  );
});

test('paths of files that chapters name are there', async () => {
  const named = [...chapters].flatMap(([name, text]) =>
    [...text.matchAll(/`((?:src|commands|e2e)\/[\w./-]+)`/g)].map(([, path = '']) => [name, path] as const),
  );
  const missing = named.filter(([, path]) => spawnSync('test', ['-e', join(root, path)]).status !== 0);
  expect(missing).toEqual([]);
});

test.each(of('yaml').filter(({ block }) => !isResources(block)))('$name: the settings are taken', async ({ block }) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-manual-'));
  try {
    const openssl = [
      'req',
      '-x509',
      '-newkey',
      'ed25519',
      '-nodes',
      '-subj',
      '/CN=x',
      '-keyout',
      'key',
      '-out',
      'cert',
    ];
    expect(spawnSync('openssl', openssl, { cwd: folder }).status).toBe(0);
    const [cert, key] = await Promise.all(['cert', 'key'].map(name => readFile(join(folder, name), 'utf8')));
    const files: Readonly<Record<string, string | undefined>> = {
      'settings.yaml': block.text,
      '/etc/postern/fullchain.pem': cert,
      '/etc/postern/privkey.pem': key,
      '/etc/postern/billing.key': 'key',
    };
    const read = () =>
      readConfiguration({
        argv: ['--config', 'settings.yaml'],
        env: {},
        readFile: path => files[path] ?? null,
        home: folder,
        hostname: 'box',
      });
    expect(read).not.toThrow();
    expect(parse(block.text)).toBeTypeOf('object');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe('commands', () => {
  let gateway: GatewayRig;
  let sshd: SshdRig;
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'postern-manual-'));
    gateway = await openGateway({ flags: ['--audit-anchor', join(home, 'anchors.ndjson')] });
    sshd = await openSshd({ trustedUserCa: (await gateway.command('ca', 'export')).trim() });
    await choosePassword(gateway);
    await mkdir(join(home, 'bin'));
    await symlink(join(root, 'src/cli/postern.mjs'), join(home, 'bin/postern'));
    await symlink(process.execPath, join(home, 'bin/node'));
    await writeFile(join(home, 'password'), `${PASSWORD}\n`);
    await chmod(join(home, 'password'), 0o600);
  });
  afterAll(async () => {
    await gateway.dispose();
    await sshd.dispose();
    await rm(home, { recursive: true, force: true });
  });

  /** The line as it is on this machine: its gateway, its sshd, and what a person would be asked. */
  const here = (line: string): string =>
    line
      .replace('https://postern.example.com --user ann', `${gateway.url} --user admin --password-file ${home}/password`)
      .replace(/\b(db-\d)\.example\.com:22/, `${sshd.host}:${sshd.port}`)
      .replace(/SHA256:\S+/, sshd.fingerprint)
      .replace('/mnt/elsewhere', home)
      .replace(/^(postern servers add .*)$/, (all: string) => (/--fingerprint|--help/.test(all) ? all : `${all} --yes`))
      .replace('root@db-3', `root@${hostname()}`);

  /** Runs as a person's shell would, with the gateway's own folder as what this machine's gateway is. */
  function run(line: string, folder: string): Promise<{ readonly status: number | null; readonly said: string }> {
    return new Promise((done, fail) => {
      const env = {
        PATH: `${join(home, 'bin')}:${process.env.PATH}`,
        HOME: home,
        XDG_RUNTIME_DIR: gateway.folder,
        POSTERN_DATA: gateway.folder,
      };
      const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => {
          said += bytes.toString();
        });
      child.once('error', fail);
      child.once('close', status => done({ status, said }));
    });
  }

  /** What a line ends with that does not end with 0 here, and what it says then. */
  const others: readonly (readonly [RegExp, number, string])[] = [
    [/^postern ssh /, 1, 'a shell needs a terminal'],
    [/^postern certificates sign /, 1, 'you are not signed in'],
    [/^postern passwords accept no/, 1, 'without a connector nobody could sign in'],
    [/^postern recordings verify 0/, 1, 'there is no recording'],
  ];

  test.each(names.filter(name => of('sh').some(one => one.name === name)))('%s', async name => {
    const folder = await mkdtemp(join(home, 'chapter-'));
    await rm(join(home, '.config'), { recursive: true, force: true });
    for (const block of blocksOf(chapters.get(name) ?? '')) {
      if (block.language === 'yaml' && isResources(block)) {
        const file = fileOf(block) || 'unnamed.yaml';
        await writeFile(join(folder, file), block.text);
        expect(await run(`postern resources apply ${file} --dry-run --local`, folder), file).toMatchObject({
          status: 0,
        });
      }
      if (block.language !== 'sh') continue;
      for (const line of block.text.split('\n').filter(text => text !== '')) {
        expect(line, 'every line is a command of ours').toMatch(/^postern /);
        const [, status, text] = others.find(([pattern]) => pattern.test(line)) ?? [null, 0, ''];
        const ran = await run(here(line), folder);
        expect(ran, line).toMatchObject({ status });
        expect(ran.said, line).toContain(text);
      }
    }
  });

  test('every verb that a text names is there', async () => {
    const { said } = await run('postern --help', home);
    const known = new Set(
      [...said.matchAll(/^[* ] (\S+)(?: (\S+))?/gm)].flatMap(([, one, two]) => [one, `${one} ${two}`]),
    );
    const spoken = [...chapters].flatMap(([name, text]) =>
      [...text.matchAll(/(?:`|^|\()postern ([a-z][a-z-]*(?: [a-z-]+)?)/gm)].map(
        ([, verb = '']) => [name, verb] as const,
      ),
    );
    expect(spoken.filter(([, verb]) => !known.has(verb) && !known.has(verb.split(' ')[0]))).toEqual([]);
  });
});
