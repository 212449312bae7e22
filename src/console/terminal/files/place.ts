import { namesServer } from '../../../contract/prompt-address.ts';

/** Where files are, and as whom. */
export interface Place {
  readonly clusterId: string;
  readonly serverId: string;
  readonly login: string;
  /** login@host. */
  readonly title: string;
}
/** Where the terminal in front is; null while none is connected, and where it is none of a server. */
export const placeOf = (tab: (Place & { readonly status: string }) | undefined): Place | null =>
  tab?.status === 'connected' && namesServer(tab.serverId)
    ? { clusterId: tab.clusterId, serverId: tab.serverId, login: tab.login, title: tab.title }
    : null;

/** Its part of the address of a call. */
export const callParams = ({ clusterId, serverId, login }: Place) => ({ clusterId, nodeId: serverId, login });
/** A name in a folder. */
export const pathIn = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`;
/** The name at the end of a path; '' for the root and the home. */
export const nameOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');
