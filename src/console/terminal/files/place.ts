import { readPromptAddress } from '../../../contract/prompt-address.ts';

/** Where files are, and as whom. */
export interface Place {
  readonly clusterId: string;
  readonly serverId: string;
  readonly login: string;
  /** login@host. */
  readonly title: string;
}
/** Where the terminal in front is; null while none is connected, and at a database's prompt. */
export const placeOf = (tab: (Place & { readonly status: string }) | undefined): Place | null =>
  tab?.status === 'connected' && tab.serverId !== '' && readPromptAddress(tab.serverId) === null
    ? { clusterId: tab.clusterId, serverId: tab.serverId, login: tab.login, title: tab.title }
    : null;
