// Debian's Firefox, driven over the WebDriver BiDi socket that it opens itself: no driver program and no patched build.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from './sshd.ts';

const START_MS = 30_000;
const UNTIL_MS = 15_000;
const LOOK_EVERY_MS = 50;

export interface FirefoxRig {
  readonly version: string;
  goto(url: string): Promise<void>;
  /** `press('g', 's')`, `press('Control+Shift+k')`: one key press each. */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** The value of an expression in the page; what cannot be written as JSON is undefined. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression in the page is true. Throws with what the page shows when it never is. */
  until(expression: string): Promise<void>;
  /** What the page's console has complained of so far, scripts that threw included. */
  complaints(): readonly string[];
  dispose(): Promise<void>;
}

/** Keys that type nothing, as WebDriver spells them (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const named: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Meta: '\uE03D',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Backspace: '\uE003',
  Space: '\uE00D',
  ArrowDown: '\uE015',
  ArrowUp: '\uE013',
  Home: '\uE011',
  End: '\uE010',
};

/** Nothing that calls home, and terminals drawn as elements, so that a journey can read them. */
const preferences: Readonly<Record<string, string | number | boolean>> = {
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.region.network.url': '',
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,none',
  'toolkit.telemetry.enabled': false,
  'webgl.disabled': true,
};

interface Answer {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string | null };
}

/** Commands and answers over one socket, in the order they come. */
async function connect(url: string, onEvent: (answer: Answer) => void) {
  const socket = new WebSocket(url);
  await new Promise<void>((done, fail) => {
    socket.addEventListener('open', () => done());
    socket.addEventListener('error', () => fail(new Error(`Firefox did not take the connection to ${url}`)));
  });
  const waiting = new Map<number, { done: (result: unknown) => void; fail: (error: Error) => void }>();
  let last = 0;
  socket.addEventListener('message', event => {
    const answer = JSON.parse(String(event.data)) as Answer;
    const asked = answer.id === undefined ? undefined : waiting.get(answer.id);
    if (asked === undefined) return onEvent(answer);
    waiting.delete(answer.id ?? 0);
    if (answer.type === 'success') asked.done(answer.result);
    else asked.fail(new Error(`Firefox refused: ${answer.error} ${answer.message}`));
  });
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.fail(new Error('Firefox closed the connection'));
    waiting.clear();
  });
  return {
    send: (method: string, params: unknown): Promise<unknown> =>
      new Promise((done, fail) => {
        waiting.set(++last, { done, fail });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/** Resolves with the address that Firefox prints once it listens. */
function listening(firefox: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let printed = '';
    const late = setTimeout(() => fail(new Error(`Firefox did not listen in ${START_MS} ms:\n${printed}`)), START_MS);
    firefox.stderr?.on('data', (bytes: Buffer) => {
      if (printed.length < 64 * 1024) printed += bytes.toString();
      const url = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      done(url);
    });
    firefox.once('error', fail);
    firefox.once('exit', code => {
      clearTimeout(late);
      fail(new Error(`Firefox ended with ${code}:\n${printed}`));
    });
  });
}

/** Starts Firefox without a window, with a profile of its own. You must dispose it. Throws when it is missing or does not start. */
export async function openFirefox(): Promise<FirefoxRig> {
  const program = await findProgram('firefox-esr', 'firefox-esr');
  const folder = await mkdtemp(join(tmpdir(), 'postern-firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(folder, 'user.js'), `${lines.join('\n')}\n`);
  const firefox = spawn(
    program,
    ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0', 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
      detached: true,
    },
  );
  const ended = new Promise(done => firefox.once('exit', done));
  /** Firefox is several processes: all of its group end. */
  const stop = (): void => {
    if (firefox.pid === undefined || firefox.exitCode !== null) return;
    try {
      process.kill(-firefox.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  process.once('exit', stop);
  const dispose = async (): Promise<void> => {
    process.off('exit', stop);
    stop();
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    const complained: string[] = [];
    const bidi = await connect(`${await listening(firefox)}/session`, answer => {
      if (answer.method === 'log.entryAdded' && answer.params?.level === 'error')
        complained.push(answer.params.text ?? 'an error without words');
    });
    const session = (await bidi.send('session.new', { capabilities: {} })) as {
      capabilities: { browserVersion: string };
    };
    // The tab it starts with never gets the focus; one that is asked for does.
    const { context } = (await bidi.send('browsingContext.create', { type: 'tab' })) as { context: string };
    await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
    await bidi.send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });

    const keys = (actions: readonly unknown[]) =>
      bidi.send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
    const down = (value: string) => ({ type: 'keyDown', value });
    const up = (value: string) => ({ type: 'keyUp', value });
    async function evaluate(expression: string): Promise<unknown> {
      const answer = (await bidi.send('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      })) as { type: string; result?: { value?: string }; exceptionDetails?: { text: string } };
      if (answer.type !== 'success') throw new Error(`${expression} threw ${answer.exceptionDetails?.text}`);
      return answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value);
    }
    return {
      version: session.capabilities.browserVersion,
      goto: async url => {
        await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
      },
      press: async (...chords) => {
        for (const chord of chords) {
          const parts = chord.split('+').map(part => named[part] ?? part);
          await keys([...parts.map(down), ...parts.reverse().map(up)]);
        }
      },
      type: async text => {
        await keys(
          [...text].flatMap(letter => (letter === '\n' ? ['\uE007'] : [letter])).flatMap(key => [down(key), up(key)]),
        );
      },
      evaluate,
      until: async expression => {
        const late = performance.now() + UNTIL_MS;
        for (;;) {
          // A page that is being left answers with an error: then the next one is asked.
          const seen = await evaluate(expression).catch((error: Error) => error);
          if (seen === true) return;
          if (performance.now() > late) {
            const page = await evaluate('location.href + "\\n" + document.body.innerText').catch(String);
            throw new Error(`never true: ${expression}\nlast: ${seen}\nthe page: ${page}\n${complained.join('\n')}`);
          }
          await wait(LOOK_EVERY_MS);
        }
      },
      complaints: () => complained,
      dispose: async () => {
        bidi.close();
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
