// Servers as they are listed: by themselves, because their list is the first that anyone sees.
import type { MakeCall } from '../contract/call.ts';
import { listNodes, type Node } from '../contract/nodes.ts';
import type { Label, ListQuery, Page } from '../contract/shapes.ts';
import { type Column, loginsInOrder, type Thing } from './thing.ts';

/** What is asked of a list: its cluster, words that must all be found, and which part of it. */
export interface ListRequest {
  readonly clusterId: string;
  readonly search: string;
  readonly limit: number;
  readonly startKey: string;
}
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** '' at the end. */
  readonly startKey: string;
}

/** The items of one noun's list. `Made`: what an item is as a thing; null for rows that stand for nothing that could be picked. */
export interface Items<Item, Made extends Thing | null = Thing> {
  /** Fetches a part of their list. */
  list(make: MakeCall, asked: ListRequest): Promise<Listed<Item>>;
  /** The gateway answers the list whole and searches nothing in it: whoever shows it narrows it. */
  readonly isWhole?: true;
  thing(item: Item): Made;
  readonly columns: readonly Column<Item>[];
}

/** A list that the gateway sorts, searches and pages. */
export const paged =
  <Item>(sort: string, ask: (make: MakeCall, clusterId: string, query: ListQuery) => Promise<Page<Item>>) =>
  (make: MakeCall, { clusterId, search, limit, startKey }: ListRequest): Promise<Listed<Item>> =>
    ask(make, clusterId, { limit, sort, ...(search && { search }), ...(startKey && { startKey }) });

/** Labels as a column. */
export const labelsColumn = <Item>(of: (item: Item) => readonly Label[]): Column<Item> => ({
  key: 'labels',
  title: 'Labels',
  of: item =>
    of(item)
      .map(({ name, value }) => `${name}=${value}`)
      .join(' '),
});

/** The address as it is shown; a server without one is reached otherwise. */
export const addressOf = ({ tunnel, offline, addr, subKind }: Node): string =>
  tunnel ? (offline === undefined ? 'tunnel' : 'tunnel, offline') : addr || (subKind === 'local' ? 'this machine' : '');

export const serverItems: Items<Node> = {
  list: paged('hostname:asc', (make, clusterId, query) => make(listNodes, { params: { clusterId }, query })),
  thing: node => ({
    kind: 'server',
    id: node.id,
    title: node.hostname,
    detail: node.tunnel ? addressOf(node) : node.addr,
    ...(node.offline !== undefined && { closed: `${node.hostname} is offline: ${node.offline}` }),
    labels: node.tags,
    logins: loginsInOrder(node.sshLogins),
  }),
  columns: [
    { key: 'hostname', title: 'Hostname', sorts: true, of: node => node.hostname },
    { key: 'addr', title: 'Address', of: addressOf },
    { key: 'logins', title: 'Logins', of: node => loginsInOrder(node.sshLogins).join(',') },
    { key: 'id', title: 'Id', of: node => node.id },
    labelsColumn(node => node.tags),
  ],
};
