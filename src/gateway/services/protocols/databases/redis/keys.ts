// What guards ask of a Redis command: its name, and which keys it is about. Places of keys are those that the server's own COMMAND says (7.0); a test
// holds them against a real one.
import type { StatementFacts } from '../../../../ports/databases.ts';
import type { Command } from './commands.ts';

const of = (names: string): readonly string[] => names.split(' ');
/** First key, last key (from the end where it is negative) and the step between them, as the server counts words; two words: with a subcommand. */
const places: readonly (readonly [first: number, last: number, step: number, names: readonly string[]])[] = [
  [
    ...([1, 1, 1] as const),
    of(
      'append bitcount bitfield bitfield_ro bitpos decr decrby dump expire expireat expiretime geoadd geodist geohash geopos georadius_ro georadiusbymember_ro geosearch get getbit getdel getex getrange getset hdel hexists hget hgetall hincrby hincrbyfloat hkeys hlen hmget hmset hrandfield hscan hset hsetnx hstrlen hvals incr incrby incrbyfloat lindex linsert llen lpop lpos lpush lpushx lrange lrem lset ltrim move persist pexpire pexpireat pexpiretime pfadd psetex pttl restore restore-asking rpop rpush rpushx sadd scard set setbit setex setnx setrange sismember smembers smismember spop spublish srandmember srem sscan strlen substr ttl type xack xadd xautoclaim xclaim xdel xlen xpending xrange xrevrange xsetid xtrim zadd zcard zcount zincrby zlexcount zmscore zpopmax zpopmin zrandmember zrange zrangebylex zrangebyscore zrank zrem zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore',
    ),
  ],
  [
    ...([1, -1, 1] as const),
    of(
      'del exists mget pfcount pfmerge sdiff sdiffstore sinter sinterstore ssubscribe sunion sunionstore sunsubscribe touch unlink watch',
    ),
  ],
  [1, -1, 2, of('mset msetnx')],
  [1, -2, 1, of('blpop brpop bzpopmax bzpopmin')],
  [
    ...([1, 2, 1] as const),
    of('blmove brpoplpush copy geosearchstore lcs lmove rename renamenx rpoplpush smove zrangestore'),
  ],
  [2, -1, 1, of('bitop')],
  [2, 2, 1, of('pfdebug')],
];
/** The same of commands with a subcommand: the second word after it. */
const withinPlaces = new Set([
  ...['memory usage', 'object encoding', 'object freq', 'object idletime', 'object refcount'],
  ...['xgroup create', 'xgroup createconsumer', 'xgroup delconsumer', 'xgroup destroy', 'xgroup setid'],
  ...['xinfo consumers', 'xinfo groups', 'xinfo stream'],
]);
/** Their keys stand where other words say: each word may be one. */
const movable = new Set(
  of(
    'blmpop bzmpop georadius georadiusbymember lmpop migrate sintercard xread xreadgroup zdiff zdiffstore zinter zintercard zinterstore zmpop zunion zunionstore',
  ),
);
/** They are about all keys there are, or about any. */
const anywhere = new Set(
  of('flushall flushdb swapdb keys scan randomkey monitor debug sort sort_ro replicaof slaveof'),
);
/** They execute what their words do not tell. */
const opaque = new Set(of('eval eval_ro evalsha evalsha_ro fcall fcall_ro'));
/** No keys. */
const keyless = new Set(
  of(
    'acl asking auth bgrewriteaof bgsave client cluster command config dbsize discard echo exec failover function hello info lastsave latency lolwut memory module multi object pfselftest ping psubscribe psync publish pubsub punsubscribe quit readonly readwrite replconf reset role save script select shutdown slowlog subscribe sync time unsubscribe unwatch wait xgroup xinfo',
  ),
);
const placeOf = new Map(
  places.flatMap(([first, last, step, names]) => names.map(name => [name, { first, last, step }])),
);
/** Words of names and subcommands are no longer, bytes. */
const NAME_MOST_BYTES = 64;

/** The keys of a command; 'any': they may be any; null: what it does cannot be told from its words. */
export function keysOf(words: readonly Buffer[]): readonly string[] | 'any' | null {
  const name = lower(words[0]);
  if (opaque.has(name)) return null;
  if (anywhere.has(name)) return 'any';
  const text = (word: Buffer): string => word.toString();
  if (movable.has(name)) return words.slice(1).map(text);
  if (withinPlaces.has(`${name} ${lower(words[1])}`)) return words.slice(2, 3).map(text);
  if (keyless.has(name)) return [];
  const place = placeOf.get(name);
  if (!place) return null;
  const last = place.last < 0 ? words.length + place.last : place.last;
  return words.filter((_, at) => at >= place.first && at <= last && (at - place.first) % place.step === 0).map(text);
}
const lower = (word: Buffer | undefined): string => word?.toString('latin1', 0, NAME_MOST_BYTES).toLowerCase() ?? '';

/** Null: what it does cannot be told. `isWhole`: all its words are here. */
export function factsOf({ words }: Command, isWhole: boolean): readonly StatementFacts[] | null {
  const keys = isWhole ? keysOf(words) : null;
  if (keys === null) return null;
  const columns = new Set<string>();
  const name = lower(words[0]);
  return [
    {
      ...{ kinds: new Set(), tables: [], columns, allColumns: false, used: { columns, allColumns: false } },
      ...{ functions: new Set<string>(), aliases: new Map(), renames: false, takesUp: [], isPlanned: false },
      command: { names: [name, `${name} ${lower(words[1])}`], keys: keys === 'any' ? null : keys },
    },
  ];
}
