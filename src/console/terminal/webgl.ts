// Shares the page's few WebGL contexts among the terminals that can be seen.
import { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';

/** A page keeps about 16 contexts and then takes the oldest away; half leaves room for pictures and desktops. */
const CONTEXTS_MOST = 8;
/** Losses after which the graphics driver is not trusted any more in this page. */
const LOSSES_MOST = 3;

/** Renderers that draw on the processor: slower than xterm's DOM renderer, and they hold up the main thread. */
const softwareRenderers = /swiftshader|llvmpipe|softpipe|basic render|software/i;

/** Whether a graphics card does the drawing. Chromium says so only by the renderer's name: it ignores failIfMajorPerformanceCaveat for SwiftShader. */
function hasGraphicsCard(page: Document): boolean {
  const context = page.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!context) return false;
  const names = context.getExtension('WEBGL_debug_renderer_info');
  const renderer: unknown = context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !softwareRenderers.test(String(renderer));
}

/** Gives a terminal a context, or takes it back; without one xterm draws with DOM elements. */
export function createContextPool() {
  const owners = new Map<Terminal, { readonly addon: WebglAddon; readonly onDom: () => void }>();
  let losses = 0;
  let refused: boolean | null = null;

  function free(xterm: Terminal): void {
    const owned = owners.get(xterm);
    if (!owned) return;
    owners.delete(xterm);
    owned.addon.dispose();
    owned.onDom();
  }

  return {
    /** `onDom` is called when a terminal that had a context draws with DOM elements again. */
    take(xterm: Terminal, wanted: boolean, onDom: () => void): void {
      if (!wanted) {
        free(xterm);
        return;
      }
      refused ??= !hasGraphicsCard(document);
      if (refused || losses >= LOSSES_MOST || owners.has(xterm) || owners.size >= CONTEXTS_MOST) return;
      const addon = new WebglAddon();
      addon.onContextLoss(() => {
        losses += 1;
        free(xterm);
      });
      try {
        xterm.loadAddon(addon);
        owners.set(xterm, { addon, onDom });
      } catch {
        refused = true; // no WebGL 2 here: the DOM renderer is already drawing
        addon.dispose();
      }
    },
    get size(): number {
      return owners.size;
    },
  };
}
