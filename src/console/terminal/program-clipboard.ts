// Whether programs on a server may write the clipboard (OSC 52): the owner of a session is asked once for each server, and nobody else ever.
import type { TerminalPorts, TextStorage } from './ports.ts';
import { createServerAnswers } from './server-answers.ts';
import type { Tab } from './tab.ts';

const CONSENT_KEY = 'postern:clipboard_servers';

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
  const consent = createServerAnswers(ports.storage, CONSENT_KEY);

  function copy(text: string): void {
    ports.copyText(text).catch(() => ports.notify('The browser refused what a program tried to copy'));
  }

  return {
    /** A program in a tab's session writes the clipboard: done, dropped, or asked about. */
    write(tab: Tab, text: string): void {
      if (!tab.isOwner || tab.mode !== 'peer' || tab.serverId === '') return;
      const isAllowed = consent.get(ports.user(), tab.serverId);
      if (isAllowed === true) copy(text);
      if (isAllowed !== undefined) return;
      waiting.set(tab.key, text);
      tab.asksClipboard = true;
    },
    /** The person's answer for the server of a tab; what that tab's program copied is copied now, or forgotten. */
    answer({ key, serverId, title }: Tab, isAllowed: boolean): void {
      consent.set(ports.user(), serverId, isAllowed);
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
