// Walking the hash chains: the first row that does not fit.
import type { Builder } from '../builder.ts';
import type { Engine } from '../engine.ts';
import type { ChainHead, Events } from '../store.ts';
import { linkHash, START_HASH } from './chain.ts';

/** Rows per read: about 1 MB of events. */
const PAGE_ROWS = 2000;

export async function verifyEvents(
  engine: Engine,
  builder: Builder,
  anchored: readonly ChainHead[] = [],
): ReturnType<Events['verify']> {
  const chains = await engine.read(builder.selectFrom('event_chains').selectAll().orderBy('chain').compile());
  const known = new Set(chains.map(({ chain }) => chain));
  const strays = await engine.read(
    builder
      .selectFrom('events')
      .select(['chain', ({ fn }) => fn.min<number>('seq').as('seq')])
      .groupBy('chain')
      .compile(),
  );
  const stray = strays.find(({ chain }) => !known.has(chain));
  if (stray) return { seq: stray.seq, problem: 'it belongs to a chain that is not known' };
  for (const { chain, length, hash } of chains) {
    const wrong = await verifyChain(engine, builder, chain, length, hash);
    if (wrong) return wrong;
  }
  return verifyAnchored(engine, builder, anchored);
}

/** Chains that fit in themselves may still have been cut, or made anew: they must hold what was written down elsewhere. */
async function verifyAnchored(
  engine: Engine,
  builder: Builder,
  anchored: readonly ChainHead[],
): ReturnType<Events['verify']> {
  for (const { chain, length, hash } of anchored) {
    if (length === 0) continue;
    const [row] = await engine.read(
      builder
        .selectFrom('events')
        .select(['seq', 'position', 'hash'])
        .where('chain', '=', chain)
        .where('position', '<=', length)
        .orderBy('position', 'desc')
        .limit(1)
        .compile(),
    );
    const missing = length - (row?.position ?? 0);
    if (missing > 0) return { seq: row?.seq ?? 0, problem: `${missing} events after it are missing` };
    if (row && row.hash !== hash)
      return { seq: row.seq, problem: 'it, or one before it, is not the event that was anchored' };
  }
  return null;
}

async function verifyChain(
  engine: Engine,
  builder: Builder,
  chain: string,
  length: number,
  head: string,
): ReturnType<Events['verify']> {
  let position = 0;
  let previous = START_HASH;
  let seq = 0;
  for (;;) {
    // Later rows are from appends meanwhile.
    const rows = await engine.read(
      builder
        .selectFrom('events')
        .selectAll()
        .where('chain', '=', chain)
        .where('position', '>', position)
        .where('position', '<=', length)
        .orderBy('position')
        .limit(PAGE_ROWS)
        .compile(),
    );
    for (const row of rows) {
      seq = row.seq;
      if (row.position !== position + 1)
        return { seq, problem: `${row.position - position - 1} events before it are missing` };
      if (linkHash(previous, row) !== row.hash) return { seq, problem: 'its content does not match its hash' };
      previous = row.hash;
      position = row.position;
    }
    if (rows.length < PAGE_ROWS) break;
  }
  if (position !== length) return { seq, problem: `${length - position} events after it are missing` };
  return previous === head ? null : { seq, problem: 'it is not the event that the chain ended with' };
}
