// A cluster in use, worth looking at: people who ask and review, lists, devices, bots, agents, plugins and what all of them left to be told.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD } from './browser.ts';
import { acceptInvite, signIn, type WireClient } from './client.ts';
import type { GatewayRig } from './gateway.ts';
import { siteResources } from './resources.ts';

const ROLES = `kind: role
version: v7
metadata: {name: dba, description: Databases in production}
spec: {allow: {logins: [root, postgres], node_labels: {'*': '*'}, db_labels: {'*': '*'}, db_users: [dba], db_names: ['*']}}
---
kind: role
version: v7
metadata: {name: asker}
spec:
  allow:
    node_labels: {env: staging}
    request: {roles: [dba, access], search_as_roles: [dba], suggested_reviewers: [rae], max_duration: 8h}
---
kind: role
version: v7
metadata: {name: reviewing}
spec: {options: {agents: ask}, allow: {review_requests: {roles: [dba, access]}, request: {roles: [dba], search_as_roles: [dba]}}}
---
kind: role
version: v7
metadata: {name: agents}
spec: {options: {agents: ask}}
---
kind: access_list
version: v1
metadata: {name: on-call}
spec:
  title: Database on call
  description: Whoever is on the rota of this week
  owners: [{name: admin}, {name: rae}]
  audit: {next_audit_date: 2026-01-01T00:00:00Z}
  membership_requires: {roles: [asker]}
  grants: {roles: [dba]}
  members: [{name: carl, reason: rota of week 17}, {name: dora, reason: rota of week 18}, {name: rae}]
---
kind: access_list
version: v1
metadata: {name: contractors}
spec:
  title: Contractors of the search team
  owners: [{name: admin}]
  audit: {next_audit_date: 2031-01-01T00:00:00Z}
  grants: {roles: [access], traits: {logins: [deploy]}}
  members: [{name: dora, expires: 2030-06-01T00:00:00Z}]
`;

/** Fills a gateway whose first administrator has been invited; answers that administrator. */
export async function fillGoverned(gateway: GatewayRig): Promise<WireClient> {
  const user = await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  const file = join(gateway.folder, 'governed.yaml');
  const apply = async (text: string): Promise<void> => {
    await writeFile(file, text);
    await gateway.command('resources', 'apply', file);
  };
  const [roles = '', ...lists] = ROLES.split(/^---\n(?=kind: access_list)/m);
  await apply(`${siteResources(12)}---\n${roles}`);
  await apply(
    `kind: user\nversion: v2\nmetadata: { name: ${user} }\nspec: { roles: [access, editor, auditor, reviewing, agents], traits: { logins: [root] } }\n`,
  );
  const person = async (name: string, given: string): Promise<WireClient> => {
    const said = await gateway.command('users', 'add', name, '--roles', given);
    await acceptInvite(gateway.url, /http\S+/.exec(said)?.[0] ?? '', PASSWORD);
    return signIn(gateway.url, name, PASSWORD);
  };
  const ann = await person('ann', 'asker');
  const bob = await person('bob', 'asker');
  for (const name of ['carl', 'dora']) await person(name, 'asker');
  await person('rae', 'reviewing');
  await apply(lists.join('---\n'));
  const admin = await signIn(gateway.url, user, PASSWORD);
  const site = `sites/${admin.cluster}`;
  const ask = async (by: WireClient, body: unknown): Promise<string> =>
    ((await by.call('POST', `${site}/accessrequests`, body)) as { id: string }).id;
  const answered = await ask(ann, { roles: ['access'], reason: 'A look at what the release did to the queue' });
  await admin.call('PUT', `${site}/accessrequests/${answered}`, {
    state: 'APPROVED',
    reason: 'Until the release is out',
  });
  const refused = await ask(bob, { roles: ['dba', 'access'], reason: 'just in case' });
  await admin.call('PUT', `${site}/accessrequests/${refused}`, { state: 'DENIED', reason: 'Ask when you need it' });
  await ask(bob, {
    roles: ['dba'],
    reason: 'incident 4711: replication lags behind by an hour and nobody on call answers',
  });
  await ask(ann, { roles: ['dba'], reason: 'restore drill' });
  for (const [os_type, asset_tag] of [
    ['linux', 'LAPTOP-7'],
    ['macos', 'C02XK1ABJG5H'],
    ['windows', 'DESK-NORTH-0042'],
  ])
    await admin.call('POST', 'devices', { os_type, asset_tag });
  for (const name of ['nightly', 'deploy'])
    await admin.call('POST', 'bots', { name, roles: ['access'], traits: { logins: ['root'] } });
  await admin.call('POST', `${site}/agents`, { name: 'triage', roles: ['access'], for: '4h', calls: 50 });
  await admin.call('POST', `${site}/agents`, { name: 'patcher', roles: ['access', 'auditor'] });
  await admin.call('POST', `${site}/integrations`, {
    name: 'production',
    subKind: 'aws-oidc',
    awsoidc: { roleArn: 'arn:aws:iam::123456789012:role/postern' },
  });
  await admin.call('POST', `${site}/plugins`, {
    name: 'operations',
    kind: 'slack',
    spec: { url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
  });
  await gateway.command('alerts', 'add', '--severity', '5', '--message', 'The card ends soon', '--billing');
  return admin;
}
