// Mail against a real SMTP server: who gets it, what it says, and when it is not sent.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import type { PluginSpec } from '../../../contract/plugins.ts';
import type { UserRecord } from '../../store/store.ts';
import { messageOf } from './message.ts';
import { send, statusOf } from './send.ts';

interface Mail {
  readonly to: readonly string[];
  readonly text: string;
}
const open: SMTPServer[] = [];
afterEach(() => Promise.all(open.splice(0).map(server => new Promise<void>(done => server.close(() => done())))));

async function listen(mails: Mail[]): Promise<string> {
  const server = new SMTPServer({
    // It has a certificate of nobody that anyone trusts.
    authMethods: ['PLAIN'],
    authOptional: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'a' }) : done(new Error('535 Authentication failed')),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody@') ? new Error('550 No such user') : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  open.push(server);
  // Connections that break off are what a test is about.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return `localhost:${(server.server.address() as AddressInfo).port}`;
}
const happened = {
  annotations: {},
  id: 'e1',
  kind: 'answer' as const,
  title: 'Approved: dba for ann\r\nBcc: victim@example.com',
  text: 'By rae.',
  user: 'ann',
  link: 'https://console.example.com/web/accessrequest?request=r1',
  time: new Date(1_800_000_000_000),
};
const person = (name: string, roles: readonly string[], email?: string): UserRecord =>
  ({ id: name, name, roles, traits: email === undefined ? {} : { email: [email] } }) as unknown as UserRecord;
const people = [
  person('ann', ['dev'], 'ann@example.com'),
  person('rae@example.com', ['dba']),
  person('bob', ['dba']),
  person('eve', ['dba'], 'eve@x, victim@example.com'),
];
const by = (spec: PluginSpec, own = true) =>
  send(
    {
      request: () => Promise.reject(new Error('no web')),
      users: { list: async () => people },
      own,
      clock: () => new Date(),
    },
    'email',
    { from: 'postern@example.com', tls: 'none', ...spec },
    messageOf(happened, 'here'),
  );

test('one mail goes to addresses, to people by their roles and to whoever asked, and no text makes another line of its head', async () => {
  const mails: Mail[] = [];
  const server = await listen(mails);
  await by({ server, to: ['ops@example.com'], to_roles: ['dba'], to_asker: true });
  expect(mails.map(({ to }) => [...to].sort())).toEqual([['ann@example.com', 'ops@example.com', 'rae@example.com']]);
  const [mail] = mails;
  expect(mail?.text).toMatch(/^Subject: Approved: dba for ann Bcc: victim@example.com\r?$/m);
  expect(mail?.text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m);
  expect(mail?.text).toMatch(/^Message-ID: <e1@example.com>\r?$/m);
  expect(mail?.text).toContain('By rae.');
});

test('a message that concerns nobody is done with, and a recipient whom the server does not know keeps it from no other', async () => {
  const mails: Mail[] = [];
  const server = await listen(mails);
  await by({ server, to_roles: ['nobody-has-this'] });
  expect(mails).toEqual([]);
  await by({ server, to: ['nobody@example.com', 'ops@example.com'] });
  expect(mails.map(({ to }) => to)).toEqual([['ops@example.com']]);
  await expect(by({ server, to: ['nobody@example.com'] })).rejects.toThrow(/550/);
});

test('without a certificate that counts nothing is sent, and neither to the gateway’s own machine', async () => {
  const mails: Mail[] = [];
  const server = await listen(mails);
  await expect(by({ server, to: ['a@b.c'], tls: 'starttls' })).rejects.toThrow(/certificate/i);
  await expect(by({ server, to: ['a@b.c'] }, false)).rejects.toThrow(/own machine or link/);
  await expect(by({ server: '127.0.0.1:25', to: ['a@b.c'] }, false)).rejects.toThrow(/own machine or link/);
  expect(mails).toEqual([]);
});

test('a server that does not accept the password is told apart from one that is away', async () => {
  expect(statusOf({ code: 'EAUTH' })).toBe(3);
  const away = await by({ server: '127.0.0.1:1', to: ['a@b.c'] }).catch((error: unknown) => error);
  expect(statusOf(away)).toBe(2);
});
