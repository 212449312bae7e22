// The name that a body gives a new object: bodies are JSON, or the protobuf that kubectl sends for kinds that API servers have of their own.
import * as z from 'zod/mini';

interface Named {
  /** '' where it has none, or the server is to make one. */
  readonly name: string;
  /** '' where it has none: it is that of the path. */
  readonly namespace: string;
}
const NOBODY: Named = { name: '', namespace: '' };
const optional = z.nullish(z.string());
const object = z.object({ metadata: z.looseObject({ name: optional, namespace: optional }) });

/** What a body in another form names is not known: `name` is ''. */
export function namedIn(body: Buffer, type: string): Named {
  try {
    return type.startsWith('application/vnd.kubernetes.protobuf') ? inProtobuf(body) : inJson(body);
  } catch {
    return NOBODY;
  }
}

function inJson(body: Buffer): Named {
  const { metadata } = z.parse(object, JSON.parse(body.toString()));
  // Some servers take such a key for the one that is meant.
  if (Object.keys(metadata).some(key => /^name(space)?$/i.test(key) && key !== key.toLowerCase())) return NOBODY;
  return { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
}

const MAGIC = Buffer.from('k8s\0');
/** Numbers of fields: of the envelope, of every object, of its metadata. */
const fields = { raw: 2, metadata: 1, name: 1, namespace: 3 } as const;
const VARINT = 0;
const EIGHT_BYTES = 1;
const BYTES = 2;
const FOUR_BYTES = 5;

function inProtobuf(body: Buffer): Named {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) return NOBODY;
  const raw = textsOf(body.subarray(MAGIC.length), fields.raw).at(-1) ?? Buffer.alloc(0);
  // As readers of it do: messages that come twice are one, and the last of a text counts.
  const metadata = textsOf(raw, fields.metadata);
  const last = (field: number): string =>
    metadata
      .flatMap(one => textsOf(one, field))
      .at(-1)
      ?.toString() ?? '';
  return { name: last(fields.name), namespace: last(fields.namespace) };
}

/** The values of a field of texts, bytes or messages. Throws RangeError for what is no message. */
function textsOf(message: Buffer, wanted: number): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      if (factor > 2 ** 63) throw new RangeError('a number that is too long');
    }
  };
  while (at < message.length) {
    const key = varint();
    const kind = key % 8;
    if (kind === VARINT) varint();
    else if (kind === EIGHT_BYTES) at += 8;
    else if (kind === FOUR_BYTES) at += 4;
    else if (kind === BYTES) {
      const length = varint();
      if (length > message.length - at) throw new RangeError('longer than the message');
      if (Math.floor(key / 8) === wanted) found.push(message.subarray(at, at + length));
      at += length;
    } else throw new RangeError('a field of no kind');
  }
  return found;
}
