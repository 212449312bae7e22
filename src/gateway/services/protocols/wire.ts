// The few shapes of the SSH wire format that keys and certificates are made of (RFC 4251 section 5).

/** `string`: a 32-bit length and that many bytes. Text is UTF-8. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  const out = Buffer.allocUnsafe(4 + bytes.length);
  out.writeUInt32BE(bytes.length, 0);
  out.set(bytes, 4);
  return out;
}

export function sshUint32(value: number): Buffer {
  const out = Buffer.allocUnsafe(4);
  out.writeUInt32BE(value, 0);
  return out;
}

export function sshUint64(value: bigint): Buffer {
  const out = Buffer.allocUnsafe(8);
  out.writeBigUInt64BE(value, 0);
  return out;
}

/** Splits bytes into their `string` fields; undefined when they do not divide without rest, or there are more than `most`. */
export function sshFields(bytes: Uint8Array, most = 16): readonly Buffer[] | undefined {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: Buffer[] = [];
  for (let at = 0; at < whole.length; ) {
    if (fields.length === most || at + 4 > whole.length) return undefined;
    const end = at + 4 + whole.readUInt32BE(at);
    if (end > whole.length) return undefined;
    fields.push(whole.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
