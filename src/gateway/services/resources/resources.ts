// Resources as YAML: applied all or nothing, listed, shown and removed. The command line, and the static configuration, stand on it.
import { stringify } from 'yaml';
import { Failure } from '../../../contract/failure.ts';
import { parsePredicate } from '../../../contract/predicate.ts';
import type { AppliedResource, ResourceFile } from '../../../contract/resource-documents.ts';
import { effectsText, type RoleEffects } from '../../../contract/role-preview.ts';
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { NewResource, Store, UserRecord } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { type ReadDocument, readDocuments } from './documents.ts';
import {
  createKinds,
  isUserKind,
  type KindParts,
  kindNames,
  ORIGIN_GATEWAY_LABEL,
  ORIGIN_LABEL,
  type StoredKind,
  userNameOf,
} from './kinds.ts';
import { documentOf, type ListedResource, listResources, resourceCalled } from './listed.ts';
import { CONFIG_FILE, type Origin, type Plan, planChanges } from './plan.ts';

export interface ResourceParts extends KindParts {
  readonly store: Pick<Store, 'resources' | 'users' | 'settings' | 'alone'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly accounts: {
    /** Throws Failure bad_request when nobody would be left who can administer the cluster. */
    keepAdministrator(after: (user: UserRecord) => Promise<Rights | null>): Promise<void>;
    /** Throws Failure not_found, bad_request. */
    delete(name: string, by: Actor): Promise<void>;
    keep(change: 'created' | 'updated', user: UserRecord, by: string): Promise<void>;
  };
  readonly bot: {
    /** With what could join as it. Throws Failure not_found. */
    readonly remove: (name: string, by: Actor) => Promise<void>;
  };
  readonly role: KindParts['role'] & {
    /** Throws Failure bad_request that names who holds it. */
    readonly refuseHeld: (name: string) => Promise<void>;
  };
  readonly accessList: KindParts['accessList'] & {
    /** Throws Failure bad_request that names the lists that it stands in. */
    readonly refuseHeld: (name: string) => Promise<void>;
  };
  readonly connector: KindParts['connector'] & {
    /** Throws Failure bad_request when people could not sign in any more without it. */
    readonly giveUp: (kind: string, name: string, meant: boolean) => Promise<void>;
  };
  /** A user's rights once some roles hold other YAML. */
  readonly rightsWith: (user: UserRecord, contents: ReadonlyMap<string, string>) => Promise<Rights>;
  /** Who would gain and lose what by other YAML of roles. */
  readonly effects: (contents: ReadonlyMap<string, string>, by: Actor, startKey?: string) => Promise<RoleEffects>;
  readonly clock?: () => Date;
}

interface ApplyOptions {
  /** Who acts, for the audit log. */
  readonly by: string;
  readonly origin?: Origin;
  /** Only say what would change. */
  readonly dryRun?: boolean;
  /** Sees what was read before anything is done; what it throws ends it. */
  readonly check?: (
    documents: readonly { readonly kind: string; readonly name: string; readonly value: unknown }[],
  ) => Promise<void>;
}
interface Applied {
  /** `file:line:column: …`, one for each thing that is wrong. When there is any, nothing was changed. */
  readonly problems: readonly string[];
  readonly resources: readonly AppliedResource[];
  /** What is kept and not enforced, and in a dry run who gains and loses what by roles, a sentence each. */
  readonly notes: readonly string[];
}
export interface StaticApplied extends Applied {
  /** What has left the static configuration and could not be removed, with the reason. */
  readonly kept: readonly string[];
}
export interface DeclaredResources {
  /** One at a time. Rejects only when the store or the audit log fails. */
  apply(files: readonly ResourceFile[], options: ApplyOptions): Promise<Applied>;
  /** What the static configuration of this gateway holds, replacing what it held before: what has left it is removed. */
  applyStatic(files: readonly ResourceFile[], gatewayId: string): Promise<StaticApplied>;
  /** Without `kind`: all. Throws Failure bad_request for a kind that there is none of. */
  list(kind?: string): Promise<readonly ListedResource[]>;
  /** YAML that could be applied again. Throws Failure bad_request, not_found. */
  get(kind: string, name: string): Promise<string>;
  /**
   * Throws Failure bad_request, not_found. `force` takes away the last way to sign in, and what a static configuration holds too: its gateway may be gone, and one
   * that is not makes it anew.
   */
  remove(kind: string, name: string, by: string, force?: boolean): Promise<void>;
}

