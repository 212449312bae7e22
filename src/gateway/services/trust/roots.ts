// Root clusters that this one trusts: written as YAML, joined once with a token, and dialled as long as they are enabled.
import type { Verb } from '../../../contract/acl.ts';
import { readAddress } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import type { TrustedClusterItem } from '../../../contract/trusted-clusters.ts';
import type { Dial, Dialled } from '../../ports/tunnels.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import type { SharedKeyParts } from '../shared-key.ts';
import { type DeclaredResources, refusedContent as refused, writeOne, writtenItem } from '../written-resources.ts';
import { askRoot } from './ask-root.ts';
import { LEAF_PATH } from './leaf-connection.ts';
import type { Reception } from './reception.ts';
import { blobOf, keyPlace, type RootSpec, readRoot, tokenPlace, withoutTimes } from './stored.ts';

/** How soon is noticed what another gateway or the command line wrote, and how soon a lost root is dialled again, ms. */
const LOOK_EVERY_MS = 1000;
/** A root that refuses, or cannot be reached, is left alone for longer and longer, up to this, ms. */
const WAIT_MOST_MS = 10_000;
/** Longer than a root has to answer: whoever spends a token that long has died of it, ms. */
const CLAIM_MS = 30_000;

export interface RootParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'put' | 'delete'>;
  readonly declared: DeclaredResources;
  readonly secretBox: Pick<SharedKeyParts['secrets'], 'open'>;
  readonly dial: Dial;
  readonly clusterName: string;
  /** Of the gateways of a store, this one. */
  readonly gatewayId: string;
  readonly reception: Pick<Reception, 'take'>;
  /** Whoever has come from there is judged anew. */
  readonly changed: () => void;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Roots {
  list(by: Actor): Promise<TrustedClusterItem[]>;
  /** Throws Failure not_found, denied. */
  get(name: string, by: Actor): Promise<TrustedClusterItem>;
  /** Joins before it answers; nothing is kept of one that could not. Throws Failure bad_request, denied, exists, unreachable. */
  create(content: string, by: Actor): Promise<TrustedClusterItem>;
  /** Throws Failure bad_request, denied, not_found. */
  update(name: string, content: string, by: Actor): Promise<TrustedClusterItem>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** Begins to dial. You must close it. */
  start(): void;
  close(): void;
}
/** A root that this gateway dials. */
interface Dialling {
  revision: number;
  dialled: Dialled | null;
  isBusy: boolean;
  why: string;
  notBefore: number;
  waitMs: number;
}

