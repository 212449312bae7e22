// The AWS console as an application: a browser is signed in there as a role that the person's own roles give, and as no other.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { apply, appTrail, appYaml, askHost } from './app-applications.testing.ts';
import { AWS_KEYS, type AwsDouble, openAwsDouble } from './aws-double.testing.ts';
import { roleResource } from './services/rights/source.ts';

const HOST = 'aws.console.example.com';
const CONSOLE = 'https://eu-west-1.console.aws.amazon.com/ec2/home';
const ROLE = (name: string, account = '123456789012', partition = 'aws') =>
  `arn:${partition}:iam::${account}:role/${name}`;
const READER = ROLE('team/ReadOnly');
const ADMIN = ROLE('Admin');

let rig: Rig;
let aws: AwsDouble;
let port: number;
let ann: Browser;
const environment = { ...process.env };

beforeAll(async () => {
  aws = await openAwsDouble();
  // Where the official client looks first.
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: AWS_KEYS.id, AWS_SECRET_ACCESS_KEY: AWS_KEYS.secret });
  rig = await openRig({ aws: { sts: aws.url, signIn: aws.url } });
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  port = (rig.app.server.address() as AddressInfo).port;
  const arns = [READER, ROLE('NotTrusting'), ROLE('Elsewhere', '123456789012', 'aws-cn'), 'arn:aws:iam::1:role/x', '*'];
  await rig.store.resources.create(
    roleResource(
      `kind: role\nversion: v7\nmetadata: { name: shop }\nspec:\n  allow: { app_labels: { team: shop }, aws_role_arns: ${JSON.stringify(arns)} }\n`,
    ),
  );
  await rig.store.resources.create(
    roleResource('kind: role\nversion: v7\nmetadata: { name: bare }\nspec:\n  allow: { app_labels: { team: shop } }\n'),
  );
  await apply(rig, appYaml('aws', CONSOLE, 'shop'));
  await apply(rig, appYaml('wiki', 'http://wiki.example.org', 'shop'));
  await rig.addUser('ann', ['shop']);
  await rig.addUser('bea', ['bare']);
  ann = await rig.signIn('ann');
});
afterAll(async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  await rig?.dispose();
  aws?.close();
});

const launch = (who: Browser, arn?: string, fqdn = HOST) =>
  who.call('POST', '/v1/webapi/sessions/app', { fqdn, cluster_name: CLUSTER, public_addr: fqdn, arn });
/** A browser that has the cookies of a session in the console as a role. */
async function cookieOf(who: Browser, arn: string): Promise<string> {
  const { cookie_value, subject_cookie_value } = (await launch(who, arn)).json as Record<string, string>;
  return `__Host-postern-app-session=${cookie_value}; __Host-postern-app-subject=${subject_cookie_value}`;
}

