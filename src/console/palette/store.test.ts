import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Facts, Thing } from '../../../commands/command.ts';
import { NO_LOGIN } from '../../../commands/gates.ts';
import { commandById } from '../../../commands/index.ts';
import { factsWith } from '../../../commands/tools.testing.ts';
import { ApiError } from '../../contract/failure.ts';
import { search } from '../../contract/search.ts';
import { person } from '../../features/person.testing.ts';
import { withSelection } from './run.ts';
import { endPauses, forgetWaiting, gateway, hosts, nodeOf, paletteWith, settle } from './store.testing.ts';

beforeEach(forgetWaiting);

test("a command's whole title means that command, though another could read it as its line", async () => {
  const { palette, open, titles } = paletteWith({ facts: factsWith({ feature: 'player' }) });
  open();
  await settle();
  palette.type('>Play slower');
  expect(titles()[0]).toBe('Play slower');
});

describe('to a shell', () => {
  test('open, two letters, Enter, Enter', async () => {
    const { palette, open, done, titles } = paletteWith();
    open();
    await settle();
    palette.type('w');
    palette.type('we');
    expect(titles()[0]).toBe('web-1');
    palette.choose();
    await settle();
    expect(palette.state.prompt).toBe('Login');
    expect(titles()).toEqual(['root', 'ada']);
    palette.choose();
    expect(done).toEqual(['open {"serverId":"id-web-1","hostname":"web-1","login":"root"}']);
    expect(palette.state.open).toBe(false);
  });

  test('with exactly one login, Enter goes straight', async () => {
    const { palette, open, done } = paletteWith({ reply: made => gateway(made, [nodeOf('db-3', ['deploy'])]) });
    open();
    await settle();
    palette.type('db');
    palette.choose();
    await settle();
    expect(done).toEqual(['open {"serverId":"id-db-3","hostname":"db-3","login":"deploy"}']);
  });

  test('the login last used on this server comes first, and only on this one', async () => {
    const { palette, open, titles } = paletteWith({ recent: ['answer shell.open login id-web-1 ada'] });
    open();
    await settle();
    palette.type('web-1');
    palette.choose();
    await settle();
    expect(titles()).toEqual(['ada', 'root']);
    palette.close();
    open();
    palette.type('web-2');
    palette.choose();
    await settle();
    expect(titles()).toEqual(['root', 'ada']);
  });

  test('typed whole it runs with one Enter, also before the gateway has answered anything', async () => {
    const { palette, open, done } = paletteWith();
    open();
    palette.type('ssh root@db-3');
    expect(palette.state.rows[0]?.title).toBe('Open a shell: db-3, root');
    palette.choose();
    await settle();
    expect(done).toEqual(['open {"serverId":"id-db-3","hostname":"db-3","login":"root"}']);
  });

  test('a host that is not exactly one server is asked for, with what was typed', async () => {
    const { palette, open, done, titles } = paletteWith();
    open();
    palette.type('ssh root@db');
    palette.choose();
    await settle();
    expect(palette.state.typed).toBe('db');
    expect(titles()).toEqual(['db-1', 'db-3', 'db-30']);
    palette.choose();
    await settle();
    expect(done).toEqual(['open {"serverId":"id-db-1","hostname":"db-1","login":"root"}']);
  });

  test('after "ssh " the servers are there to pick', async () => {
    const { open, titles } = paletteWith();
    open('ssh ');
    await settle();
    expect(titles()).toEqual(['Open a shell…', ...hosts]);
  });

  test('Enter before anything is on screen waits for the first row', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('db-30');
    expect(palette.state.rows).toEqual([]);
    palette.choose();
    await settle();
    expect(palette.state.prompt).toBe('Login');
    expect(palette.state.chips).toEqual([{ name: 'server', title: 'db-30' }]);
  });

  test('two such Enters take the server and its first login', async () => {
    const { palette, open, done, pressed } = paletteWith();
    open();
    palette.type('db-30');
    pressed('Enter', 'Enter');
    await settle();
    expect(done).toEqual(['open {"serverId":"id-db-30","hostname":"db-30","login":"root"}']);
  });

  test('typing on after such an Enter calls it off', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('db-3');
    palette.choose();
    palette.type('db-30');
    await settle();
    expect(palette.state.prompt).toBe('');
  });
});

