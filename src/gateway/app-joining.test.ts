// Who may join a session and how: each role against each mode, at the list, the call of one session and the socket.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mode, modes } from '../contract/live-sessions.ts';
import { CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

/** What the role of each of these people says of sessions of `access`; and how they may join hers. */
const people: Readonly<
  Record<string, { readonly allow: string; readonly deny?: string; readonly may: readonly Mode[] }>
> = {
  watcher: { allow: 'roles: [acc*], kinds: [ssh], modes: [observer]', may: ['observer'] },
  moderator: { allow: 'roles: [access], kinds: ["*"], modes: [moderator]', may: ['moderator'] },
  peer: { allow: 'roles: ["*"], kinds: [ssh], modes: [peer, observer]', may: ['observer', 'peer'] },
  denied: {
    allow: 'roles: ["*"], kinds: [ssh], modes: [peer, observer]',
    deny: 'roles: [access], kinds: [ssh], modes: [peer]',
    may: ['observer'],
  },
  elsewhere: { allow: 'roles: [prod-*], kinds: [ssh], modes: [peer]', may: [] },
  pods: { allow: 'roles: ["*"], kinds: [k8s], modes: [peer]', may: [] },
  old: { allow: 'roles: ["*"], kinds: [ssh], modes: [peer]', may: [] },
};
const owned: readonly Mode[] = ['peer', 'observer', 'moderator'];

let rig: Rig;
let sid: string;
beforeAll(async () => {
  rig = await openRig();
  const joining = (side: string, text: string | undefined) =>
    text === undefined ? '' : `  ${side}: { join_sessions: [{ name: n, ${text} }] }\n`;
  for (const [name, { allow, deny }] of Object.entries(people)) {
    const head = `kind: role\nversion: ${name === 'old' ? 'v4' : 'v7'}\nmetadata: { name: ${name} }\nspec:\n`;
    await rig.store.resources.create(roleResource(`${head}${joining('allow', allow)}${joining('deny', deny)}`));
    await rig.addUser(name, [name]);
  }
  await rig.addUser('ann', ['access'], ['root']);
  const server = await rig.addServer('db-3');
  const ann = await rig.signIn('ann');
  const who = await rig.services.identity.sessions.authenticate({ ...ann, remoteAddr: '192.0.2.1:1' });
  const target = await rig.services.servers.target(who, server);
  ({ sid } = await rig.services.sessions.open({ who, target, login: 'root', size: { cols: 80, rows: 24 } }));
});
afterAll(() => rig.dispose());

test.each([['ann', owned], ...Object.entries(people).map(([name, { may }]) => [name, may] as const)] as const)(
  '%s may join as %s, and in no other way',
  async (name, may) => {
    const browser = await rig.signIn(name);
    const { json } = await browser.call('GET', `/v1/webapi/sites/${CLUSTER}/sessions`);
    const listed = (json as { sessions: { participantModes: Mode[] }[] }).sessions;
    expect(listed.map(({ participantModes }) => participantModes)).toEqual(may.length > 0 ? [may] : []);
    for (const mode of [...modes, ''] as const) {
      const params = JSON.stringify({ sid, mode, term: { h: 24, w: 80 } });
      const query = new URLSearchParams({ access_token: browser.bearer, params });
      const { status } = await browser.call('GET', `/v1/webapi/sites/${CLUSTER}/connect?${query}`);
      // Without an upgrade a socket that would be opened asks for one.
      expect([mode, status]).toEqual([mode, (mode === '' ? may.length > 0 : may.includes(mode)) ? 426 : 403]);
    }
  },
);
