// Keys by their places as VNC names them (X11, keysymdef.h), as they are on an American keyboard: clients that name places do not say what they mean.

/** Rows of letters from a scan code on, without Shift and with it. */
const rows: readonly (readonly [number, string, string])[] = [
  [0x02, '1234567890-=', '!@#$%^&*()_+'],
  [0x10, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [0x1e, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [0x2b, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
  [0x39, ' ', ' '],
  [0x56, '<', '>'],
];
/** The same with and without Shift. */
const others: ReadonlyMap<number, number> = new Map([
  ...[0xff1b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff08, 0xff09].map((keysym, at) => [at + 1, keysym] as const),
  ...[0xffbe, 0xffbf, 0xffc0, 0xffc1, 0xffc2, 0xffc3, 0xffc4, 0xffc5, 0xffc6, 0xffc7].map(
    (keysym, at) => [0x3b + at, keysym] as const,
  ),
  ...[0xffb7, 0xffb8, 0xffb9, 0xffad, 0xffb4, 0xffb5, 0xffb6, 0xffab, 0xffb1, 0xffb2, 0xffb3, 0xffb0, 0xffae].map(
    (keysym, at) => [0x47 + at, keysym] as const,
  ),
  ...([
    [0x1c, 0xff0d],
    [0x1d, 0xffe3],
    [0x2a, 0xffe1],
    [0x36, 0xffe2],
    [0x37, 0xffaa],
    [0x38, 0xffe9],
    [0x3a, 0xffe5],
    [0x45, 0xff13],
    [0x46, 0xff14],
    [0x57, 0xffc8],
    [0x58, 0xffc9],
    [0xe01c, 0xff8d],
    [0xe01d, 0xffe4],
    [0xe035, 0xffaf],
    [0xe037, 0xff61],
    [0xe038, 0xffea],
    [0xe045, 0xff7f],
    [0xe047, 0xff50],
    [0xe048, 0xff52],
    [0xe049, 0xff55],
    [0xe04b, 0xff51],
    [0xe04d, 0xff53],
    [0xe04f, 0xff57],
    [0xe050, 0xff54],
    [0xe051, 0xff56],
    [0xe052, 0xff63],
    [0xe053, 0xffff],
    [0xe05b, 0xffeb],
    [0xe05c, 0xffec],
    [0xe05d, 0xff67],
  ] as const),
]);
const SHIFTS: readonly number[] = [0x2a, 0x36];

/** Answers what each key means as it is pressed and let go of; 0: nothing that is known. A key is let go of as it was pressed. */
export function createKeysyms(): (scancode: number, isDown: boolean) => number {
  const shifts = new Set<number>();
  const pressed = new Map<number, number>();
  const meaning = (scancode: number): number => {
    const other = others.get(scancode);
    if (other) return other;
    for (const [first, plain, shifted] of rows) {
      const letter = (shifts.size > 0 ? shifted : plain).charCodeAt(scancode - first);
      if (letter > 0) return letter;
    }
    return 0;
  };
  return (scancode, isDown) => {
    const keysym = pressed.get(scancode) ?? meaning(scancode);
    if (isDown) pressed.set(scancode, keysym);
    else pressed.delete(scancode);
    if (SHIFTS.includes(scancode)) {
      if (isDown) shifts.add(scancode);
      else shifts.delete(scancode);
    }
    return keysym;
  };
}
