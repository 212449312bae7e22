// POSIX tar, piece by piece, with PAX records (IEEE 1003.1, pax) for names of any bytes and sizes that its old fields have no room for.
import type { FileFacts } from '../ports/files.ts';

const BLOCK_BYTES = 512;
/** Old fields: names of up to 100 bytes, sizes of up to 11 octal digits. */
const NAME_BYTES = 100;
const SIZE_MOST = 8 ** 11 - 1;

const types = { file: '0', link: '2', folder: '5', records: 'x' } as const;

/** What is in an archive. `path` as bytes; `link`: where a link leads, as bytes. */
interface TarEntry extends Pick<FileFacts, 'size' | 'mode' | 'uid' | 'gid' | 'modified'> {
  readonly kind: keyof typeof types;
  readonly path: Buffer;
  readonly link?: Buffer;
}

/** One record of PAX: its length counts itself. */
function record(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')]);
  let length = rest.length + 1;
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length;
  return Buffer.concat([Buffer.from(`${length}`), rest]);
}
function header({ kind, path, link, size, mode, uid, gid, modified }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, digits: number): void =>
    void block.write(
      Math.min(value, 8 ** digits - 1)
        .toString(8)
        .padStart(digits, '0'),
      at,
    );
  path.copy(block, 0, 0, NAME_BYTES);
  octal(mode, 100, 7);
  octal(uid, 108, 7);
  octal(gid, 116, 7);
  octal(size, 124, 11);
  octal(Math.max(0, Math.floor(modified.getTime() / 1000)), 136, 11);
  block.write(' '.repeat(8), 148);
  block.write(types[kind], 156);
  link?.copy(block, 157, 0, NAME_BYTES);
  block.write('ustar\0' + '00', 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block.write('\0 ', 154);
  return block;
}

/** What fills up the last block of so many bytes. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
/** What ends an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK_BYTES);

/** What goes before the bytes of an entry. */
export function tarHeader(entry: TarEntry): Buffer {
  const { path, link, size } = entry;
  const isPlain = (name: Buffer): boolean => name.length <= NAME_BYTES && name.every(byte => byte < 0x80);
  const records = [
    ...(isPlain(path) ? [] : [record('path', path)]),
    ...(link === undefined || isPlain(link) ? [] : [record('linkpath', link)]),
    ...(size <= SIZE_MOST ? [] : [record('size', Buffer.from(`${size}`))]),
  ];
  if (records.length === 0) return header(entry);
  const isText = (name: Buffer): boolean => Buffer.from(name.toString('utf8')).equals(name);
  // Names are UTF-8 unless it is said that they are bytes.
  if (!isText(path) || (link && !isText(link))) records.unshift(record('hdrcharset', Buffer.from('BINARY')));
  const body = Buffer.concat(records);
  return Buffer.concat([
    header({ ...entry, kind: 'records', path: Buffer.from('PaxHeader'), size: body.length }),
    body,
    tarPadding(body.length),
    header(entry),
  ]);
}
