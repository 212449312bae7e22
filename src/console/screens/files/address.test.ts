import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paneText, readPane } from './address.ts';

test('a pane comes back from its address, whatever bytes its path is of', () => {
  const part = fc.string({ minLength: 1 }).filter(text => text.isWellFormed());
  const path = fc
    .array(
      fc.oneof(
        part,
        fc.integer({ min: 0xdc80, max: 0xdcff }).map(code => String.fromCharCode(code)),
        fc.constant('\\x'),
      ),
      {
        minLength: 1,
      },
    )
    .map(pieces => `/${pieces.join('')}`);
  fc.assert(
    fc.property(part, part, path, (serverId, login, path) => {
      const text = paneText({ serverId, login, path });
      expect(text.isWellFormed()).toBe(true);
      expect(readPane(text)).toEqual({ serverId, login, path });
    }),
  );
});

test('what is no address of a pane is none', () => {
  for (const text of ['', 'server', 'server/root', 'server/root/', '%/root/~', '/root/~'])
    expect(readPane(text)).toBeNull();
});
