import { beforeEach, describe, expect, test } from 'vitest';
import type { Made } from '../../../commands/tools.testing.ts';
import { diagnoseConnection } from '../../contract/diagnostics.ts';
import { ApiError } from '../../contract/failure.ts';
import { probeHostKey } from '../../contract/host-keys.ts';
import { createKubernetes } from '../../contract/kubernetes-changes.ts';
import { search } from '../../contract/search.ts';
import { createResetToken, createUser, getUser, listUsers, updateUser } from '../../contract/users.ts';
import { forgetWaiting, gateway, nodeOf, outwait, paletteWith, settle } from './store.testing.ts';

beforeEach(forgetWaiting);

/** The gateway of these tests, where bob holds two roles. */
const bobHolds = (made: Made): unknown => {
  if (made.call === getUser) return { name: 'bob', roles: ['access', 'editor'] };
  if (made.call === updateUser) return {};
  if (made.call === listUsers) return [];
  if (made.call !== search) return gateway(made);
  const roles = ['access', 'auditor', 'editor'].map(name => ({ id: `role:${name}`, kind: 'role', name }));
  return { ...(gateway(made) as object), role: { items: roles, complete: true } };
};

describe('answering', () => {
  test('keys pressed after a command was typed whole are for what it opens', async () => {
    const { palette, open, done, pressed } = paletteWith();
    open();
    palette.type('ssh root@web-1');
    pressed('Enter', 'l', 's', 'Enter');
    expect(done).toEqual([]);
    await settle();
    expect(done).toEqual([
      'open {"serverId":"id-web-1","hostname":"web-1","login":"root"}',
      'pressed l',
      'pressed s',
      'pressed Enter',
    ]);
    pressed('x');
    expect(done.at(-1)).toBe('pressed x');
  });

  test('a typed line that fails stays, with the reason; one that works is gone', async () => {
    const full = new ApiError('exists', 'There is a user bob already');
    let isFull = true;
    const { palette, open, done, recent, pressed } = paletteWith({
      reply: made => {
        if (made.call === createUser && isFull) throw full;
        if (made.call === createUser) return {};
        return made.call === createResetToken ? { tokenId: 't', expiry: new Date().toISOString() } : gateway(made);
      },
    });
    open();
    palette.type('users invite bob access');
    pressed('Enter', 'j');
    await settle();
    // The key behind it was for what Enter would show, which is the line again.
    expect(palette.state).toMatchObject({ open: true, typed: 'users invite bob accessj' });
    palette.type('users invite bob access');
    palette.choose();
    await settle();
    expect(palette.state).toMatchObject({ typed: 'users invite bob access', message: full.message, command: '' });
    expect([done, recent()]).toEqual([[], []]);
    isFull = false;
    palette.choose();
    await settle();
    expect([palette.state.open, done[0]]).toEqual([false, expect.stringContaining('handOver bob has been invited')]);
  });

  test('a typed line whose palette was closed says its failure like any command', async () => {
    let fail: (error: ApiError) => void = () => {};
    const { palette, open, done } = paletteWith({
      reply: made => {
        if (made.call !== createUser) return gateway(made);
        return new Promise((_done, failed) => {
          fail = failed;
        });
      },
    });
    open();
    palette.type('users invite bob access');
    palette.choose();
    await settle();
    expect(palette.state).toMatchObject({ open: true, busy: true });
    palette.close();
    fail(new ApiError('exists', 'No more users'));
    await settle();
    expect([palette.state.open, done]).toEqual([false, ['notify No more users']]);
  });

  test('roles begin with those that are held, and what is added and taken away is shown before Enter', async () => {
    const { palette, open, titles, done, made } = paletteWith({ reply: bobHolds });
    open();
    palette.type('users edit bob');
    palette.choose();
    await settle();
    const shown = () => palette.state.chips.map(({ title, change }) => `${change ?? ''} ${title}`.trim());
    expect([shown(), titles()[0], palette.state.rows[0]?.refused]).toEqual([
      ['bob', 'access', 'editor'],
      'access, editor',
      expect.stringContaining('Nothing changes'),
    ]);
    palette.type('aud');
    // Before the gateway has answered: what comes is meant, not the three letters.
    palette.choose();
    await settle();
    palette.type('edi');
    await settle();
    palette.choose();
    await settle();
    expect([shown(), palette.state.typed]).toEqual([['bob', 'access', 'removed editor', 'added auditor'], '']);
    expect(palette.state.rows[0]).toMatchObject({
      title: 'access, auditor',
      detail: 'adds auditor, takes away editor',
    });
    expect(done).toEqual([]);
    palette.choose();
    await settle();
    expect(made.at(-1)).toMatchObject({ call: updateUser, body: { name: 'bob', roles: ['access', 'auditor'] } });
  });

  test('roles that were typed whole are shown as a change, and one more Enter makes it', async () => {
    const { palette, open, made } = paletteWith({ reply: bobHolds });
    open();
    palette.type('users edit bob access');
    palette.choose();
    await settle();
    expect(palette.state.rows[0]).toMatchObject({ title: 'access', detail: 'takes away editor' });
    expect(made.some(({ call }) => call === updateUser)).toBe(false);
    palette.choose();
    await settle();
    expect(made.at(-1)).toMatchObject({ call: updateUser, body: { roles: ['access'] } });
  });

  test('logins are asked for where an invite is answered step by step, not behind a typed line', async () => {
    const { palette, open } = paletteWith({ reply: bobHolds });
    open();
    palette.type('users invite joe');
    palette.choose();
    await settle();
    palette.type('access');
    await settle();
    palette.choose();
    await settle();
    expect([palette.state.prompt, palette.state.rows[0]?.title]).toEqual([
      'Logins on servers, separated by commas',
      'Leave empty',
    ]);
  });

  test('when something is still to be asked, they are for the question', async () => {
    const { palette, open, done, pressed } = paletteWith();
    open();
    palette.type('ssh web-1');
    pressed('Enter', 'r', 'o');
    await settle();
    expect(palette.state).toMatchObject({ prompt: 'Login', typed: 'ro' });
    expect(done).toEqual([]);
  });

  test('what fits only by its labels waits for the gateway, so that Enter takes the server whose name was typed', async () => {
    const named = { ...nodeOf('search-5'), tags: [{ name: 'team', value: 'web' }] };
    const { palette, open, titles, done } = paletteWith({
      reply: made => {
        const isNarrowed = (made.query as { search?: string } | undefined)?.search !== undefined;
        return gateway(made, [named, nodeOf('web-1')], isNarrowed ? 2 : 1);
      },
    });
    open('>open a shell');
    await settle();
    palette.choose();
    await settle();
    expect(titles()).toEqual(['search-5']);
    palette.type('web');
    expect(titles()).toEqual([]);
    palette.choose();
    await settle();
    expect(palette.state.chips).toEqual([{ name: 'server', title: 'web-1' }]);
    expect(done).toEqual([]);
  });

  test('a question that could not be asked can be asked again, however long one waits', async () => {
    const { palette, open, titles } = paletteWith({
      reply: made => {
        if ((made.query as { search?: string } | undefined)?.search !== undefined) throw new ApiError('network');
        return gateway(made, [nodeOf('web-1')], 1);
      },
    });
    open('>open a shell');
    await settle();
    palette.choose();
    await settle();
    palette.type('web');
    await settle();
    expect(titles()).toEqual(['web-1', 'Try again']);
    await outwait();
    expect(titles()).toEqual(['web-1', 'Try again']);
    expect(palette.state.message).not.toBe('');
  });

  test('answers are chips, and Backspace takes them back one by one', async () => {
    const { palette, open } = paletteWith();
    open();
    palette.type('web-1');
    await settle();
    palette.choose();
    await settle();
    expect(palette.state).toMatchObject({
      command: 'Open a shell…',
      prompt: 'Login',
      chips: [{ name: 'server', title: 'web-1' }],
    });
    expect(palette.takeBack()).toBe(true);
    await settle();
    expect(palette.state).toMatchObject({ prompt: 'Server', chips: [] });
    expect(palette.takeBack()).toBe(true);
    expect(palette.state).toMatchObject({ command: '', manual: null, prompt: '' });
    expect(palette.takeBack()).toBe(false);
  });

  test('free text that is wrong says what is allowed and is not taken', async () => {
    const { palette, commanding, done } = paletteWith();
    commanding.run('servers.add');
    if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
    palette.type('not a host');
    await settle();
    expect(palette.state.rows).toMatchObject([
      { title: 'not a host', refused: expect.stringContaining('host or host:port') },
    ]);
    palette.choose();
    expect(done[0]).toContain('host:port');
    expect(palette.state).toMatchObject({ prompt: 'Address, host or host:port', manual: 'addServer' });
  });

  test('text of several lines that is pasted is the answer as it is, and remembered nowhere', async () => {
    const kubeconfig = 'clusters: []\nusers:\n  - token: of-the-gateway\n';
    const { palette, commanding, made, recent } = paletteWith({
      reply: one =>
        one.call === diagnoseConnection
          ? { success: true, traces: [] }
          : one.call === createKubernetes
            ? {}
            : gateway(one),
    });
    commanding.run('kubernetes.add', { name: { value: 'prod', title: 'prod' } });
    if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
    await settle();
    expect(palette.paste('clusters')).toBe(false);
    expect(palette.paste('one\ntwo')).toBe(true);
    expect(palette.state.message).toContain('kubectl config view');
    expect(palette.paste(kubeconfig)).toBe(true);
    await settle();
    expect(palette.state.chips.map(({ title }) => title)).toEqual(['prod', 'kubeconfig of 3 lines']);
    palette.choose();
    await expect.poll(recent).toContain('command kubernetes.add');
    expect(made.find(({ call }) => call === createKubernetes)?.body).toEqual({ name: 'prod', kubeconfig, labels: [] });
    expect(JSON.stringify(recent())).not.toContain('of-the-gateway');
  });

  test('a question that the gateway could not answer can be asked again', async () => {
    let broken = true;
    const { palette, open } = paletteWith({
      reply: made => {
        if (broken && made.call === search) throw new ApiError('unreachable', 'Connection problem');
        return gateway(made);
      },
    });
    open();
    palette.type('ssh root@db-3');
    palette.choose();
    await settle();
    expect(palette.state.message).toBe('Connection problem');
    broken = false;
    palette.choose();
    await settle();
    expect(palette.state.message).toBe('');
    expect(palette.state.rows.length).toBeGreaterThan(0);
  });

  test('a command that opens the palette itself finds it open afterwards', () => {
    const { palette, commanding, open } = paletteWith();
    open();
    palette.type('Run a command');
    palette.choose();
    expect(commanding.surface.palette).toMatchObject({ typed: '>' });
  });
});

