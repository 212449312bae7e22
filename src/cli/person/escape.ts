// Leaving a shell that no longer listens: `~.` after Enter, as in ssh.

const TILDE = 0x7e;
const DOT = 0x2e;
const isNewline = (byte: number): boolean => byte === 0x0d || byte === 0x0a;

/** Reads what is typed: answers the bytes for the shell, or null when the person leaves. `~~` after Enter is one `~`. */
export function createEscape(): (typed: Uint8Array) => Uint8Array | null {
  let afterNewline = true;
  let pending = false;
  return typed => {
    const passed: number[] = [];
    for (const byte of typed) {
      if (pending) {
        pending = false;
        if (byte === DOT) return null;
        passed.push(TILDE);
        afterNewline = isNewline(byte);
        if (byte !== TILDE) passed.push(byte);
        continue;
      }
      if (afterNewline && byte === TILDE) {
        pending = true;
        continue;
      }
      afterNewline = isNewline(byte);
      passed.push(byte);
    }
    return Uint8Array.from(passed);
  };
}
