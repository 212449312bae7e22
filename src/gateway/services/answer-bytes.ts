// Reading what somebody else answers, within bounds.

/** All of an answer's body; null for one of more than `mostBytes`, of which no more than that is read. */
export async function answerBytes(answer: Response, mostBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    length += piece.length;
    if (length > mostBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