/** Audit events written at once. */
const NOTED_AT_ONCE = 500;
/** Most problems that one answer holds. */
const PROBLEMS_MOST = 200;
/** Parts of a comparison of roles that one dry run asks for. */
const EFFECT_PARTS_MOST = 20;
/** Whoever asks on the gateway's own machine may know all. */
const MACHINE: Actor = { user: 'system', rights: null };
/** Who acts when the static configuration does. */
const STATIC_USER = 'system:static-configuration';
/** Setting with the names of the users that static configurations hold, by gateway. */
const STATIC_USERS = 'resources.static_users';

export function createDeclaredResources(parts: ResourceParts): DeclaredResources {
  const { store, audit, accounts, clock = () => new Date() } = parts;
  const kinds = createKinds(parts);

  const kindCalled = (wanted: string) => {
    const kind = kinds.get(wanted);
    if (!kind) throw new Failure('bad_request', `"${wanted}": one of ${kindNames(kinds).join(', ')} expected`);
    return kind;
  };

  const note = async (
    kind: StoredKind,
    change: 'created' | 'updated' | 'removed',
    resource: NewResource,
    by: string,
    value?: unknown,
  ) => {
    if (kind.note) return kind.note(change, resource, by, value);
    const { codes } = kind.audit ?? {};
    const code = (typeof codes === 'function' ? codes(resource) : codes)?.[change];
    if (!kind.audit || !code) return;
    const { name, expires } = resource;
    await audit.emit({
      code,
      name,
      user: by,
      ...(expires && { expires: expires.toISOString() }),
      ...(change === 'updated' && { updated_by: by }),
      ...(change === 'removed' ? {} : kind.audit.fields(resource)),
    } satisfies AuditEntry);
  };

  /** Throws Failure bad_request when the changes together would leave nobody who can administer the cluster. */
  async function keepAdministrator(plan: Plan): Promise<void> {
    const contents = contentsOf(plan);
    const changed = new Map(
      plan.users.flatMap(({ user, change }) => (change === 'updated' ? [[user.name, user]] : [])),
    );
    if (contents.size === 0 && changed.size === 0) return;
    await accounts.keepAdministrator(user => parts.rightsWith(changed.get(user.name) ?? user, contents));
  }

  /** Who gains and who loses what by the roles that a dry run would update, a sentence each. */
  async function effectsOf(plan: Plan): Promise<readonly string[]> {
    const contents = contentsOf(plan);
    if (contents.size === 0) return [];
    const said: string[] = [];
    let startKey = '';
    for (let part = 0; part < EFFECT_PARTS_MOST && (part === 0 || startKey !== ''); part++) {
      const effects = await parts.effects(contents, MACHINE, startKey);
      said.push(...effects.people.map(effectsText));
      startKey = effects.startKey;
    }
    if (startKey !== '') return [...said, `Those whose names come after ${startKey} were not looked at.`];
    return said.length > 0 ? said : ['Nobody gains or loses anything by the roles in it.'];
  }

  async function perform({ resources, users }: Plan, by: string): Promise<void> {
    const changes = resources.filter(({ change }) => change !== 'unchanged');
    await store.resources.putMany(
      changes.map(({ kind, change, resource }) =>
        change === 'created' && kind.signed
          ? { ...resource, labels: { ...resource.labels, ...kind.signed(by) } }
          : resource,
      ),
    );
    // Together: each must be committed, and commits are shared.
    for (let from = 0; from < changes.length; from += NOTED_AT_ONCE)
      await Promise.all(
        changes
          .slice(from, from + NOTED_AT_ONCE)
          .map(
            ({ kind, change, resource, value }) => change !== 'unchanged' && note(kind, change, resource, by, value),
          ),
      );
    for (const { change, user } of users) {
      if (change === 'unchanged') continue;
      await accounts.keep(change, user, by);
    }
  }

  const staticUsers = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
    ((await store.settings.get(STATIC_USERS)) ?? {}) as Readonly<Record<string, readonly string[]>>;

  async function applyNow(
    documents: readonly ReadDocument[],
    options: Required<Omit<ApplyOptions, 'check'>>,
  ): Promise<Applied> {
    const { by, origin, dryRun } = options;
    const plan = await planChanges(
      {
        ...store,
        now: clock(),
        staticUsers: Object.values(await staticUsers()).flat(),
      },
      documents,
      origin,
    );
    if (plan.problems.length > 0) return { problems: fewOf(plan.problems), resources: [], notes: [] };
    try {
      await keepAdministrator(plan);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { problems: [error.message], resources: [], notes: [] };
    }
    const resources = inOrder(documents, plan);
    const notes = notesOf(documents);
    if (!dryRun) await perform(plan, by);
    else notes.push(...(await effectsOf(plan)));
    return { problems: [], resources, notes: fewOf(notes) };
  }

  const apply: DeclaredResources['apply'] = (files, { by, origin = { kind: 'people' }, dryRun = false, check }) =>
    store.alone(async () => {
      const { documents, problems } = readDocuments(files, kinds);
      if (problems.length > 0) return { problems: fewOf(problems), resources: [], notes: [] };
      await check?.(documents.map(({ kind, name, value }) => ({ kind: kind.kind, name, value })));
      return applyNow(documents, { by, origin, dryRun });
    });

  /** Removes one without asking where it comes from. Throws Failure bad_request, not_found. */
  async function removeNow(kindName: string, name: string, by: string, isForced = false): Promise<void> {
    const kind = kindCalled(kindName);
    if (isUserKind(kind)) {
      if (kind.kind === 'bot') await parts.bot.remove(name, { user: by, rights: null });
      else await accounts.delete(name, { user: by, rights: null });
      return;
    }
    const resource = await resourceCalled(store.resources, kind.kind, name);
    if (!resource) throw new Failure('not_found', `there is no ${kind.kind} "${name}"`);
    if (kind.kind === 'role') await parts.role.refuseHeld(name);
    if (kind.kind === 'access_list') await parts.accessList.refuseHeld(name);
    await parts.connector.giveUp(kind.kind, name, isForced);
    if (kind.kind === 'node' && resource.subtype === 'local')
      throw new Failure('bad_request', `${resource.title} is the machine of a gateway; it is not a declared resource`);
    if (!(await store.resources.delete(kind.kind, resource.name)))
      throw new Failure('not_found', `there is no ${kind.kind} "${name}"`);
    await note(kind, 'removed', resource, by);
    if (kind.kind === 'db' || kind.kind === 'app')
      parts.changes.emit({ kind: 'tunnelledRemoved', of: kind.kind, name: resource.name });
  }

  /** What this gateway's static configuration held before and does not hold now. */
  async function leftovers(documents: readonly ReadDocument[], gatewayId: string): Promise<readonly AppliedResource[]> {
    const declared = new Set(
      documents.map(({ kind, name }) => (isUserKind(kind) ? `user/${userNameOf(kind, name)}` : `${kind.kind}/${name}`)),
    );
    const ours = parsePredicate(
      `labels["${ORIGIN_LABEL}"] == "${CONFIG_FILE}" && labels["${ORIGIN_GATEWAY_LABEL}"] == "${gatewayId}"`,
    );
    const gone: AppliedResource[] = [];
    const users = (await staticUsers())[gatewayId] ?? [];
    for (const name of users) if (!declared.has(`user/${name}`)) gone.push({ kind: 'user', name, change: 'removed' });
    for (const kind of kinds.values()) {
      if (isUserKind(kind)) continue;
      for (const { name } of await allOf(store.resources, kind.kind, { query: ours }))
        if (!declared.has(`${kind.kind}/${name}`)) gone.push({ kind: kind.kind, name, change: 'removed' });
    }
    return gone;
  }

  const applyStatic: DeclaredResources['applyStatic'] = (files, gatewayId) =>
    store.alone(async () => {
      const { documents, problems } = readDocuments(files, kinds);
      if (problems.length > 0) return { problems: fewOf(problems), resources: [], notes: [], kept: [] };
      const origin = { kind: 'config-file', gatewayId } as const;
      const applied = await applyNow(documents, { by: STATIC_USER, origin, dryRun: false });
      if (applied.problems.length > 0) return { ...applied, kept: [] };
      const removed: AppliedResource[] = [];
      const kept: string[] = [];
      const stays: string[] = [];
      // Users first: a role that they held is free then.
      for (const one of await leftovers(documents, gatewayId)) {
        try {
          await removeNow(one.kind, one.name, STATIC_USER);
          removed.push(one);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          if (error.code === 'not_found') continue;
          kept.push(`${one.kind}/${one.name} has left the static configuration and stays: ${error.message}`);
          if (one.kind === 'user') stays.push(one.name);
        }
      }
      const users = documents.flatMap(({ kind, name }) => (isUserKind(kind) ? [userNameOf(kind, name)] : []));
      const before = await staticUsers();
      if ([...users, ...stays].join() !== (before[gatewayId] ?? []).join())
        await store.settings.put(STATIC_USERS, { ...before, [gatewayId]: [...users, ...stays] });
      return { problems: [], resources: [...applied.resources, ...removed], notes: applied.notes, kept };
    });

  return {
    apply,
    applyStatic,
    async list(wanted) {
      const some = wanted === undefined ? [...kinds.values()] : [kindCalled(wanted)];
      return listResources(store, some, new Set(Object.values(await staticUsers()).flat()));
    },
    async get(wanted, name) {
      const kind = kindCalled(wanted);
      const document = await documentOf(kind, name, store);
      if (document === null) throw new Failure('not_found', `there is no ${kind.kind} "${name}"`);
      return typeof document === 'string' ? document : stringify(document, { lineWidth: 0 });
    },
    remove: (wanted, name, by, force = false) =>
      store.alone(async () => {
        const kind = kindCalled(wanted);
        const isStatic = isUserKind(kind)
          ? Object.values(await staticUsers()).some(names => names.includes(userNameOf(kind, name)))
          : (await resourceCalled(store.resources, kind.kind, name))?.labels[ORIGIN_LABEL] === CONFIG_FILE;
        if (isStatic && !force)
          throw new Failure(
            'bad_request',
            `${kind.kind} "${name}" comes from the static configuration of a gateway: take it out there, or use --force when that gateway is gone`,
          );
        await removeNow(wanted, name, by, force);
      }),
  };
}

