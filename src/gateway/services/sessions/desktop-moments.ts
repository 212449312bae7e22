// What the desktops of running sessions show now, for whoever comes to watch one late: drawn from the recording here, not at theirs.
import type { DesktopMoment } from '../../../contract/desktop-sessions.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Drawing } from '../desktop-drawing/drawing.ts';

/** Drawings that are kept where they are, for whoever comes next to begin there; each takes a thread. */
const KEPT_MOST = 2;

interface MomentParts {
  readonly openDrawing: (protocol: DesktopProtocol) => Drawing;
  /** Hands over what was drawn from `from` up to `until`, part by part. Rejects where the recording does not hold it. */
  readonly read: (sid: string, from: number, until: number) => AsyncIterable<Uint8Array>;
}
export interface DesktopMoments {
  /** The moment at which so many bytes are drawn. Null: it cannot be drawn, and has to be played from its beginning. */
  at(sid: string, protocol: DesktopProtocol, bytes: number): Promise<DesktopMoment | null>;
  /** Nobody watches it any longer. */
  forget(sid: string): void;
}

export function createDesktopMoments({ openDrawing, read }: MomentParts): DesktopMoments {
  /** In the order they were used, the last one last. */
  const kept = new Map<string, { readonly drawing: Drawing; at: number }>();
  /** One after another: each takes a good part of a core. */
  let turn: Promise<unknown> = Promise.resolve();

  function forget(sid: string): void {
    const found = kept.get(sid);
    kept.delete(sid);
    void found?.drawing.close();
  }
  async function draw(sid: string, protocol: DesktopProtocol, bytes: number): Promise<DesktopMoment | null> {
    const before = kept.get(sid);
    // What is behind them cannot be drawn back.
    if (before && before.at > bytes) forget(sid);
    const one = kept.get(sid) ?? { drawing: openDrawing(protocol), at: 0 };
    kept.delete(sid);
    kept.set(sid, one);
    for (const [oldest] of kept) if (kept.size > KEPT_MOST) forget(oldest);
    try {
      for await (const part of read(sid, one.at, bytes)) {
        await one.drawing.feed(part);
        one.at += part.length;
      }
      const found = await one.drawing.restored();
      if (!found) return null;
      const [start, png, after] = [found.before, found.png, found.after].map(part =>
        Buffer.from(part).toString('base64'),
      );
      return { width: found.width, height: found.height, before: start ?? '', png: png ?? '', after: after ?? '' };
    } catch {
      // Whoever watches draws it themselves, from its beginning, and is told there what is wrong with it.
      forget(sid);
      return null;
    }
  }
  return {
    at(sid, protocol, bytes) {
      const mine = turn.then(() => draw(sid, protocol, bytes));
      turn = mine.catch(() => undefined);
      return mine;
    },
    forget,
  };
}
