// What no client of SSH says, for tests of the port.

/** The same every time: a generator of numbers below `most` (Numerical Recipes' congruential one). */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return most => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
/** One of many kinds, by the seed. */
export function rubbish(seed: number): Buffer {
  const next = numbers(seed);
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => next(256)));
  const word = (value: number): Buffer => {
    const four = Buffer.alloc(4);
    four.writeUInt32BE(value);
    return four;
  };
  /** A packet in the clear, as RFC 4253 section 6 has it. */
  const packet = (payload: Buffer, padding = 8 + ((8 - ((payload.length + 5) % 8)) % 8)): Buffer =>
    Buffer.concat([word(payload.length + padding + 1), Buffer.of(padding), payload, Buffer.alloc(padding)]);
  const hello = Buffer.from('SSH-2.0-OpenSSH_9.2\r\n');
  const list = (): Buffer => Buffer.concat([word(next(2) ? next(64) : 0xffff_ffff), bytes(next(64))]);
  const kinds: readonly (() => Buffer)[] = [
    () => Buffer.alloc(0),
    () => bytes(1 + next(600)),
    () => Buffer.alloc(1 + next(9000)),
    () =>
      Buffer.from(
        ['GET / HTTP/1.1\r\n\r\n', 'SSH-1.5-old\r\n', 'SSH-2.0\r\n', 'SSH-\0\0\r\n', '\x16\x03\x01'][next(5)] ?? '',
      ),
    () => Buffer.from(`SSH-2.0-${'x'.repeat(next(20_000))}${next(2) ? '\n' : ''}`),
    () => hello.subarray(0, next(hello.length)),
    () => Buffer.concat([hello, word(next(2 ** 32)), bytes(next(300))]),
    () => Buffer.concat([hello, word([0, 1, 35_001, 0x7fff_ffff, 0xffff_ffff][next(5)] ?? 0), bytes(64)]),
    () => Buffer.concat([hello, packet(bytes(1 + next(200)))]),
    () => Buffer.concat([hello, packet(bytes(16), 255)]),
    // Lists of algorithms that are cut, empty, or longer than they say.
    () =>
      Buffer.concat([
        hello,
        packet(Buffer.concat([Buffer.of(20), bytes(16), ...Array.from({ length: 10 }, list), Buffer.alloc(5)])),
      ]),
    // Asks for a log-in, a channel or new keys before any are agreed on.
    () => Buffer.concat([hello, packet(Buffer.concat([Buffer.of([5, 21, 30, 50, 80, 90, 94][next(7)] ?? 5), list()]))]),
  ];
  return kinds[seed % kinds.length]?.() ?? Buffer.alloc(0);
}
