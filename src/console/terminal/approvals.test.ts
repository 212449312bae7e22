import { expect, test } from 'vitest';
import type { FileEvent } from '../../client/terminal-frames.ts';
import { createApprovals, requestText } from './approvals.ts';

const transfer = { download: true, location: '/etc/hosts', filename: '' };
const told = (event: FileEvent['event'], requestID: string, more: Partial<FileEvent> = {}): FileEvent => ({
  event,
  requestID,
  requester: 'ann',
  approvers: [],
  ...transfer,
  message: '',
  ...more,
});
function rig() {
  const asked: unknown[] = [];
  const back: string[] = [];
  const approvals = createApprovals({ ask: one => asked.push(one), takeBack: id => back.push(id) });
  const stop = new AbortController();
  return { approvals, asked, back, stop, ask: () => approvals.ask(transfer, stop.signal) };
}

test('two requests for the same file are told apart, and each hears its own answer', async () => {
  const { approvals, asked, ask } = rig();
  const [first, second] = [ask(), ask()];
  expect(asked).toEqual([transfer, transfer]);
  approvals.hear(told('file_transfer_request', 'of bob', { requester: 'bob' }), 'ann');
  approvals.hear(told('file_transfer_request', 'r1'), 'ann');
  approvals.hear(told('file_transfer_request', 'r2'), 'ann');
  approvals.hear(told('file_transfer_request_deny', 'r1'), 'ann');
  approvals.hear(told('file_transfer_request_approve', 'r2'), 'ann');
  await expect(first).rejects.toThrow('denied by a moderator');
  expect(await second).toBe('r2');
});

test('a request that the session does not take fails with its reason', async () => {
  const { approvals, ask } = rig();
  const refused = ask();
  approvals.hear(told('file_transfer_request_deny', 'r1', { message: 'There are 10 requests already.' }), 'ann');
  await expect(refused).rejects.toThrow('There are 10 requests already.');
});

test('what is cancelled is taken back, and what a lost session was asked fails', async () => {
  const { approvals, back, stop, ask } = rig();
  const cancelled = ask();
  approvals.hear(told('file_transfer_request', 'r1'), 'ann');
  stop.abort();
  await expect(cancelled).rejects.toThrow('taken back');
  expect(back).toEqual(['r1']);
  const lost = approvals.ask(transfer, new AbortController().signal);
  approvals.lost();
  await expect(lost).rejects.toThrow('is gone');
});

test('what is asked for is said in words: a file, a folder, looking through one, a copy with its other end', () => {
  const say = (more: Partial<FileEvent>): string => requestText(told('file_transfer_request', 'r', more));
  expect([
    say({}),
    say({ download: false, location: '/tmp/', filename: 'a\nb' }),
    say({ location: '/etc', reach: 'look' }),
    say({ location: '/etc/nginx', reach: 'folder' }),
    say({ download: false, location: '/srv/site', reach: 'folder' }),
    say({ reach: 'folder', to: { hostname: 'web-1', nodeId: 'n', login: 'root', location: '/srv' } }),
  ]).toEqual([
    'download of /etc/hosts',
    'upload of a\\x0ab to /tmp/',
    'look through /etc and all that is below it',
    'download of folder /etc/nginx with all that is in it',
    'upload of folder /srv/site with all that is in it',
    'copy of folder /etc/hosts with all that is in it to /srv on root@web-1',
  ]);
});
