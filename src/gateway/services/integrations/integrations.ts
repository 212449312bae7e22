// Integrations for every door, and the one list of everything that is enrolled: a row of `subKinds` says what each kind holds.
import * as z from 'zod/mini';
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import { type Enrolled, type Integration, type IntegrationKind, integration } from '../../../contract/integrations.ts';
import type { Plugin } from '../../../contract/plugins.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';

const INTEGRATIONS_MOST = 1000;
/** Items of a page when the caller does not say. */
const LIMIT_DEFAULT = 1000;
const RUNNING = 1;

/** How a kind of integration is told in a row of the page. */
const subKinds: Readonly<
  Record<IntegrationKind, (item: Integration) => Pick<Enrolled, 'details' | 'statusCode' | 'statusDetails'>>
> = {
  'aws-oidc': ({ awsoidc }) => ({ details: awsoidc.roleArn, statusCode: RUNNING, statusDetails: '' }),
};

export interface IntegrationParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly audit: AuditLog;
  readonly plugins: { list(by: Actor): Promise<readonly Plugin[]> };
}
export interface Integrations {
  /** Throws Failure denied. */
  list(
    by: Actor,
    page: { readonly limit?: number | undefined; readonly startKey?: string | undefined },
  ): Promise<{
    readonly items: readonly Integration[];
    readonly nextKey: string;
  }>;
  /** Throws Failure denied, not_found. */
  get(name: string, by: Actor): Promise<Integration>;
  /** Throws Failure denied, exists, bad_request. */
  create(given: Integration, by: Actor): Promise<Integration>;
  /** Throws Failure denied, not_found. */
  update(name: string, given: Pick<Integration, 'awsoidc'>, by: Actor): Promise<Integration>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** Integrations and plugins, those that roles let this person list. */
  enrolled(by: Actor): Promise<readonly Enrolled[]>;
}

export function createIntegrations({ resources, audit, plugins }: IntegrationParts): Integrations {
  const read = (row: Resource): Integration | null =>
    z.safeParse(integration, { ...(row.spec as object), name: row.name, subKind: row.subtype }).data ?? null;
  const rowOf = ({ name, subKind, awsoidc }: Integration) => ({
    kind: 'integration' as const,
    name,
    title: name,
    description: '',
    address: '',
    subtype: subKind,
    labels: {},
    words: [],
    spec: { awsoidc },
    expires: null,
  });
  async function find(name: string): Promise<Integration> {
    const row = await resources.get('integration', name);
    const found = row && read(row);
    if (!found) throw new Failure('not_found', `there is no integration "${name}"`);
    return found;
  }
  const note = (code: string, { name, subKind }: Integration, by: Actor): Promise<void> =>
    audit.emit({ code, name, user: by.user, integration_kind: subKind });
  const all = async (): Promise<readonly Integration[]> =>
    (await allOf(resources, 'integration')).flatMap(row => read(row) ?? []);

  return {
    async list(by, { limit = LIMIT_DEFAULT, startKey }) {
      allow(by, 'list');
      const page = await resources.list('integration', {
        limit,
        ...(startKey && { startKey }),
        selection: null,
        count: false,
        sort: { field: 'name', descending: false },
      });
      return { items: page.items.flatMap(row => read(row) ?? []), nextKey: page.startKey };
    },
    async get(name, by) {
      allow(by, 'read');
      return find(name);
    },
    async create(given, by) {
      allow(by, 'create');
      if ((await all()).length >= INTEGRATIONS_MOST)
        throw new Failure('bad_request', `no more than ${INTEGRATIONS_MOST} integrations`);
      await resources.create(rowOf(given));
      await note('TIG00I', given, by);
      return given;
    },
    async update(name, { awsoidc }, by) {
      allow(by, 'update');
      const next = { ...(await find(name)), awsoidc };
      await resources.put(rowOf(next));
      await note('TIG01I', next, by);
      return next;
    },
    async remove(name, by) {
      allow(by, 'delete');
      const gone = await find(name);
      if (!(await resources.delete('integration', name)))
        throw new Failure('not_found', `there is no integration "${name}"`);
      await note('TIG02I', gone, by);
    },
    async enrolled(by) {
      const may = (resource: 'integration' | 'plugin'): boolean =>
        by.rights === null || by.rights.may(resource, 'list');
      const integrations = may('integration') ? await all() : [];
      const listed = may('plugin') ? await plugins.list(by) : [];
      return [
        ...integrations.map(item => ({
          resourceType: 'integration' as const,
          kind: item.subKind,
          name: item.name,
          ...subKinds[item.subKind](item),
        })),
        ...listed.map(({ kind, name, details, statusCode, statusDetails }) => ({
          resourceType: 'plugin' as const,
          kind,
          name,
          details,
          statusCode,
          statusDetails,
        })),
      ];
    },
  };
}

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('integration', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "integration"`);
}