describe('taking an answer back', () => {
  test('a typed answer comes back to be mended', async () => {
    const { palette, commanding } = paletteWith({
      reply: made => {
        if (made.call === probeHostKey) throw new ApiError('unreachable', 'Nothing listens there');
        return gateway(made);
      },
    });
    commanding.run('servers.add');
    if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
    palette.type('db-3:2222');
    await settle();
    palette.choose();
    await settle();
    expect(palette.state).toMatchObject({ prompt: 'Is this the host key?', message: 'Nothing listens there' });
    palette.takeBack();
    await settle();
    expect(palette.state).toMatchObject({ prompt: 'Address, host or host:port', typed: 'db-3:2222', message: '' });
  });
});

test('the host key is asked for once, whatever is typed while it is looked at', async () => {
  const { palette, commanding, made, titles } = paletteWith({
    reply: one =>
      one.call === probeHostKey
        ? { addr: 'db-3:22', hostKey: { type: 'ssh-ed25519', fingerprint: 'SHA256:abc', publicKey: 'k' } }
        : gateway(one),
  });
  commanding.run('servers.add', { address: { value: 'db-3', title: 'db-3' } });
  if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
  await settle();
  palette.type('SHA256:x');
  await settle();
  expect(titles()).toEqual([]);
  palette.type('SHA256:a');
  await settle();
  expect(titles()).toEqual(['SHA256:abc']);
  expect(made.filter(({ call }) => call === probeHostKey).length).toBe(1);
});

test('keys pressed while the palette is still on its way are its own, and none reaches the page', async () => {
  const { palette, commanding, done, pressed } = paletteWith();
  commanding.openPalette();
  pressed('w', 'o', 'Backspace', 'e', 'b', '-', '2', 'Enter', 'Enter');
  expect(done).toEqual([]);
  const request = commanding.surface.palette;
  if (request !== null) palette.open(request);
  commanding.shown();
  await settle();
  expect(done).toEqual(['open {"serverId":"id-web-2","hostname":"web-2","login":"root"}']);
  pressed('x');
  expect(done.at(-1)).toBe('pressed x');
});

test('Escape gives the keys back when the palette does not come', () => {
  const { commanding, done, pressed } = paletteWith();
  commanding.openPalette();
  pressed('x', 'Escape');
  expect(commanding.surface.palette).toBeNull();
  pressed('y');
  expect(done).toEqual(['pressed y']);
});
