import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sshString } from '../wire.ts';
import { createAssembly, kinds, packet } from './packets.ts';

test('packets come whole from any pieces, and the bytes of a file as they came', () => {
  const made = fc.record({ isData: fc.boolean(), bytes: fc.uint8Array({ maxLength: 200 }) });
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(fc.array(made, { maxLength: 10 }), cuts, (list, lengths) => {
      const whole = Buffer.concat(
        list.map(({ isData, bytes }, id) =>
          packet(isData ? kinds.data : kinds.name, id, sshString(Buffer.from(bytes))),
        ),
      );
      const taken: { kind: number | undefined; id: number; bytes: string }[] = [];
      const assemble = createAssembly((front, data) => {
        const bytes = Buffer.concat([front.subarray(9), ...data]);
        taken.push({ kind: front[0], id: front.readUInt32BE(1), bytes: bytes.toString('hex') });
      });
      for (let at = 0; at < whole.length; ) {
        const { value: length } = lengths.next();
        assemble(whole.subarray(at, at + length));
        at += length;
      }
      expect(taken).toEqual(
        list.map(({ isData, bytes }, id) => ({
          kind: isData ? kinds.data : kinds.name,
          id,
          bytes: Buffer.from(bytes).toString('hex'),
        })),
      );
    }),
    { numRuns: 200 },
  );
});
