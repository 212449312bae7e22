import { expect, test } from 'vitest';
import { SEEN_EVERY_BYTES, SEEN_WINDOW_BYTES } from '../../contract/terminal.ts';
import { createFlowControl } from './flow-control.ts';

function started() {
  const drawing: { bytes: number; done: () => void }[] = [];
  const told: number[] = [];
  const page = { hidden: false, resyncs: 0 };
  const flow = createFlowControl({
    write: (bytes, drawn) => void drawing.push({ bytes: bytes.length, done: drawn }),
    seen: offset => void told.push(offset),
    hidden: () => page.hidden,
    resync() {
      page.resyncs += 1;
    },
  });
  let end = 0;
  return {
    flow,
    told,
    page,
    drawing,
    print(bytes: number): void {
      end += bytes;
      flow.push(new Uint8Array(bytes), end);
    },
    draw(): boolean {
      const next = drawing.shift();
      next?.done();
      return next !== undefined;
    },
    outstanding: () => drawing.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

test('the terminal is never handed more than 500 kB ahead of what it drew', () => {
  const { print, outstanding, draw, flow } = started();
  for (let count = 0; count < 100; count += 1) print(64 * 1024);
  do expect(outstanding()).toBeLessThan(500_000);
  while (draw());
  expect(flow.behind()).toBe(0);
});

test('progress is told after every 64 kB drawn, not before', () => {
  const { print, draw, told } = started();
  print(SEEN_EVERY_BYTES - 1);
  draw();
  expect(told).toEqual([]);
  print(1);
  expect(told).toEqual([]);
  draw();
  expect(told).toEqual([SEEN_EVERY_BYTES]);
});

test('a gateway that waits for the window is always set free again', () => {
  const { print, draw, told } = started();
  let sent = 0;
  for (let count = 0; count < 500; count += 1) {
    if (sent - (told.at(-1) ?? 0) <= SEEN_WINDOW_BYTES) {
      print(7001);
      sent += 7001;
    }
    if (count % 2 === 0) draw();
  }
  while (draw());
  expect(sent - (told.at(-1) ?? 0)).toBeLessThan(SEEN_EVERY_BYTES);
});

test('a hidden page takes output in as it comes, so that the shell goes on', () => {
  const { print, told, page } = started();
  page.hidden = true;
  for (let count = 0; count < 10; count += 1) print(SEEN_EVERY_BYTES);
  expect(told.length).toBe(10);
});

test('what a hidden page cannot keep is left out, and had anew when somebody looks', () => {
  const { print, page, flow } = started();
  page.hidden = true;
  for (let count = 0; count < 100; count += 1) print(64 * 1024);
  expect(flow.behind()).toBeLessThan(1.5 * 1024 * 1024);
  flow.wake();
  expect(page.resyncs).toBe(1);
  flow.restart(0);
  flow.wake();
  expect(page.resyncs).toBe(1);
});

test('after a restart nothing of the earlier life is counted', () => {
  const { print, drawing, told, flow } = started();
  print(SEEN_EVERY_BYTES);
  const old = drawing[0];
  flow.restart(1_000_000);
  old?.done();
  expect([told, flow.behind()]).toEqual([[], 0]);
});
