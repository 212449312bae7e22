// Keys of the bar, and those that are held with others, as VNC names them (X11, keysymdef.h).

/** Held with another key: whoever takes the focus away meanwhile hears of their end. */
const held: Readonly<Record<string, number>> = {
  ShiftLeft: 0xffe1,
  ShiftRight: 0xffe2,
  ControlLeft: 0xffe3,
  ControlRight: 0xffe4,
  AltLeft: 0xffe9,
  AltRight: 0xffea,
  MetaLeft: 0xffeb,
  MetaRight: 0xffec,
};
const keysyms: Readonly<Record<string, number>> = {
  ...held,
  Delete: 0xffff,
  Tab: 0xff09,
  Escape: 0xff1b,
  PrintScreen: 0xff61,
};

export const isHeldKey = (code: string): boolean => code in held;

/** Throws for a key that neither is. */
export function keysymOf(code: string): number {
  const keysym = keysyms[code];
  if (keysym === undefined) throw new Error(`no keysym for ${code}`);
  return keysym;
}
