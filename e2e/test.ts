// `npm test`: everything that must hold before a change lands, cheapest first. Installs what the tests need beyond npm when it may.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { browserPath } from './rigs/browser.ts';
import { apiServerProgram, cachedApiServer } from './rigs/kubernetes.ts';

/** What the tests use beyond npm: Debian package -> how to see that it is there. */
const needed: Readonly<Record<string, () => boolean>> = {
  'chromium-headless-shell': () => browserPath !== '',
  'firefox-esr': () => spawnSync('sh', ['-c', 'command -v firefox-esr']).status === 0,
  'openssh-server': () => existsSync('/usr/sbin/sshd'),
  'openssh-client': () => spawnSync('sh', ['-c', 'command -v ssh-keygen']).status === 0,
  rsync: () => existsSync('/usr/bin/rsync'),
  oathtool: () => spawnSync('sh', ['-c', 'command -v oathtool']).status === 0,
  // A SAML identity provider, and what it runs on.
  simplesamlphp: () => existsSync('/usr/share/simplesamlphp/www'),
  'php-cli': () => existsSync('/usr/bin/php'),
  'php-xml': () => spawnSync('php', ['-r', "exit((int) !class_exists('DOMDocument'));"]).status === 0,
  'php-mbstring': () => spawnSync('php', ['-r', "exit((int) !function_exists('mb_substr'));"]).status === 0,
  // A service provider of SAML.
  apache2: () => existsSync('/usr/sbin/apache2'),
  'libapache2-mod-auth-mellon': () => existsSync('/usr/lib/apache2/modules/mod_auth_mellon.so'),
  postgresql: () => spawnSync('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/initdb']).status === 0,
  'mariadb-server-core': () => existsSync('/usr/sbin/mariadbd'),
  'mariadb-client-core': () => existsSync('/usr/bin/mariadb'),
  xrdp: () => existsSync('/usr/sbin/xrdp'),
  xorgxrdp: () => existsSync('/usr/lib/xorg/modules/drivers/xrdpdev_drv.so'),
  'tigervnc-standalone-server': () => existsSync('/usr/bin/Xtigervnc'),
  xterm: () => existsSync('/usr/bin/xterm'),
  xauth: () => existsSync('/usr/bin/xauth'),
  sudo: () => existsSync('/usr/bin/sudo'),
  'x11-utils': () => existsSync('/usr/bin/xdpyinfo'),
  imagemagick: () => existsSync('/usr/bin/import'),
  'freerdp2-shadow-x11': () => existsSync('/usr/bin/freerdp-shadow-cli'),
  // A directory whose computers are desktops, and what changes it.
  slapd: () => existsSync('/usr/sbin/slapd'),
  'ldap-utils': () => existsSync('/usr/bin/ldapadd'),
  // What an API server keeps its cluster in.
  'etcd-server': () => spawnSync('sh', ['-c', 'command -v etcd']).status === 0,
  'kubernetes-client': () => spawnSync('sh', ['-c', 'command -v kubectl']).status === 0,
  'redis-server': () => spawnSync('sh', ['-c', 'command -v redis-server && command -v redis-cli']).status === 0,
};

/** The API server of a cluster, packed with xz, is unpacked once; without one, what needs a real cluster is left out. */
function prepareApiServer(): void {
  const packed = process.env.POSTERN_TEST_KUBE_APISERVER;
  // Gateways refuse settings that they do not know.
  delete process.env.POSTERN_TEST_KUBE_APISERVER;
  if (packed !== undefined && !existsSync(cachedApiServer)) {
    mkdirSync(dirname(cachedApiServer), { recursive: true });
    const unpack = 'xz -dc "$1" > "$2.part" && chmod 755 "$2.part" && mv "$2.part" "$2"';
    spawnSync('sh', ['-c', unpack, 'sh', packed, cachedApiServer], { stdio: ['ignore', 'inherit', 'inherit'] });
  }
  if (apiServerProgram() === null)
    console.log(
      'No kube-apiserver is here: POSTERN_TEST_KUBE_APISERVER may name one, packed with xz. Its tests are left out.',
    );
}

