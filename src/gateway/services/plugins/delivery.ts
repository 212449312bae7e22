// Plugins kept telling of what happens: each by itself, in the order of the log, and from where it was when the gateway ended.
import { pluginKinds } from '../../../contract/plugin-kinds.ts';
import type { Changes } from '../../ports/changes.ts';
import type { ChainedEvent } from '../../store/store.ts';
import { happenedOf, wants } from './happened.ts';
import { messageOf } from './message.ts';
import { type Plugins, progressName } from './plugins.ts';
import { type SendParts, send } from './send.ts';
import { placeText, type StoredPlugin } from './stored.ts';

/** Plugins that another gateway has enrolled are seen within this time, should its word be lost, ms. */
const LOOK_EVERY_MS = 30_000;

/** What is done again and again for one plugin: answers after how long, ms. */
interface Repeated {
  readonly what: string;
  readonly receiver: { readonly name: string; readonly place: string };
  readonly next: () => Promise<number>;
}
/** One place in the log: what it wants of it is delivered one by one. */
interface LogReader {
  /** Its place is kept under this name. */
  readonly name: string;
  /** Where it begins, by chain. */
  readonly begin: Readonly<Record<string, number>>;
  wants(event: ChainedEvent): boolean;
  deliver(events: readonly ChainedEvent[]): Promise<void>;
}
export interface PluginDeliveryParts extends SendParts {
  readonly plugins: Plugins['delivery'];
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly clusterName: string;
  readonly publicUrl: string;
  /** Keeps one going, with its back-off and its banner, until it is disposed of. */
  keep(kept: Repeated): { dispose(): void };
  forward(reader: LogReader): () => Promise<number>;
  readonly report: (problem: string, error: unknown) => void;
}

/** You must dispose it. `ready` resolves once those that there are now have begun. */
export function openPluginDelivery(parts: PluginDeliveryParts): { readonly ready: Promise<void>; dispose(): void } {
  const { plugins, clusterName, publicUrl, report } = parts;
  const running = new Map<string, { dispose(): void }>();
  let isOver = false;

  function begin(plugin: StoredPlugin): { dispose(): void } {
    const deliver = async (events: readonly ChainedEvent[]): Promise<void> => {
      for (const event of events) {
        const happened = happenedOf(event, publicUrl);
        if (happened === null) continue;
        try {
          const spec = plugins.open(plugin);
          await send(parts, plugin.kind, spec, messageOf(happened, clusterName, spec.message));
        } catch (error) {
          await plugins.noted(plugin, error);
          throw error;
        }
        await plugins.noted(plugin, null);
      }
    };
    const next = parts.forward({
      name: progressName(plugin.id),
      begin: plugin.begin,
      wants: event => wants(plugin.written, event),
      deliver,
    });
    return parts.keep({
      what: 'Notifications',
      receiver: {
        name: `plugin ${plugin.name} (${pluginKinds[plugin.kind].title})`,
        place: placeText(plugin.kind, plugin),
      },
      next,
    });
  }

  async function look(): Promise<void> {
    const found = await plugins.all();
    if (isOver) return;
    const keys = new Set(found.map(({ id, revision }) => `${id} ${revision}`));
    for (const [key, one] of running)
      if (!keys.has(key)) {
        one.dispose();
        running.delete(key);
      }
    for (const plugin of found) {
      const key = `${plugin.id} ${plugin.revision}`;
      if (!running.has(key)) running.set(key, begin(plugin));
    }
  }
  let looking = Promise.resolve();
  const again = (): Promise<void> => {
    looking = looking.then(look).catch((error: unknown) => report('plugins could not be read', error));
    return looking;
  };
  const ready = again();
  const unsubscribe = parts.changes.subscribe(({ kind }) => {
    if (kind === 'pluginsChanged') void again();
  });
  const timer = setInterval(() => void again(), LOOK_EVERY_MS);
  timer.unref();
  return {
    ready,
    dispose() {
      isOver = true;
      unsubscribe();
      clearInterval(timer);
      for (const one of running.values()) one.dispose();
    },
  };
}
