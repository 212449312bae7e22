import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, frameTypes } from '../../contract/envelope.ts';
import type { Size } from '../ports/shell.ts';
import { createReader } from './terminal-frames.ts';

/** Reads one message and says what came of it. */
function read(
  message: unknown,
  isBinary = true,
  input: (bytes: Uint8Array) => void = () => undefined,
): readonly unknown[] {
  const heard: unknown[] = [];
  const participant = {
    input: (bytes: Uint8Array) => {
      heard.push(['input', Buffer.from(bytes).toString()]);
      input(bytes);
    },
    resize: (size: Size) => heard.push(['resize', size]),
    seen: (offset: number) => heard.push(['seen', offset]),
    requestFile: (asked: object) => {
      heard.push(['request', asked]);
      return null;
    },
    decideFile: (id: string, approves: boolean) => {
      heard.push(['decide', id, approves]);
      return null;
    },
    control: (asked: object) => {
      heard.push(['control', asked]);
      return 'bob has the keys.';
    },
  };
  const reader = createReader(participant, {
    error: text => heard.push(['error', text]),
    close: code => heard.push(['close', code]),
    failed: error => heard.push(['failed', error]),
  });
  reader(message, isBinary);
  return heard;
}
const frame = (type: (typeof frameTypes)[keyof typeof frameTypes], payload: string): Buffer =>
  Buffer.from(encodeFrame(type, Buffer.from(payload)));

test('each frame a client may send does one thing', () => {
  expect(read(frame('r', 'ls\r'))).toEqual([['input', 'ls\r']]);
  expect(read(frame('w', '{"event":"resize","width":100,"height":40,"size":"100:40"}'))).toEqual([
    ['resize', { cols: 100, rows: 40 }],
  ]);
  expect(read(frame('l', '{"seen":65536}'))).toEqual([['seen', 65536]]);
  expect(read(frame('a', '{"event":"session.control","action":"take"}'))).toEqual([
    ['control', { event: 'session.control', action: 'take', party: '' }],
    ['error', 'bob has the keys.'],
  ]);
  expect(read(frame('a', '{"event":"session.join"}'))).toEqual([]);
  expect(read(frame('f', '{}'))).toEqual([['error', 'the file transfer request could not be read']]);
  expect(read(frame('f', '{"event":"file_transfer_request","download":true,"location":"/tmp/a"}'))).toMatchObject([
    ['request', { download: true, location: '/tmp/a', filename: '' }],
  ]);
  expect(read(frame('t', '{"event":"file_transfer_decision","requestId":"r","approved":true}'))).toEqual([
    ['decide', 'r', true],
  ]);
  expect(read(frame('t', '{}'))).toEqual([['error', 'the decision could not be read']]);
  expect(read(frame('s', '{}'))).toEqual([]);
});

test('text frames, messages in pieces and frames of another version close the socket as bad', () => {
  expect(read('hello', false)).toEqual([['close', 1003]]);
  expect(read([frame('r', 'x')])).toEqual([['close', 1003]]);
  expect(read(Buffer.from('0a0132120172', 'hex'))).toEqual([['close', 1003]]);
});

test('a fault of our own ends this socket only', () => {
  const fault = new Error('broken');
  const heard = read(frame('r', 'x'), true, () => {
    throw fault;
  });
  expect(heard).toEqual([
    ['input', 'x'],
    ['failed', fault],
    ['close', 1011],
  ]);
});

test('no bytes throw: they are a frame, or they close the socket', () => {
  const types = fc.constantFrom(...Object.values(frameTypes));
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.tuple(types, fc.uint8Array({ maxLength: 60 })).map(([type, payload]) => encodeFrame(type, payload)),
    fc.tuple(types, fc.json()).map(([type, json]) => encodeFrame(type, Buffer.from(json))),
  );
  fc.assert(
    fc.property(message, bytes => {
      const heard = read(Buffer.from(bytes)) as string[][];
      expect(heard.length).toBeLessThanOrEqual(1);
      expect(heard.every(([kind]) => kind !== 'failed')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
