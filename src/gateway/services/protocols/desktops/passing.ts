// Reads a protocol out of a stream of bytes as they come: a script says how many it wants next, and what becomes of them.

/** `take`: so many at once, handed to the script. `pass`: so many go on as they come. `drop`: so many go nowhere. */
type Need = { readonly take: number } | { readonly pass: number } | { readonly drop: number };
export type Script = Generator<Need, void, Buffer>;

/** What was sent is not what the protocol says: the session ends. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** The password that was shown is not the server's, or none was shown where one is wanted. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword';
}

const NOTHING = Buffer.alloc(0);

/** Answers what is to be told of each piece of the stream. `passed` gets what goes on; it throws what the script throws. */
export function readBy(script: Script, passed: (bytes: Buffer) => void): (piece: Buffer) => void {
  let need = script.next().value ?? null;
  /** What is still wanted of `need`, and what has come of what is taken at once. */
  let left = need ? countOf(need) : 0;
  let held: Buffer[] = [];
  const go = (bytes: Buffer): void => {
    need = script.next(bytes).value ?? null;
    left = need ? countOf(need) : 0;
  };
  return piece => {
    let rest = piece;
    while (need) {
      if (left === 0) {
        const taken = held.length === 1 ? held[0] : Buffer.concat(held);
        held = [];
        go(taken ?? NOTHING);
        continue;
      }
      if (rest.length === 0) return;
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      if ('take' in need) held.push(part);
      else if ('pass' in need) passed(part);
    }
  };
}

const countOf = (need: Need): number => ('take' in need ? need.take : 'pass' in need ? need.pass : need.drop);

/** So many bytes at once. */
export function* take(count: number): Generator<{ readonly take: number }, Buffer, Buffer> {
  return yield { take: count };
}