/** YAML of the roles that a plan updates, by name. */
const contentsOf = ({ resources }: Plan): ReadonlyMap<string, string> =>
  new Map(
    resources.flatMap(({ kind, change, resource: { name, spec } }) =>
      kind.kind === 'role' && change === 'updated'
        ? [[name, (spec as { readonly content: string }).content] as const]
        : [],
    ),
  );

const notesOf = (documents: readonly ReadDocument[]): string[] =>
  documents.flatMap(({ kind, source, value }) => (isUserKind(kind) ? [] : (kind.notes?.(source, value) ?? [])));

/** What happened to each, as the files have them. */
function inOrder(documents: readonly ReadDocument[], { resources, users }: Plan): readonly AppliedResource[] {
  const changes = new Map([
    ...resources.map(({ kind, resource, change }) => [`${kind.kind}/${resource.name}`, change] as const),
    ...users.map(({ user, change }) => [`user/${user.name}`, change] as const),
  ]);
  return documents.map(({ kind, name }) => ({
    kind: kind.kind,
    name,
    change: changes.get(isUserKind(kind) ? `user/${userNameOf(kind, name)}` : `${kind.kind}/${name}`) ?? 'unchanged',
  }));
}

const fewOf = (texts: readonly string[], most = PROBLEMS_MOST): readonly string[] =>
  texts.length <= most ? texts : [...texts.slice(0, most), `and ${texts.length - most} more`];
