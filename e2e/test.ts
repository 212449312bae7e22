// `npm test`: everything that must hold before a change lands, cheapest first. Installs what the tests need beyond npm when it may.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What the tests use beyond npm: Debian package -> how to see that it is there. */
const needed: Readonly<Record<string, () => boolean>> = {
  chromium: () =>
    process.env.POSTERN_CHROMIUM !== undefined ||
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(existsSync),
  'firefox-esr': () => spawnSync('sh', ['-c', 'command -v firefox-esr']).status === 0,
  'openssh-server': () => existsSync('/usr/sbin/sshd'),
  'openssh-client': () => spawnSync('sh', ['-c', 'command -v ssh-keygen']).status === 0,
  postgresql: () => spawnSync('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/initdb']).status === 0,
};

function prepare(): void {
  const missing = Object.keys(needed).filter(name => !needed[name]?.());
  if (missing.length === 0) return;
  const debian =
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (process.getuid?.() !== 0 || !debian) {
    console.error(
      `The tests need ${missing.join(', ')}. On Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}`,
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

const steps = ['types', 'lint', 'dead', 'unit', 'build', 'journeys'] as const;

/** Runs one npm script, its output shown as it comes and kept for counting. */
function run(step: string): Promise<{ status: number; output: string }> {
  return new Promise(resolve => {
    const child = spawn('npm', ['run', '--silent', step], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      process.stdout.write(bytes);
      output += bytes.toString();
    });
    child.on('close', status => resolve({ status: status ?? 1, output }));
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

prepare();
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const step of steps.filter(name => wanted.length === 0 || wanted.includes(name))) {
  const began = performance.now();
  const { status, output } = await run(step);
  passed += count(output, 'passed');
  failed += count(output, 'failed');
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${step}  ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (status !== 0) {
    console.log(`${passed} passed, ${Math.max(1, failed)} failed`);
    process.exit(1);
  }
}
console.log(`${passed} passed, ${failed} failed`);
