// Types into several terminals at once: which they are, what goes to them, and that the gateway hears of it.
import { subscribe } from 'valtio/vanilla';
import { beginBroadcast, endBroadcast } from '../../contract/broadcasts.ts';
import type { Tab } from './tab.ts';
import type { Terminals } from './terminals.ts';

/**
 * What xterm answers by itself: reports of position, attributes, colours, focus and the mouse. They are one terminal's own, and would be typed
 * text anywhere else.
 */
const ANSWER = /^\x1b(?:\[(?:[?>=]?[\d;]*(?:[cnty]|\$y)|\d+;\d+R|[IO]$|<|M)|[\]P_])/;

/** Terminals that could take part: connected, and typed into by this person. A desktop has no named session, and is none. */
export const ableTo = (tabs: readonly Readonly<Tab>[]): readonly Readonly<Tab>[] =>
  tabs.filter(({ status, mode, sid }) => status === 'connected' && mode === 'peer' && sid !== '');

/** Makes the broadcast of the page's terminals. `send`: types raw bytes into one. */
export function createBroadcast(
  { state, ports }: Pick<Terminals, 'state' | 'ports'>,
  send: (key: string, input: string) => void,
) {
  /** What the gateway calls it, once it has said so; it takes none in any case. */
  let told: Promise<{ readonly id: string; readonly clusterId: string } | null> = Promise.resolve(null);

  function stop(why: string): void {
    if (state.broadcast.length === 0) return;
    state.broadcast = [];
    ports.notify(why);
    void told
      .then(named => named && ports.call(endBroadcast, { params: named }))
      .catch((error: unknown) =>
        ports.notify(error instanceof Error ? error.message : 'The gateway did not hear of the end'),
      );
  }
  /** Those that are gone take part no longer, and that is said. */
  function drop(): void {
    if (state.broadcast.length === 0) return;
    const able = new Set(ableTo(state.tabs).map(({ key }) => key));
    const left = state.broadcast.filter(key => able.has(key));
    if (left.length === state.broadcast.length) return;
    const gone = state.broadcast.length - left.length;
    if (left.length < 2) stop('The broadcast has ended: only one of its terminals is left');
    else {
      state.broadcast = left;
      ports.notify(
        `${gone === 1 ? 'A terminal has' : `${gone} terminals have`} left the broadcast: closed or not connected`,
      );
    }
  }
  subscribe(state, drop);

  return {
    /** Begins to type into these. Says why where the gateway refuses, and then types into none but the one in front. */
    async begin(keys: readonly string[]): Promise<void> {
      const tabs = ableTo(state.tabs).filter(({ key }) => keys.includes(key));
      const [first] = tabs;
      if (first === undefined || tabs.length < 2) return ports.notify('A broadcast needs two connected terminals');
      const { clusterId } = first;
      told = ports
        .call(beginBroadcast, { params: { clusterId }, body: { sids: tabs.map(({ sid }) => sid) } })
        .then(({ id }) => ({ id, clusterId }));
      try {
        await told;
      } catch (error) {
        told = Promise.resolve(null);
        return ports.notify(error instanceof Error ? error.message : 'The broadcast could not begin');
      }
      state.broadcast = tabs.map(({ key }) => key);
      ports.notify(`What is typed goes to ${tabs.length} terminals`);
    },
    stop: () => stop('What is typed goes to one terminal again'),
    /** Where what is meant for a terminal goes: to all of the broadcast that it is in. */
    targets(key: string): readonly Tab[] {
      const all = state.broadcast.includes(key) ? state.broadcast : [key];
      return state.tabs.filter(tab => all.includes(tab.key));
    },
    /** A terminal was typed into. */
    typed(from: string, input: string): void {
      if (!state.broadcast.includes(from) || ANSWER.test(input)) return;
      for (const key of state.broadcast) if (key !== from) send(key, input);
    },
  };
}
export type Broadcast = ReturnType<typeof createBroadcast>;