function prepare(): void {
  const missing = Object.keys(needed).filter(name => !needed[name]?.());
  if (missing.length === 0) return;
  const debian =
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (process.getuid?.() !== 0 || !debian) {
    console.error(
      `The tests need ${missing.join(', ')}. On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${missing.join(' ')}`,
    );
    process.exit(1);
  }
  console.log(`Installing what the tests need: ${missing.join(', ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) =>
    spawnSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }).status === 0;
  if (!apt('update', '-qq') || !apt('install', '-y', '-qq', '--no-install-recommends', ...missing)) {
    console.error(`apt-get could not install ${missing.join(', ')}`);
    process.exit(1);
  }
}

/** Cheapest first. */
const steps = ['types', 'lint', 'dead', 'unit', 'build', 'journeys'] as const;
type Step = (typeof steps)[number];
const isStep = (word: string): word is Step => steps.some(step => step === word);

const results = resolve(import.meta.dirname, '../test-results');
const report = { unit: join(results, 'unit.json'), journeys: join(results, 'journeys.json') };
const SLOWEST = 10;

/** Runs one npm script, its output shown as it comes and kept for counting. */
function run(step: string, words: readonly string[]): Promise<{ status: number; output: string }> {
  return new Promise(done => {
    const child = spawn('npm', ['run', '--silent', step, '--', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      process.stdout.write(bytes);
      output += bytes.toString();
    });
    child.on('close', status => done({ status: status ?? 1, output }));
  });
}

const plain = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, '');
/** How many tests a runner's closing lines count: Vitest's `Tests  3 failed | 40 passed`, Playwright's `4 passed (1.2m)`. */
function count(output: string, word: 'passed' | 'failed'): number {
  const lines = plain(output)
    .split('\n')
    .filter(line => /^\s*Tests\s|^\s*\d+ (passed|failed)\b/.test(line));
  return lines.reduce((sum, line) => sum + Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0), 0);
}

/** What the two runners write of a run, as far as it is read here. */
interface UnitReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[];
  }[];
}
interface JourneySuite {
  readonly suites?: readonly JourneySuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly title: string;
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[];
  }[];
}
interface Timed {
  readonly name: string;
  readonly ms: number;
}
function timesOfUnits({ testResults }: UnitReport): Timed[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(one => ({ name: `${basename(name)}: ${one.fullName}`, ms: one.duration ?? 0 })),
  );
}
function timesOfJourneys({ suites = [], specs = [] }: JourneySuite): Timed[] {
  return [
    ...suites.flatMap(timesOfJourneys),
    ...specs.map(({ file, title, tests }) => ({
      name: `${file}: ${title}`,
      ms: tests.flatMap(one => one.results).reduce((sum, one) => sum + one.duration, 0),
    })),
  ];
}
/** What a run would gain most from being quicker. */
function printSlowest(): void {
  const read = <Report>(file: string): Report | null =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
  const units = read<UnitReport>(report.unit);
  const journeys = read<JourneySuite>(report.journeys);
  const slowest = [
    ...(units === null ? [] : timesOfUnits(units)),
    ...(journeys === null ? [] : timesOfJourneys(journeys)),
  ]
    .sort((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST);
  if (slowest.length > 0) console.log('The slowest:');
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
}

prepare();
prepareApiServer();
rmSync(results, { recursive: true, force: true });
const words = process.argv.slice(2);
const wanted = words.filter(isStep);
/** Part of the paths of the tests that are run, as in `npm test -- terminal`. */
const areas = words.filter(word => !isStep(word));
const wordsOf: Readonly<Partial<Record<Step, readonly string[]>>> = {
  unit: ['--reporter=default', '--reporter=json', `--outputFile.json=${report.unit}`, '--passWithNoTests', ...areas],
  journeys: ['--pass-with-no-tests', ...areas],
};
let passed = 0;
let failed = 0;
for (const step of steps.filter(name => wanted.length === 0 || wanted.includes(name))) {
  const began = performance.now();
  const { status, output } = await run(step, wordsOf[step] ?? []);
  passed += count(output, 'passed');
  failed += count(output, 'failed');
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${step}  ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (status !== 0) {
    console.log(`${passed} passed, ${Math.max(1, failed)} failed`);
    process.exit(1);
  }
}
printSlowest();
console.log(`${passed} passed, ${failed} failed`);