export function createRoots(parts: RootParts): Roots {
  const { resources, declared, secretBox, clusterName } = parts;
  const dialling = new Map<string, Dialling>();
  let timer: NodeJS.Timeout | undefined;

  const joining = new Map<string, Promise<void>>();
  /** Whoever adds a root and whoever dials it find it at once: both wait for the one use of its token. Throws Failure. */
  function join(name: string): Promise<void> {
    const running = joining.get(name) ?? joinOnce(name).finally(() => joining.delete(name));
    joining.set(name, running);
    return running;
  }
  /** Of all gateways that share the store, one spends the token; the others wait for what becomes of it. Throws Failure. */
  async function joinOnce(name: string): Promise<void> {
    for (;;) {
      const found = await rowOf(name);
      if (!found) throw new Failure('not_found', `there is no trusted cluster "${name}"`);
      const { row, spec } = found;
      if (spec.joined) return;
      const held = spec.joining;
      if (held && held.gateway !== parts.gatewayId && held.until > Date.now()) {
        await new Promise(done => setTimeout(done, LOOK_EVERY_MS / 4));
        continue;
      }
      try {
        const claim = { gateway: parts.gatewayId, until: Date.now() + CLAIM_MS };
        // One statement, which holds for one of those who make it at the same time.
        const mine = await resources.put({ ...withoutTimes(row), spec: { ...spec, joining: claim } }, row.revision);
        return await spendToken(mine, spec);
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'changed')) throw error;
      }
    }
  }
  /** Pins what the root is known by as well. `row`: claimed by this gateway. Throws Failure. */
  async function spendToken(row: Resource, spec: RootSpec): Promise<void> {
    const keep = (more: Pick<RootSpec, 'joined' | 'sealedToken'>) =>
      resources.put({ ...withoutTimes(row), spec: { ...spec, ...more, joining: null } }, row.revision);
    let joined: RootSpec['joined'];
    try {
      joined = await ask(row.name, spec);
    } catch (error) {
      await keep(spec).catch((problem: unknown) => {
        // Somebody has changed or removed it meanwhile; the claim ends by itself.
        if (!(problem instanceof Failure)) throw problem;
      });
      throw error;
    }
    await keep({ joined, sealedToken: null });
  }
  async function ask(name: string, spec: RootSpec): Promise<RootSpec['joined']> {
    if (name === clusterName)
      throw new Failure('bad_request', 'metadata.name: this cluster itself: the name of its root expected');
    const said = await askRoot(spec.webProxyAddr, {
      token: spec.sealedToken === null ? '' : secretBox.open(spec.sealedToken, tokenPlace(name)),
      cluster_name: clusterName,
      root_name: name,
      public_key: spec.publicKey,
    });
    if (said.cluster_name !== name)
      throw new Failure(
        'bad_request',
        `metadata.name: given "${name}": "${said.cluster_name}" expected, the name of the root at ${spec.webProxyAddr}`,
      );
    return { hostKey: said.host_key, identityKey: said.identity_key };
  }
  const rowOf = async (name: string): Promise<{ readonly row: Resource; readonly spec: RootSpec } | null> => {
    const row = await resources.get('trusted_cluster', name);
    const spec = row && readRoot(row);
    return row && spec ? { row, spec } : null;
  };

  async function dial(row: Resource, spec: RootSpec): Promise<Dialled> {
    if (!spec.joined) {
      await join(row.name);
      throw new Failure('unavailable', 'it is being joined');
    }
    const { host, port } = readAddress(spec.tunnelAddr) ?? { host: '', port: null };
    return parts.dial({
      host,
      port: port ?? 0,
      hostKey: blobOf(spec.joined.hostKey),
      privateKey: secretBox.open(spec.sealedKey, keyPlace(row.name)),
      path: LEAF_PATH,
      take: stream => parts.reception.take(stream, row.name),
    });
  }
  async function keep(name: string, row: Resource, spec: RootSpec, held: Dialling): Promise<void> {
    held.isBusy = true;
    try {
      const dialled = await dial(row, spec);
      // It may have been removed or disabled meanwhile.
      if (dialling.get(name) !== held) return dialled.hangUp();
      Object.assign(held, { dialled, why: '', waitMs: LOOK_EVERY_MS });
      void dialled.over.then(why => Object.assign(held, { dialled: null, why }));
    } catch (error) {
      const isJoined = error instanceof Failure && error.code === 'unavailable';
      if (!isJoined) held.waitMs = Math.min(WAIT_MOST_MS, held.waitMs * 2);
      Object.assign(held, {
        why: error instanceof Error ? error.message : String(error),
        notBefore: isJoined ? 0 : Date.now() + held.waitMs,
      });
    } finally {
      held.isBusy = false;
    }
  }
  const drop = (name: string): void => {
    const held = dialling.get(name);
    if (!held) return;
    dialling.delete(name);
    held.dialled?.hangUp();
    parts.changed();
  };
  async function look(): Promise<void> {
    const rows = await allOf(resources, 'trusted_cluster');
    const wanted = new Map(
      rows.flatMap(row => {
        const spec = readRoot(row);
        return spec?.enabled ? [[row.name, { row, spec }] as const] : [];
      }),
    );
    for (const name of dialling.keys()) if (!wanted.has(name)) drop(name);
    for (const [name, { row, spec }] of wanted) {
      const held = dialling.get(name) ?? {
        revision: row.revision,
        ...{ dialled: null, isBusy: false, why: 'it is being dialled', notBefore: 0, waitMs: LOOK_EVERY_MS / 2 },
      };
      dialling.set(name, held);
      if (held.revision !== row.revision) {
        held.revision = row.revision;
        parts.changed();
      }
      if (!held.dialled && !held.isBusy && Date.now() >= held.notBefore) void keep(name, row, spec, held);
    }
  }
  let looking: Promise<void> | null = null;
  const lookSafely = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => parts.report('trusted clusters could not be looked at', error))
      .finally(() => {
        looking = null;
      });
    return looking;
  };

  async function item(name: string): Promise<TrustedClusterItem> {
    const found = await rowOf(name);
    const held = dialling.get(name);
    const status = !found?.spec.enabled ? 'disabled' : held?.dialled ? 'connected' : 'disconnected';
    const why =
      status === 'connected' ? '' : status === 'disabled' ? 'it is disabled' : (held?.why ?? 'it is being dialled');
    return {
      ...(await writtenItem(declared, 'trusted_cluster', name)),
      ...{ status, why },
    };
  }
  async function existing(name: string, verb: Verb, by: Actor): Promise<void> {
    if (!(await rowOf(name))) throw new Failure('not_found', `there is no trusted cluster "${name}"`);
    allow(by, verb, name);
  }
  const write = (content: string, by: Actor, check: (name: string) => Promise<void>): Promise<string> =>
    writeOne(declared, { kind: 'trusted_cluster', noun: 'trusted cluster' }, content, by.user, check);

  return {
    list: async by => {
      const rows = await allOf(resources, 'trusted_cluster');
      return Promise.all(rows.filter(({ name }) => may(by, 'list', name)).map(({ name }) => item(name)));
    },
    async get(name, by) {
      await existing(name, 'read', by);
      return item(name);
    },
    async create(content, by) {
      const name = await write(content, by, async one => {
        allow(by, 'create', one);
        if (await rowOf(one)) throw new Failure('exists', `trusted cluster "${one}" exists already`);
      });
      try {
        const found = await rowOf(name);
        // The dialling may have been quicker.
        if (found && !found.spec.joined) await join(name);
      } catch (error) {
        const isOthers = error instanceof Failure && error.code === 'changed';
        if (!isOthers) {
          await declared.remove('trusted_cluster', name, by.user);
          throw error;
        }
      }
      void lookSafely();
      return item(name);
    },
    async update(name, content, by) {
      await write(content, by, async written => {
        await existing(name, 'update', by);
        if (written !== name) throw refused(`a trusted cluster cannot be renamed: metadata.name must stay "${name}"`);
      });
      await lookSafely();
      return item(name);
    },
    async remove(name, by) {
      await existing(name, 'delete', by);
      await declared.remove('trusted_cluster', name, by.user);
      drop(name);
      parts.changed();
    },
    start() {
      void lookSafely();
      timer = setInterval(() => void lookSafely(), LOOK_EVERY_MS).unref();
    },
    close() {
      clearInterval(timer);
      for (const name of [...dialling.keys()]) {
        dialling.get(name)?.dialled?.hangUp();
        dialling.delete(name);
      }
    },
  };
}

const may = ({ rights }: Actor, verb: Verb, name: string): boolean =>
  rights === null || rights.may('trusted_cluster', verb, { resource: { name, labels: {} } });
function allow(by: Actor, verb: Verb, name: string): void {
  if (!may(by, verb, name)) throw new Failure('denied', `access denied to trusted cluster "${name}"`);
}
