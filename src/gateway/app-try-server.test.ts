// Servers tried as a person: which step fails is said with what to do.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { ConnectError } from './ports/reach.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access'], ['root', 'deploy']);
  await rig.addServer('db-3');
  ann = await rig.signIn('ann');
});
afterAll(() => rig?.dispose());

const start = (more: object) =>
  ann.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
    resource_kind: 'node',
    resource_name: 'db-3',
    ...more,
  });
interface Said {
  readonly success: boolean;
  readonly traces: readonly { readonly traceType: string; readonly status: string; readonly error?: string }[];
}
async function tried(more: object = {}): Promise<readonly string[]> {
  const { json } = await start(more);
  const { traces } = json as Said;
  return traces.map(({ traceType, status, error }) => [traceType, error ?? status].join(' '));
}

test('a trial that goes through is a session of a command that does nothing', async () => {
  const trial = start({ ssh_principal: 'deploy' });
  await expect.poll(() => rig.shells.at(-1)?.command).toBe('exit 0');
  rig.shells.at(-1)?.exit(0);
  const { json } = await trial;
  const { success, traces } = json as Said;
  expect(success).toBe(true);
  expect(traces.map(({ traceType }) => traceType)).toEqual([
    'RBAC_NODE',
    'RBAC_PRINCIPAL',
    'CONNECTIVITY',
    'NODE_PRINCIPAL',
  ]);
  const again = await ann.call(
    'GET',
    `/v1/webapi/sites/-current-/diagnostics/connections/${(json as { id: string }).id}`,
  );
  expect(again.json).toEqual(json);
});

// Rule 7.3: diagnostics of a connection
test('each cause is told at its own step', async () => {
  expect(await tried({ resource_name: 'nowhere' })).toEqual([expect.stringMatching(/^RBAC_NODE .*nowhere/)]);
  expect(await tried({ ssh_principal: 'oracle' })).toEqual([
    'RBAC_NODE SUCCESS',
    expect.stringMatching(/^RBAC_PRINCIPAL .*oracle/),
  ]);
  rig.refuseNext(new ConnectError('unreachable', 'db-3 does not answer.'));
  expect(await tried()).toEqual(['RBAC_NODE SUCCESS', 'RBAC_PRINCIPAL SUCCESS', 'CONNECTIVITY db-3 does not answer.']);
  rig.refuseNext(new ConnectError('host_key_changed', 'db-3 shows another key.', { pinned: ['a'], shown: 'b' }));
  expect((await tried()).at(-1)).toBe('CONNECTIVITY db-3 shows another key.');
  rig.refuseNext(new ConnectError('no_such_login', 'db-3 knows no "root".'));
  expect(await tried()).toEqual([
    'RBAC_NODE SUCCESS',
    'RBAC_PRINCIPAL SUCCESS',
    'CONNECTIVITY SUCCESS',
    'NODE_PRINCIPAL db-3 knows no "root".',
  ]);
});

test('a shell that runs no commands is said to be the fault', async () => {
  const count = rig.shells.length;
  const trial = tried();
  await expect.poll(() => rig.shells.length).toBe(count + 1);
  rig.shells.at(-1)?.exit(1);
  expect((await trial).at(-1)).toMatch(/^NODE_PRINCIPAL .*ended with 1/);
});

test('where roles ask for a touch with each session, a trial asks for it too', async () => {
  const role = `kind: role\nversion: v7\nmetadata: {name: touched}\nspec:\n  options: {require_session_mfa: true}\n  allow: {node_labels: {'*': '*'}, logins: [root]}\n`;
  await rig.declared.apply([{ name: 'role.yaml', content: role }], { by: 'test' });
  await rig.addUser('bea', ['touched']);
  const bea = await rig.signIn('bea');
  const { json } = await bea.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
    resource_kind: 'node',
    resource_name: 'db-3',
  });
  expect((json as Said).traces.at(-1)).toMatchObject({ traceType: 'RBAC_PRINCIPAL', status: 'FAILED' });
});
