// What can be asked for, kind by kind, and what is in the cart.

import type { createAccessRequest, RequestableKind } from '../../../contract/access-requests.ts';
import type { BodyInput, MakeCall } from '../../../contract/call.ts';
import { listNodes } from '../../../contract/nodes.ts';
import { listApps, listDatabases, listDesktops, listKubes } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import { wordsFilter } from '../../../contract/words.ts';

/** Kinds as the page offers them. */
export const kindTitles = {
  role: 'Roles',
  node: 'Servers',
  db: 'Databases',
  kube_cluster: 'Kubernetes clusters',
  app: 'Applications',
  windows_desktop: 'Desktops',
} as const;
export type Kind = keyof typeof kindTitles;
export const kinds = Object.keys(kindTitles) as readonly Kind[];

export interface Choice {
  readonly kind: Kind;
  /** Of a server its id. */
  readonly name: string;
  readonly title: string;
  readonly detail: string;
  readonly labels: readonly Label[];
}
export const keyOf = ({ kind, name }: Choice): string => `${kind}:${name}`;

/** With a choice, or without it where it is in the cart. Roles and things are asked for apart: the cart holds one of both. */
export function toggled(cart: readonly Choice[], choice: Choice): readonly Choice[] {
  if (cart.some(one => keyOf(one) === keyOf(choice))) return cart.filter(one => keyOf(one) !== keyOf(choice));
  return [...cart.filter(one => (one.kind === 'role') === (choice.kind === 'role')), choice];
}

/** What the cart asks for. */
export const askedBy = (
  cart: readonly Choice[],
): Pick<BodyInput<typeof createAccessRequest>, 'roles' | 'resourceIds'> => ({
  roles: cart.filter(({ kind }) => kind === 'role').map(({ name }) => name),
  resourceIds: cart
    .filter(({ kind }) => kind !== 'role')
    .map(({ kind, name }) => ({ kind: kind as RequestableKind, name })),
});

/** Rows of a page. */
const PAGE_ROWS = 15;

/** A page of what of a kind holds all words of a search. Throws ApiError. */
export async function findChoices(
  api: MakeCall,
  { clusterId, roles }: { readonly clusterId: string; readonly roles: readonly string[] },
  kind: Kind,
  { search, startKey }: { readonly search: string; readonly startKey: string },
): Promise<{ readonly items: readonly Choice[]; readonly startKey: string }> {
  if (kind === 'role') {
    const fits = wordsFilter(search);
    const items = roles.filter(fits).map(name => ({ kind, name, title: name, detail: '', labels: [] }));
    return { items, startKey: '' };
  }
  const given = {
    params: { clusterId },
    query: { searchAsRoles: 'yes', limit: PAGE_ROWS, ...(search && { search }), ...(startKey && { startKey }) },
  };
  switch (kind) {
    case 'node': {
      const { items, ...rest } = await api(listNodes, given);
      return {
        ...rest,
        items: items.map(one => ({
          kind,
          name: one.id,
          title: one.hostname,
          detail: one.sshLogins.join(', '),
          labels: one.tags,
        })),
      };
    }
    case 'db': {
      const { items, ...rest } = await api(listDatabases, given);
      const made = ({ name, protocol, labels }: (typeof items)[number]) => ({
        kind,
        name,
        title: name,
        detail: protocol,
        labels,
      });
      return { ...rest, items: items.map(made) };
    }
    case 'kube_cluster': {
      const { items, ...rest } = await api(listKubes, given);
      return { ...rest, items: items.map(({ name, labels }) => ({ kind, name, title: name, detail: '', labels })) };
    }
    case 'app': {
      const { items, ...rest } = await api(listApps, given);
      const made = ({ name, friendlyName, description, labels }: (typeof items)[number]) => ({
        kind,
        name,
        title: friendlyName || name,
        detail: description,
        labels,
      });
      return { ...rest, items: items.map(made) };
    }
    case 'windows_desktop': {
      const { items, ...rest } = await api(listDesktops, given);
      return {
        ...rest,
        items: items.map(({ name, addr, labels }) => ({ kind, name, title: name, detail: addr, labels })),
      };
    }
    default:
      return kind satisfies never;
  }
}
