// Whether programs on a server may write the clipboard (OSC 52): the owner of a session is asked once for each server, and nobody else ever.
import type { TerminalPorts, TextStorage } from './ports.ts';
import type { Tab } from './tab.ts';

const CONSENT_KEY = 'postern:clipboard_servers';
/** Servers remembered: more than a person answers for; the oldest answer goes first. */
const SERVERS_MOST = 500;

interface Consent {
  /** Whose answers they are: another person of the same browser is asked anew. */
  readonly user: string;
  /** Id of a server, and whether its programs may. */
  readonly servers: readonly (readonly [serverId: string, isAllowed: boolean])[];
}

const isAnswer = (value: unknown): value is readonly [string, boolean] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';

function readConsent(storage: TextStorage, user: string): Consent {
  const none: Consent = { user, servers: [] };
  try {
    const value: unknown = JSON.parse(storage.getItem(CONSENT_KEY) ?? 'null');
    if (typeof value !== 'object' || value === null) return none;
    const { user: whose, servers } = value as { readonly user?: unknown; readonly servers?: unknown };
    return whose === user && Array.isArray(servers) ? { user, servers: servers.filter(isAnswer) } : none;
  } catch {
    return none; // not ours: the next answer replaces it
  }
}

/** Decides over what programs copy. The answers are remembered in this browser. */
export function createProgramClipboard(ports: {
  readonly storage: TextStorage;
  readonly user: () => string;
  readonly tabs: () => readonly Tab[];
  readonly copyText: TerminalPorts['copyText'];
  readonly notify: TerminalPorts['notify'];
}) {
  /** What a tab's program copied last and nobody has allowed yet. */
  const waiting = new Map<string, string>();

  function copy(text: string): void {
    ports.copyText(text).catch(() => ports.notify('The browser refused what a program tried to copy'));
  }

  return {
    /** A program in a tab's session writes the clipboard: done, dropped, or asked about. */
    write(tab: Tab, text: string): void {
      if (!tab.isOwner || tab.mode !== 'peer' || tab.serverId === '') return;
      const { servers } = readConsent(ports.storage, ports.user());
      const isAllowed = servers.find(([serverId]) => serverId === tab.serverId)?.[1];
      if (isAllowed === true) copy(text);
      if (isAllowed !== undefined) return;
      waiting.set(tab.key, text);
      tab.asksClipboard = true;
    },
    /** The person's answer for the server of a tab; what that tab's program copied is copied now, or forgotten. */
    answer({ key, serverId, title }: Tab, isAllowed: boolean): void {
      const user = ports.user();
      const others = readConsent(ports.storage, user).servers.filter(([id]) => id !== serverId);
      const consent: Consent = { user, servers: [...others, [serverId, isAllowed] as const].slice(-SERVERS_MOST) };
      try {
        ports.storage.setItem(CONSENT_KEY, JSON.stringify(consent));
      } catch {
        ports.storage.removeItem(CONSENT_KEY); // the quota is used up: it is asked again
      }
      const text = waiting.get(key);
      for (const tab of ports.tabs()) {
        if (tab.serverId !== serverId) continue;
        tab.asksClipboard = false;
        waiting.delete(tab.key);
      }
      if (isAllowed && text !== undefined) copy(text);
      const host = title.slice(title.indexOf('@') + 1);
      ports.notify(
        isAllowed ? `Programs on ${host} may write the clipboard` : `Programs on ${host} are kept from the clipboard`,
      );
    },
  };
}
