import { expect, test } from 'vitest';
import { readText, saveText, type TextPorts, textOf } from './text-file.ts';

const place = { clusterId: 'here', serverId: 's1', login: 'root', title: 'root@db-3' };
const bytes = (text: string | readonly number[]): ArrayBuffer =>
  (typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text)).buffer as ArrayBuffer;
function rig(answer: () => Response) {
  const log: string[] = [];
  const ports: TextPorts = {
    token: () => 'token',
    proof: async () => ({}),
    approval: async () => ({}),
    fetch: async (address, { method, headers, body } = {}) => {
      log.push(`${method} ${address} ${(headers as Record<string, string>)['If-Match'] ?? ''} ${body ?? ''}`.trim());
      return answer();
    },
  };
  return { ports, log };
}

test('what would not come back as it was is refused with the reason', () => {
  expect(() => textOf(bytes([0x61, 0]))).toThrow('NUL');
  expect(() => textOf(bytes([0xff, 0xfe]))).toThrow('UTF-8');
  expect(() => textOf(bytes('a\r\nb\nc'))).toThrow('end in different ways');
  expect(() => textOf(bytes('a\rb'))).toThrow('end in different ways');
  expect(textOf(bytes('\ufeffa\r\nb\r\n'))).toEqual({ text: '\ufeffa\nb\n', ends: '\r\n' });
  expect(textOf(bytes(''))).toEqual({ text: '', ends: '\n' });
});

test('it is saved with the ends of line it had, and only while it is what was read', async () => {
  const { ports, log } = rig(() => new Response('a\r\nb', { headers: { etag: '"1"', 'content-length': '4' } }));
  const read = await readText(ports, place, '/etc/x\udcff');
  await saveText(ports, place, '/etc/x\udcff', { ...read, text: 'a\nc' }, read.tag);
  await saveText(ports, place, '/etc/x\udcff', { ...read, text: 'd' }, null);
  const at = '/v1/webapi/sites/here/nodes/s1/root/scp?location=%2Fetc%2Fx%FF';
  expect(log).toEqual([`GET ${at}`, `POST ${at} "1" a\r\nc`, `POST ${at}  d`]);
});

test('what is too large is not fetched, and a refusal keeps its words', async () => {
  const large = rig(() => new Response('x', { headers: { 'content-length': '1000001' } }));
  await expect(readText(large.ports, place, '/big')).rejects.toThrow('larger than 1 MB');
  const body = JSON.stringify({ error: { code: 'changed', message: 'x was changed on db-3 meanwhile.' } });
  const changed = rig(() => new Response(body, { status: 412 }));
  await expect(saveText(changed.ports, place, '/x', { text: '', ends: '\n' }, '"1"')).rejects.toMatchObject({
    code: 'changed',
    message: 'x was changed on db-3 meanwhile.',
  });
});
