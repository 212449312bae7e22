// The terminals as the frame has them from the beginning: everything behind them is fetched when there is one, or somebody wants one.
import type { TerminalPorts } from './ports.ts';
import { browserStorage, tabsKey } from './storage.ts';
import { emptyState, type PageTerminals, type Terminals } from './terminals.ts';

/** What is told to terminals that are not there yet and need not come for it. */
const patient: ReadonlySet<PropertyKey> = new Set(['belongTo', 'forget', 'restoreSize', 'setFull']);

/** Makes the page's terminals. What a reload left behind comes back at once; keys wait until it is there. */
export function createTerminals(ports: TerminalPorts): PageTerminals {
  const state = emptyState();
  let loaded: Terminals | undefined;
  let loading: Promise<Terminals> | undefined;
  const told: ((terminals: Terminals) => void)[] = [];
  async function fetchTerminals(): Promise<Terminals> {
    const { openTerminals } = await import('./tabs.ts');
    loaded = openTerminals(ports, state);
    for (const tell of told.splice(0)) tell(loaded);
    return loaded;
  }
  const load = (): Promise<Terminals> => {
    loading ??= fetchTerminals().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  /** Somebody waits for them: keys that are pressed until it has begun wait, too, but not longer: it may ask for some. */
  async function when(act: (terminals: Terminals) => unknown): Promise<unknown> {
    const release = ports.keys.hold();
    try {
      return act(await load());
    } catch (error) {
      ports.notify(error instanceof Error ? error.message : 'No terminal could be loaded');
      return false;
    } finally {
      release();
    }
  }
  if ((ports.storage ?? browserStorage()).session.getItem(tabsKey()) !== null) void when(() => undefined);

  const tell = (name: keyof Terminals, given: readonly unknown[]) => {
    const act = (terminals: Terminals): unknown =>
      (terminals[name] as (...given: readonly unknown[]) => unknown)(...given);
    if (loaded !== undefined) return act(loaded);
    if (patient.has(name) || (name === 'arrive' && given[0] === null)) {
      told.push(act);
      return undefined;
    }
    const done = when(act);
    // Said to be void: an effect that answers it must not hand a promise on.
    return name === 'arrive' ? undefined : done;
  };
  // Each is one function for good: a page that is put together anew must not take it for another, and arrive a second time.
  const verbs = new Map<PropertyKey, (...given: readonly unknown[]) => unknown>();
  const verb = (name: PropertyKey) => {
    const made = verbs.get(name) ?? ((...given: readonly unknown[]) => tell(name as keyof Terminals, given));
    verbs.set(name, made);
    return made;
  };
  return new Proxy({ state, load, loaded: () => loaded, begun: () => loading !== undefined } as PageTerminals, {
    get: (known, name) => Reflect.get(known, name) ?? verb(name),
  });
}
