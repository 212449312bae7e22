// Keeps the desktops of directories listed: finds those that are new, changes those that have changed, and removes those that went away.
import { isDeepStrictEqual } from 'node:util';
import { withPort } from '../../../contract/address.ts';
import { DISCOVERED_MOST, DISCOVERY_INTERVAL } from '../../../contract/discovery-documents.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { parsePredicate } from '../../../contract/predicate.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { NewResource, Resource, Resources, Settings } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import type { Computer, Reading } from './directory.ts';
import { type Directory, type DiscoverySecrets, openDirectory, writtenDiscovery } from './stored.ts';

/** Says which discovery has found a desktop; the gateway's own. */
export const DISCOVERED_LABEL = 'postern.internal/discovered-by';
const DEFAULT_PORTS = { rdp: 3389, vnc: 5900 } as const;
/** What another gateway has changed is seen within this time, ms. */
const LOOK_EVERY_MS = 30_000;

export interface DiscoveryParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'put' | 'delete'>;
  readonly settings: Pick<Settings, 'get' | 'put' | 'remove'>;
  readonly secrets: DiscoverySecrets;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'subscribe'>;
  /** What is kept of a desktop that is gone is forgotten. */
  readonly forget: (desktop: string) => Promise<void>;
  /** Reads a directory. Throws Error with a sentence. */
  readonly read: (directory: Directory) => Promise<Reading>;
  /** Keeps one going, with its back-off and its banner, until it is disposed of. */
  readonly keep: (kept: {
    readonly what: string;
    readonly receiver: { readonly name: string; readonly place: string };
    readonly next: () => Promise<number>;
    readonly failing: (since: string, why: string) => string;
    readonly retryMs: number;
  }) => { dispose(): void };
  readonly report: (problem: string, error: unknown) => void;
}
const problemKey = (name: string): string => `discovery.problem.${name}`;

/** You must dispose it. `look` begins what is new now, and ends what is gone. */
export function openDiscovery(parts: DiscoveryParts): { look(): Promise<void>; dispose(): void } {
  const { resources, settings, secrets, audit, forget, report } = parts;
  const running = new Map<string, { dispose(): void }>();
  let isOver = false;

  const foundBy = (name: string): Promise<readonly Resource[]> =>
    allOf(resources, 'windows_desktop', {
      query: parsePredicate(`labels["${DISCOVERED_LABEL}"] == ${JSON.stringify(name)}`),
    });
  async function remove(desktops: readonly Resource[]): Promise<void> {
    for (const { name } of desktops) {
      await resources.delete('windows_desktop', name);
      await forget(name);
    }
  }

  /** Makes the desktops of one discovery what its directory says now. */
  async function take(config: Resource, { computers, isCut }: Reading): Promise<void> {
    const before = new Map((await foundBy(config.name)).map(one => [one.name, one]));
    const done = { added: 0, changed: 0, removed: 0, taken: 0 };
    for (const computer of computers) {
      const wanted = desktopOf(config, computer);
      const old = before.get(computer.name);
      if (old === undefined && (await resources.get('windows_desktop', computer.name)) !== null) {
        // People, or another directory, have one of that name.
        done.taken += 1;
        continue;
      }
      if (old !== undefined && isSame(old, wanted)) continue;
      await resources.put(wanted);
      done[old === undefined ? 'added' : 'changed'] += 1;
    }
    const there = new Set(computers.map(({ name }) => name));
    // Of what is beyond the bound nobody knows whether it went away.
    const gone = isCut ? [] : [...before.values()].filter(({ name }) => !there.has(name));
    await remove(gone);
    done.removed = gone.length;
    const { added, changed, removed, taken } = done;
    if (added + changed + removed > 0)
      await audit.emit({
        code: 'TDC03I',
        name: config.name,
        directory: config.address,
        ...{ added, changed, removed, taken, found: computers.length },
        ...(isCut && { error: `more than ${DISCOVERED_MOST} computers: the others are left out` }),
      });
  }

  async function next(config: Resource): Promise<number> {
    const told = await settings.get(problemKey(config.name));
    try {
      await take(config, await parts.read(openDirectory(secrets, config)));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // Once for each problem, however often it is met.
      if (told !== why) {
        await audit.emit({ code: 'TDC03W', name: config.name, directory: config.address, error: why });
        await settings.put(problemKey(config.name), why);
      }
      throw error;
    }
    if (told !== null) await settings.remove(problemKey(config.name));
    return intervalOf(config);
  }

  async function look(): Promise<void> {
    const configs = await allOf(resources, 'discovery_config');
    if (isOver) return;
    const keys = new Set(configs.map(({ name, revision }) => `${name} ${revision}`));
    for (const [key, one] of running)
      if (!keys.has(key)) {
        one.dispose();
        running.delete(key);
      }
    const names = new Set(configs.map(({ name }) => name));
    const discovered = await allOf(resources, 'windows_desktop', {
      query: parsePredicate(`labels["${DISCOVERED_LABEL}"] != ""`),
    });
    await remove(discovered.filter(({ labels }) => !names.has(labels[DISCOVERED_LABEL] ?? '')));
    for (const config of configs) {
      const key = `${config.name} ${config.revision}`;
      if (running.has(key) || isOver) continue;
      running.set(
        key,
        parts.keep({
          what: 'Desktops',
          receiver: { name: `discovery ${config.name}`, place: config.address },
          next: () => next(config),
          failing: (since, why) => `Desktops of "${config.name}" are as they were at ${since}: ${why}.`,
          // Not sooner than it is asked anyway: a directory may lock an account that is tried with a wrong password.
          retryMs: intervalOf(config),
        }),
      );
    }
  }
  let looking = Promise.resolve();
  const again = (): Promise<void> => {
    looking = looking.then(look).catch((error: unknown) => report('directories could not be looked for', error));
    return looking;
  };
  const unsubscribe = parts.changes.subscribe(({ kind }) => {
    if (kind === 'discoveryChanged') void again();
  });
  const timer = setInterval(() => void again(), LOOK_EVERY_MS);
  timer.unref();
  return {
    look: again,
    dispose() {
      isOver = true;
      unsubscribe();
      clearInterval(timer);
      for (const one of running.values()) one.dispose();
    },
  };
}

const intervalOf = (config: Resource): number =>
  parseDuration(writtenDiscovery(config).ldap.interval ?? DISCOVERY_INTERVAL) ?? 0;

function desktopOf(config: Resource, { name, description, labels }: Computer): NewResource {
  const { protocol = 'rdp', labels: given = {} } = writtenDiscovery(config);
  return {
    kind: 'windows_desktop',
    name,
    title: name,
    description,
    address: withPort(name, DEFAULT_PORTS[protocol]),
    subtype: protocol,
    labels: { ...labels, ...given, [DISCOVERED_LABEL]: config.name },
    words: [],
    spec: { addr: name, protocol },
    expires: null,
  };
}
const isSame = (old: Resource, wanted: NewResource): boolean =>
  old.description === wanted.description &&
  old.address === wanted.address &&
  old.subtype === wanted.subtype &&
  isDeepStrictEqual(old.labels, wanted.labels);
