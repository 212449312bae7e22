// Keys of the bar as VNC names them (X11, keysymdef.h).
const keysyms: Readonly<Record<string, number>> = {
  ControlLeft: 0xffe3,
  AltLeft: 0xffe9,
  Delete: 0xffff,
  MetaLeft: 0xffeb,
  Tab: 0xff09,
  Escape: 0xff1b,
  PrintScreen: 0xff61,
};

/** Throws for a key that the bar does not have. */
export function keysymOf(code: string): number {
  const keysym = keysyms[code];
  if (keysym === undefined) throw new Error(`no keysym for ${code}`);
  return keysym;
}