describe('finding', () => {
  test('before anything is typed there are commands, and of things only those used lately', async () => {
    const { palette, open, titles } = paletteWith({ recent: ['server id-db-3', 'command goto.audit'] });
    open();
    expect(titles()[0]).toBe('Go to Audit Log');
    expect(palette.state.cursor).toBe('');
    await settle();
    expect(titles().slice(0, 2)).toEqual(['db-3', 'Go to Audit Log']);
    expect(palette.state.cursor).toBe('server id-db-3');
    expect(titles()).not.toContain('web-1');
  });

  test('servers, sessions, recordings, people and roles are found beside commands', async () => {
    const { palette, open } = paletteWith();
    open();
    const kindsFor = async (typed: string) => {
      palette.type(typed);
      await settle();
      return palette.state.rows.map(row => `${row.icon} ${row.title}`);
    };
    expect(await kindsFor('web-')).toEqual(
      expect.arrayContaining(['server web-1', 'session root@web-1', 'recording web-2']),
    );
    expect(await kindsFor('bob')).toContain('user bob');
    expect(await kindsFor('access')).toEqual(expect.arrayContaining(['role access']));
    expect(await kindsFor('audit')).toContain('do go Go to Audit Log');
  });

  test('a person who reaches no servers makes no call for them', async () => {
    const { palette, open, made } = paletteWith({ facts: factsWith({ who: person() }) });
    open();
    palette.type('we');
    await settle();
    expect(made.map(({ query }) => (query as { nouns: string }).nouns)).toEqual(['session,cluster']);
  });

  test('a complete answer to fewer letters is not asked for again', async () => {
    const { palette, open, made } = paletteWith();
    open();
    await settle();
    for (const typed of ['d', 'db', 'db-', 'db-3']) {
      palette.type(typed);
      await settle();
    }
    const asked = made.flatMap(({ query }) => (query as { nouns: string }).nouns.split(','));
    expect(asked.filter(noun => noun === 'server').length).toBe(1);
  });

  test('an answer that was cut short is asked for again with more letters', async () => {
    const { palette, open, made, titles } = paletteWith({
      reply: made =>
        gateway(
          made,
          hosts.map(host => nodeOf(host)),
          2,
        ),
    });
    open();
    await settle();
    palette.type('web');
    await settle();
    expect(
      made.filter(({ call }) => call === search).map(({ query }) => (query as { search?: string }).search),
    ).toEqual([undefined, 'web']);
    expect(titles()).toEqual(expect.arrayContaining(['web-1', 'web-2']));
  });

  test.each([
    ['>', 'web', (icons: string[]) => expect(icons).not.toContain('server')],
    ['@', 'b', (icons: string[]) => expect(icons).toEqual(['user'])],
    ['#', 'env=prod', (icons: string[]) => expect(new Set(icons)).toEqual(new Set(['server']))],
    ['?', 'palette', (icons: string[]) => expect(icons.length).toBeGreaterThan(0)],
  ] as const)('"%s" narrows what is found', async (prefix, text, check) => {
    const { palette, open } = paletteWith({
      reply: made => gateway({ ...made, query: { ...(made.query as object), ...(prefix === '#' && { search: '' }) } }),
    });
    open(`${prefix}${text}`);
    await settle();
    check(palette.state.rows.map(row => row.icon));
  });

  test('"?" finds parts of the manual, and Enter reads there', async () => {
    const { palette, open, done } = paletteWith();
    open('?worked example each team');
    await vi.waitFor(() => expect(palette.state.busy).toBe(false));
    expect(palette.state.rows[0]).toMatchObject({
      title: 'Worked example: each team its own servers',
      group: 'Manual',
      detail: 'Roles and rights',
    });
    palette.choose();
    expect(done.at(-1)).toContain('go manual');
  });

  test('a label with a value is asked for as a predicate, quotes and all', async () => {
    const { palette, open, made } = paletteWith();
    open();
    palette.type('#team=a "b"');
    await settle();
    expect(made.at(-1)?.query).toMatchObject({ query: 'labels["team"] == "a \\"b\\""' });
  });

  test('a command refused for want of a rule stays visible with its reason, and Enter asks why', async () => {
    const { palette, open, done } = paletteWith({ facts: factsWith({ who: person(['nodes.list']) }) });
    open();
    palette.type('Add a server');
    await settle();
    expect(palette.state.rows[0]).toMatchObject({
      title: 'Add a server…',
      refused: 'None of your roles allows "create" on servers (needs create on node)',
    });
    palette.choose();
    await settle();
    const why = { user: person().userName, action: 'create', target: 'node', login: '' };
    expect(done).toEqual([`go why {"clusterId":"main"} ${JSON.stringify(why)}`]);
  });

  test('a server without a login is refused with its reason, and Enter asks why', async () => {
    const { palette, open, done } = paletteWith({ reply: made => gateway(made, [nodeOf('db-9', [])]) });
    open();
    palette.type('db-9');
    await settle();
    expect(palette.state.rows[0]).toMatchObject({ title: 'db-9', refused: NO_LOGIN });
    palette.choose();
    await settle();
    const why = { user: person().userName, action: 'ssh', target: 'id-db-9', login: '' };
    expect(done).toEqual([`go why {"clusterId":"main"} ${JSON.stringify(why)}`]);
  });

  test('asked which server, one without a login is refused as well, and Enter asks why', async () => {
    const { palette, open, done } = paletteWith({ reply: made => gateway(made, [nodeOf('db-9', [])]) });
    open();
    palette.type('>Open a shell');
    palette.choose();
    await settle();
    expect(palette.state.rows[0]).toMatchObject({ title: 'db-9', refused: NO_LOGIN });
    palette.choose();
    await settle();
    expect(done.join()).toMatch(/^go why .*"target":"id-db-9"/);
  });

  test('what the gateway refuses is said, and what is known is still there', async () => {
    const { palette, open, titles } = paletteWith({
      reply: made => {
        if ((made.query as { nouns: string }).nouns !== 'server')
          throw new ApiError('unavailable', 'The gateway is busy');
        return gateway(made);
      },
    });
    open();
    await settle();
    palette.type('web');
    await settle();
    expect(palette.state.message).toBe('The gateway is busy');
    expect(titles()).toContain('web-1');
  });

  test('nothing found is said once that is certain', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('zzqq');
    expect(palette.state.message).toBe('');
    await settle();
    expect(palette.state.message).toBe('Nothing matches "zzqq"');
    expect(palette.state.busy).toBe(false);
  });

  test('Mod+Enter on a server shows it in its list', async () => {
    const { palette, open, done } = paletteWith();
    open();
    palette.type('db-3');
    await settle();
    palette.choose(true);
    expect(done).toEqual(['go nodes {"clusterId":"main"} {"search":"db-3"}']);
  });

  test('a shell that was opened before is the first row of all, and opens again with one Enter', async () => {
    const { palette, open, done } = paletteWith({
      recent: ['command shell.open', 'server id-db-3', 'answer shell.open login id-db-3 ada'],
    });
    palette.warm();
    await settle();
    open();
    expect(palette.state.rows[0]).toMatchObject({ title: 'ada@db-3', group: 'Recent', enter: 'Open a shell' });
    palette.choose();
    await settle();
    expect(done).toEqual(['open {"serverId":"id-db-3","hostname":"db-3","login":"ada"}']);
  });

  describe('with the first Enter after the page has come', () => {
    const recent = ['command shell.open', 'server id-db-3', 'answer shell.open login id-db-3 ada'];
    const reopened = ['open {"serverId":"id-db-3","hostname":"db-3","login":"ada"}'];

    test('the last shell is opened again, and keys behind it are for the terminal', async () => {
      const { palette, open, done, pressed } = paletteWith({ recent });
      open();
      expect(palette.state.rows.length).toBeGreaterThan(0);
      expect(palette.state.cursor).toBe('');
      pressed('Enter', 'l');
      expect(done).toEqual([]);
      await settle();
      expect(done).toEqual([...reopened, 'pressed l']);
    });

    test('also when the list is longer than what is asked for ahead', async () => {
      const { open, done, pressed } = paletteWith({
        recent: ['answer shell.open login id-web-2 root'],
        reply: made =>
          gateway(
            made,
            hosts.map(host => nodeOf(host)),
            2,
          ),
      });
      open();
      pressed('Enter');
      await settle();
      expect(done).toEqual(['open {"serverId":"id-web-2","hostname":"web-2","login":"root"}']);
    });

    test('also in a browser that has to ask what was used', async () => {
      const { open, done, pressed, arrive } = paletteWith({ arrives: recent });
      open();
      pressed('Enter');
      await settle();
      expect(done).toEqual([]);
      arrive();
      await settle();
      expect(done).toEqual(reopened);
    });

    test('a row that the cursor was moved to meanwhile is taken, and stays where it is', async () => {
      const { palette, open, titles } = paletteWith({ recent });
      open();
      palette.move(1);
      const [first] = titles();
      await settle();
      expect(titles()[0]).toBe(first);
      expect(titles()).toContain('ada@db-3');
      expect(palette.state.cursor).toBe(palette.state.rows[0]?.id);
    });

    test('a gateway that refuses leaves the commands, and Enter takes the first', async () => {
      const { palette, open, pressed } = paletteWith({
        recent,
        reply: () => {
          throw new ApiError('unavailable', 'The gateway is busy');
        },
      });
      open();
      const first = palette.state.rows[0];
      pressed('Enter');
      await settle();
      expect(`${palette.state.command}`).toBe(first?.title);
    });
  });

  test('what was used lately is still the first row when what is known has become too old', async () => {
    const time = { now: 0 };
    const { palette, open, titles, made } = paletteWith({
      recent: ['answer shell.open login id-db-3 ada'],
      now: () => time.now,
    });
    palette.warm();
    await settle();
    time.now = 31_000;
    open();
    expect([titles()[0], palette.state.cursor]).toEqual(['ada@db-3', 'again id-db-3 ada']);
    await settle();
    expect([titles()[0], palette.state.cursor, made.length]).toEqual(['ada@db-3', 'again id-db-3 ada', 2]);
  });

  test('a server that was used before is there although the list is longer than what is asked for ahead', async () => {
    const { palette, open, titles } = paletteWith({
      recent: ['answer shell.open login id-web-2 root'],
      reply: made =>
        gateway(
          made,
          hosts.map(host => nodeOf(host)),
          2,
        ),
    });
    palette.warm();
    await settle();
    open();
    expect(titles()[0]).toBe('root@web-2');
  });

  test('rows of a kind stand together, the kind of the best row first', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('web');
    await settle();
    const groups = palette.state.rows.map(row => row.group);
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([...new Set(groups)]);
    expect(groups[0]).toBe('Servers');
  });

  test.each<[typed: string, recent: string[], before: string, after: string]>([
    // A page is looked for by its name, and many commands that begin so do not stand before it.
    ['se', [], 'Go to Servers', 'Search the text of all recordings…'],
    ['se', [], 'Go to Session Recordings', 'Search the text of all recordings…'],
    // What was used lately comes before both, and takes no neighbour along that holds the word somewhere behind.
    ['se', ['command recording.search'], 'Search the text of all recordings…', 'Go to Servers'],
    ['se', ['command recording.search'], 'Go to Servers', 'Add a server…'],
    ['se', ['command servers.run'], 'Run on servers…', 'Go to Servers'],
    // What begins so comes before what holds the word, which comes before what holds the letters.
    ['se', [], 'Send a test message by a plugin…', 'Go to Active Sessions'],
    ['se', [], 'Go to Active Sessions', 'Go to Databases'],
    // Words that stand there whole come before longer ones, and the name of a page is all that was typed.
    ['servers', [], 'Go to Servers', 'Go to Console Servers'],
    ['servers', ['command servers.run'], 'Go to Servers', 'Run on servers…'],
    // A whole word says as well what is to be done.
    ['join', [], 'Join a running session…', 'Go to Join Tokens'],
    // Of equal matches what ends or deletes comes last.
    ['se', [], 'Add a server…', 'Remove a server…'],
    ['lo', ['command session.signOut'], 'Go to Login Rules', 'Logout'],
  ])('"%s" after %j finds "%s" before "%s"', async (typed, recent, before, after) => {
    const { palette, open, titles } = paletteWith({ recent });
    open();
    palette.type(typed);
    await settle();
    const found = titles();
    expect(found).toEqual(expect.arrayContaining([before, after]));
    expect(found.indexOf(before)).toBeLessThan(found.indexOf(after));
  });

  test.each([
    ['log', 'Go to Audit Log'],
    ['lo', 'Go to Login Rules'],
  ])('"%s" leads to "%s" before it signs anyone out', async (typed, first) => {
    const { palette, open, titles } = paletteWith();
    open();
    palette.type(typed);
    await settle();
    expect(titles()[0]).toBe(first);
    expect(titles().indexOf('Logout')).toBeGreaterThan(titles().indexOf('Go to Audit Log'));
  });

  test('how a line goes on is shown while it is typed', async () => {
    const { palette, open } = paletteWith();
    open();
    const at = (typed: string) => {
      palette.type(typed);
      const { usage } = palette.state;
      return usage && [usage.name, usage.args[usage.now]];
    };
    expect(['users inv', 'users invite b', 'users invite bob ', 'invite bob acc', 'ssh root@', 'web'].map(at)).toEqual([
      ['users invite', 'NAME'],
      ['users invite', 'NAME'],
      ['users invite', 'ROLES'],
      ['users invite', 'ROLES'],
      ['ssh', 'SERVER'],
      null,
    ]);
  });

  test('more than is shown is said', async () => {
    const many = Array.from({ length: 200 }, (_one, index) => nodeOf(`host-${index}`));
    const { palette, open } = paletteWith({ reply: made => gateway(made, many, 200) });
    open();
    palette.type('host');
    await settle();
    expect(palette.state.hasMore).toBe(true);
    palette.type('host-199');
    await settle();
    expect(palette.state.hasMore).toBe(false);
  });

  test('more than is shown is said also when all of it is known', async () => {
    const { palette, open } = paletteWith({
      reply: made =>
        gateway(
          made,
          Array.from({ length: 60 }, (_one, index) => nodeOf(`host-${index}`)),
        ),
    });
    open('#');
    await settle();
    palette.type('#env');
    await settle();
    expect([palette.state.rows.length, palette.state.hasMore]).toEqual([50, true]);
  });

  test('Tab completes a title that is typed', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('Go to Aud');
    await settle();
    palette.complete();
    await settle();
    expect(palette.state.typed).toBe('Go to Audit Log');
  });

  test.each([
    ['ss', 'ssh '],
    ['ssh web', 'ssh web-'],
    ['ssh web-', 'ssh web-'],
    ['ssh ro', 'ssh root@'],
    ['ssh root@db-30', 'ssh root@db-30'],
    ['ssh root@w', 'ssh root@web-'],
    ['users re', 'users re'],
    ['users reset b', 'users reset bob'],
    ['users invite joe acc', 'users invite joe access'],
    ['invite joe acc', 'users invite joe access'],
  ])('Tab makes %j into %j', async (typed, line) => {
    const { palette, open } = paletteWith();
    open();
    palette.warm();
    await settle();
    palette.type(typed);
    await settle();
    palette.complete();
    await settle();
    expect(palette.state.typed).toBe(line);
  });

  test('the cursor goes round the ends by one, and stops there by more', () => {
    const { palette, open } = paletteWith();
    open();
    const { rows } = palette.state;
    const at = (): number => rows.findIndex(row => row.id === palette.state.cursor);
    const seen = ([1, -1, -1, 1, 10, 'last', 10, 1, -10, 'first'] as const).map(by => {
      palette.move(by);
      return at();
    });
    const last = rows.length - 1;
    expect(seen).toEqual([1, 0, last, 0, 10, last, last, 0, 0, 0]);
  });
});

