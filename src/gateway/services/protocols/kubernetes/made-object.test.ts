import { expect, test } from 'vitest';
import { namedIn } from './made-object.ts';

const json = (text: string) => namedIn(Buffer.from(text), 'application/json');
const field = (number: number, value: Buffer | string): Buffer =>
  Buffer.concat([Buffer.of(number * 8 + 2, Buffer.byteLength(value)), Buffer.from(value)]);
const protobuf = (...metadata: readonly Buffer[]): ReturnType<typeof namedIn> => {
  const raw = Buffer.concat(metadata.map(one => field(1, one)));
  const envelope = [Buffer.from('k8s\0'), field(1, field(2, 'ConfigMap')), field(2, raw)];
  return namedIn(Buffer.concat(envelope), 'application/vnd.kubernetes.protobuf');
};

test('a name is read from JSON and from protobuf, the last one where it comes twice', () => {
  expect(json('{"metadata":{"name":"web-1","namespace":"a"}}')).toEqual({ name: 'web-1', namespace: 'a' });
  expect(json('{"metadata":{"name":"web-1"},"metadata":{"name":"other"}}').name).toBe('other');
  expect(protobuf(Buffer.concat([field(1, 'web-1'), field(3, 'a')]))).toEqual({ name: 'web-1', namespace: 'a' });
  expect(protobuf(field(1, 'web-1'), field(1, 'other')).name).toBe('other');
});

test.each([
  '{"metadata":{"generateName":"web-"}}',
  '{"metadata":{"name":"web-1","Name":"other"}}',
  '{"metadata":{"name":["web-1"]}}',
  'metadata: { name: web-1 }',
  '',
])('%s names nothing', text => expect(json(text).name).toBe(''));

test('what is cut off, or no message, names nothing', () => {
  const whole = Buffer.concat([Buffer.from('k8s\0'), field(2, field(1, field(1, 'web-1')))]);
  for (let length = 0; length < whole.length; length += 1)
    expect(namedIn(whole.subarray(0, length), 'application/vnd.kubernetes.protobuf').name).toBe('');
  expect(namedIn(Buffer.alloc(100, 0xff), 'application/vnd.kubernetes.protobuf').name).toBe('');
});
