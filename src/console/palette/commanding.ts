// The command surface as the shell puts it together: keymap, runner, recents, and whether palette or help sheet are open.
import { proxy, ref } from 'valtio/vanilla';
import type { KeyPress } from '../../../commands/chords.ts';
import type { Command, Facts, Given, Registry, Thing, Tools } from '../../../commands/command.ts';
import type { EarlyKeys } from '../ui/early-keys.ts';
import { readableChord } from '../ui/KeyCap.tsx';
import { shareFacts } from './drawn-facts.ts';
import { createKeymap } from './keymap.ts';
import type { OwnKeysPort } from './rebinding.ts';
import { createRecents, type RecentsPort } from './recents.ts';
import { createRunner } from './run.ts';

/** Why the palette is open: to find something, or to ask what a command still needs. */
export interface PaletteRequest {
  readonly typed: string;
  readonly command: Command | null;
  readonly given: Given;
}

export interface CommandingPorts {
  /** The rows that are known from the beginning, and all of them. */
  readonly first: Registry;
  readonly loadAll: () => Promise<Registry>;
  /** Says what is wrong with the person's own keys, once all rows are known. */
  readonly wrongKeys: (problems: readonly string[]) => void;
  readonly facts: () => Facts;
  /** The tools commands run with. Their openPalette and openHelp are this surface's own: see `openPalette`, `openHelp`. */
  readonly tools: (from?: Command) => Tools;
  readonly recents: RecentsPort;
  readonly mac: boolean;
  readonly later: (action: () => void, ms: number) => () => void;
  /** The person's own keys (preferences.console.keys). */
  readonly ownKeys: OwnKeysPort;
  /** The page's queue of keys that wait for what is on its way. */
  readonly keys: Pick<EarlyKeys, 'hold'>;
  /** Ids of commands whose keys have been taught. */
  readonly taught: RecentsPort;
  /** Calls the listener whenever facts may have changed; the answer ends that. Buttons draw themselves anew by it. */
  readonly onFacts: (listener: () => void) => () => void;
}

/** Everything that runs commands in one console. */
export function createCommanding(ports: CommandingPorts) {
  let known = ports.first;
  let loading: Promise<void> | undefined;
  let isWhole = false;
  /** Fetches the rows that are not known yet, once. Throws when they cannot be had; the next call tries again. */
  function loadAll(): Promise<void> {
    loading ??= ports.loadAll().then(
      all => {
        known = all;
        isWhole = true;
        ports.wrongKeys(keymap.learn(all.rows));
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }
  const surface = proxy<{ palette: PaletteRequest | null; help: boolean }>({ palette: null, help: false });
  const recents = createRecents(ports.recents);
  /** The palette or the help sheet was asked for and is not on screen: keys wait for it. Null while neither is awaited. */
  let awaited: (() => void) | null = null;
  const shown = (): void => {
    awaited?.();
    awaited = null;
  };
  const open = (request: PaletteRequest): void => {
    // Should it never come, Escape gives the keys back.
    if (surface.palette === null) awaited ??= ports.keys.hold({ onEscape: close });
    surface.help = false;
    surface.palette = ref(request);
  };
  const runner = createRunner({
    commandById: id => known.byId(id) ?? loadAll().then(() => known.byId(id)),
    facts: ports.facts,
    tools: ports.tools,
    recents,
    ask: (command, given) => open({ typed: '', command, given }),
  });
  const run = (id: string, given?: Given, things?: readonly Thing[]): void => {
    runner.run(id, given, things).catch((error: unknown) => {
      // A mistake in the console: what commands throw themselves has been said already.
      ports.tools().notify(error instanceof Error ? error.message : 'Something went wrong');
    });
  };
  function closeHelp(): void {
    shown();
    surface.help = false;
  }
  function close(): void {
    shown();
    surface.palette = null;
  }
  /** Hears every key in place of the keymap, as while new keys are pressed for a command; null while nobody does. */
  let recording: ((event: KeyPress) => void) | null = null;
  function hold(event: KeyPress): boolean {
    recording?.(event);
    return recording !== null;
  }
  const keymap = createKeymap({
    commands: known.rows,
    facts: ports.facts,
    run,
    mac: ports.mac,
    later: ports.later,
    hold,
  });
  return {
    surface,
    registry: (): Registry => known,
    isWhole: (): boolean => isWhole,
    loadAll,
    recents,
    runner,
    run,
    facts: ports.facts,
    tools: ports.tools,
    later: ports.later,
    /** For what draws: everything else reads `facts`, which are those of this moment. */
    drawn: shareFacts(ports),
    keymap,
    ownKeys: ports.ownKeys,
    mac: ports.mac,
    /** Hands every key to a listener until the answer is called. */
    record(listener: (event: KeyPress) => void): () => void {
      recording = listener;
      return () => {
        if (recording === listener) recording = null;
      };
    },
    /** A person used the mouse for a command that has a key: says so, once for each command. */
    teach(id: string): void {
      const keys = keymap.keysOf(id);
      const before = ports.taught.read();
      if (keys === undefined || before.includes(id)) return;
      ports.taught.write([...before, id]);
      ports.tools().notify(`Next time: ${readableChord(keys).join(' ')}`);
    },
    /** Opens the palette, or closes it when it is open and nothing was asked for. */
    openPalette(typed?: string): void {
      if (surface.palette !== null && typed === undefined) close();
      else open({ typed: typed ?? '', command: null, given: {} });
    },
    closePalette: close,
    /** What was asked for is on screen and has the focus: it gets the keys that were pressed while it was coming. */
    shown,
    /** Keys wait until the answer is called; Escape calls off what was awaited. */
    holdKeys: (onEscape: () => void): (() => void) => ports.keys.hold({ onEscape }),
    openHelp(): void {
      close();
      // As the palette, it may still be on its way.
      if (!surface.help) awaited ??= ports.keys.hold({ onEscape: closeHelp });
      surface.help = true;
    },
    closeHelp,
  };
}
export type Commanding = ReturnType<typeof createCommanding>;