test('databases and their like are found, and Enter does what it does on their row', async () => {
  const { palette, open, done } = paletteWith({
    reply: made =>
      made.call === search
        ? { database: { items: [{ name: 'orders', protocol: 'postgres', labels: [] }], complete: true } }
        : gateway(made),
  });
  open();
  palette.type('orders');
  await settle();
  expect(palette.state.rows[0]).toMatchObject({ icon: 'database', title: 'orders', enter: 'Connect' });
  palette.choose();
  expect(done).toEqual(['go databases {"clusterId":"main"} {"connect":"orders"}']);
});

describe('the row under the cursor of a list', () => {
  const server: Thing = { kind: 'server', id: 'id-db-1', title: 'db-1', logins: ['root'] };
  const session: Thing = { kind: 'session', id: 'sid-1', title: 'root@web-1', modes: ['peer', 'observer'] };

  test('is the first argument: the palette asks for the next one', async () => {
    const { palette, open } = paletteWith({ facts: factsWith({ selection: [session] }) });
    open();
    palette.type('join a running');
    await settle();
    palette.choose();
    await settle();
    expect(palette.state.chips).toEqual([{ name: 'session', title: 'root@web-1' }]);
    expect(palette.state.rows.map(({ title, refused }) => [title, refused !== undefined])).toEqual([
      ['Observer', false],
      ['Moderator', true],
      ['Peer', false],
    ]);
  });

  test('gives way to what was typed', async () => {
    const { palette, open, done } = paletteWith({ facts: factsWith({ selection: [server] }) });
    open();
    palette.type('ssh root@web-1');
    await settle();
    palette.choose();
    await settle();
    expect(done).toEqual(['open {"serverId":"id-web-1","hostname":"web-1","login":"root"}']);
  });

  test('does not answer for two marked ones, for another kind, or when it is refused', () => {
    const two = factsWith({ selection: [server, { ...server, id: 'id-db-3' }] });
    const command = commandById('shell.open');
    const given = (facts: Facts): unknown => command && withSelection(command, {}, facts);
    expect(given(factsWith({ selection: [server] }))).toMatchObject({ server: { value: 'id-db-1' } });
    expect(given(two)).toEqual({});
    expect(given(factsWith({ selection: [session] }))).toEqual({});
    expect(given(factsWith({ selection: [{ ...server, refused: 'gone' }] }))).toEqual({});
  });
});