test('a browser is signed in to the AWS console as a role, by the official client, under the name of the person', async () => {
  const from = new Date();
  expect((await ann.call('GET', `/v1/webapi/apps/${HOST}`)).json).toEqual({
    fqdn: HOST,
    awsRoles: [
      { arn: ROLE('NotTrusting'), display: 'NotTrusting' },
      { arn: READER, display: 'ReadOnly' },
    ],
  });
  const cookie = await cookieOf(ann, READER);
  const answer = await askHost(port, HOST, '/', { headers: { cookie } });
  expect([answer.status, answer.body]).toEqual([302, '']);
  const to = new URL(String(answer.headers.location));
  expect([to.origin + to.pathname, Object.fromEntries(to.searchParams)]).toEqual([
    `${aws.url}/federation`,
    { Action: 'login', Issuer: 'https://console.example.com', Destination: CONSOLE, SigninToken: 'signs+in=once' },
  ]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(Object.fromEntries(aws.assumed.at(-1) ?? [])).toMatchObject({
    RoleArn: READER,
    RoleSessionName: 'ann',
    DurationSeconds: '3600',
  });
  // Credentials stand in no address.
  expect(aws.asked.filter(url => url.includes('ASIA') || url.includes('Session'))).toEqual([]);
  const [started] = await appTrail(rig, from);
  expect(started).toMatchObject({ code: 'T2007I', user: 'ann', app_name: 'aws', aws_role_arn: READER });
  expect(rig.log.join('')).not.toContain('temporary+key');
});

test('the address of another role leads to a session of its own, and nothing else is passed on', async () => {
  const cookie = await cookieOf(ann, READER);
  const other = await askHost(port, HOST, `/?postern-aws-role=${encodeURIComponent(ADMIN)}`, { headers: { cookie } });
  expect([other.status, String(other.headers.location)]).toEqual([302, expect.stringMatching(/\/web\/launch\/aws\./)]);
  const posted = await askHost(port, HOST, '/', { method: 'POST', headers: { cookie }, body: 'x' });
  expect(posted.status).toBe(403);
  const same = await askHost(port, HOST, `/?postern-aws-role=${encodeURIComponent(READER)}`, { headers: { cookie } });
  expect(String(same.headers.location)).toContain('/federation?');
});

test('no role, a role of nobody, of another partition, without a form, and a role at what is not the console are refused', async () => {
  const bea = await rig.signIn('bea');
  for (const [who, arn, fqdn, text] of [
    [ann, undefined, HOST, 'say which'],
    [ann, ADMIN, HOST, 'None of your roles lets you use aws as'],
    [ann, ROLE('Elsewhere', '123456789012', 'aws-cn'), HOST, 'None of your roles'],
    [ann, 'arn:aws:iam::1:role/x', HOST, 'None of your roles'],
    [ann, '*', HOST, 'None of your roles'],
    [bea, READER, HOST, 'None of your roles'],
    [ann, READER, 'wiki.console.example.com', 'is not the AWS console'],
  ] as const) {
    const { status, json } = await launch(who, arn, fqdn);
    const { message } = (json as { error: { message: string } }).error;
    expect([arn, fqdn, status, message]).toEqual([arn, fqdn, 403, expect.stringContaining(text)]);
  }
  expect((await launch(ann, 'a'.repeat(3000))).status).toBe(400);
});

test('what AWS refuses is said with its words, and a person whose role is taken away is signed in no more', async () => {
  const refused = await askHost(port, HOST, '/', { headers: { cookie: await cookieOf(ann, ROLE('NotTrusting')) } });
  expect([refused.status, refused.body]).toEqual([
    502,
    expect.stringContaining('not authorized to perform: sts:AssumeRole'),
  ]);
  await rig.addUser('carl', ['shop']);
  const cookie = await cookieOf(await rig.signIn('carl'), READER);
  expect((await askHost(port, HOST, '/', { headers: { cookie } })).headers.location).toContain('/federation?');
  const [carl] = await rig.store.users.named(['carl']);
  if (carl) await rig.store.users.update({ ...carl, roles: ['bare'] });
  const before = aws.assumed.length;
  await expect
    .poll(async () => (await askHost(port, HOST, '/', { headers: { cookie } })).headers.location)
    .toMatch(/\/web\/launch\//);
  expect(aws.assumed.length - before).toBeLessThanOrEqual(20);
});

test('a trial says that a role of AWS is missing, and tells AWS nothing of who asks', async () => {
  const trial = async (who: Browser) => {
    const { json } = await who.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
      resource_kind: 'app',
      resource_name: 'aws',
    });
    return json as { success: boolean; traces: { traceType: string; details: string }[] };
  };
  expect(await trial(await rig.signIn('bea'))).toMatchObject({
    success: false,
    traces: [{ traceType: 'RBAC_APP', details: expect.stringContaining('aws_role_arns') }],
  });
  const asked = aws.asked.length;
  expect((await trial(ann)).success).toBe(true);
  expect(aws.asked.length).toBe(asked);
});