test('answers in any order never move what is under the cursor, and only the last question counts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('w', 'we', 'web', 'db-1', 'db', 'db-3', 'bob', 'eve'), { minLength: 1, maxLength: 5 }),
      fc.nat({ max: 3 }),
      async (scheduler, texts, down) => {
        forgetWaiting();
        const { palette, open } = paletteWith({ reply: made => scheduler.schedule(Promise.resolve(gateway(made))) });
        open();
        for (const typed of texts) {
          palette.type(typed);
          endPauses();
          if (scheduler.count() > 0) await scheduler.waitOne();
        }
        const cursor = palette.state.rows[Math.min(down, palette.state.rows.length - 1)];
        if (cursor !== undefined) palette.moveTo(cursor.id);
        while (scheduler.count() > 0) {
          const before = palette.state.rows;
          const at = before.findIndex(row => row.id === palette.state.cursor);
          await scheduler.waitOne();
          for (let turn = 0; turn < 20; turn++) await Promise.resolve();
          expect(palette.state.rows.slice(0, at + 1).map(row => row.id)).toEqual(
            before.slice(0, at + 1).map(row => row.id),
          );
          if (at >= 0) expect(palette.state.cursor).toBe(before[at]?.id);
        }
        // The last answer may have come while the last text was typed.
        await settle();
        const last = texts.at(-1) ?? '';
        const shownServers = palette.state.rows.filter(row => row.icon === 'server').map(row => row.title);
        expect([...shownServers].sort()).toEqual(
          hosts.filter(host => host.includes(last) || `${host}:22  env: prod`.includes(last)).sort(),
        );
        expect(palette.state.busy).toBe(false);
        expect(new Set(palette.state.rows.map(row => row.id)).size).toBe(palette.state.rows.length);
      },
    ),
    { numRuns: 200 },
  );
});

test('ten thousand known servers give at most fifty rows', async () => {
  const many = Array.from({ length: 10_000 }, (_one, index) => nodeOf(`host-${index}`));
  const { palette, open } = paletteWith({ reply: made => gateway(made, many, 10_000) });
  open('ssh host');
  await settle();
  expect(palette.state.rows.length).toBe(50);
});
