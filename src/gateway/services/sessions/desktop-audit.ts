// Events of a session on a desktop, for the audit log: codes of the catalogue and their fields, in the order they happened.

import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { DesktopAccess, OfferedDirectory } from '../../ports/desktops.ts';
import type { Who } from '../../ports/who.ts';
import { deviceField } from '../device-facts.ts';
import { type AuditNotes, createAuditNotes, endFields } from './audit-notes.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** Somebody's wish for a session on a desktop. */
export interface DesktopWish extends DesktopAccess {
  readonly who: Who;
  readonly device?: string;
}
const wishFields = ({ who, device, desktop, login }: DesktopWish): Record<string, unknown> => ({
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  'addr.remote': who.remoteAddr,
  ...(device !== undefined && { with_mfa: device }),
  proto: desktop.protocol,
  windows_desktop_service: '',
  desktop_addr: desktop.address,
  windows_domain: '',
  windows_user: login,
  desktop_labels: desktop.labels,
  desktop_name: desktop.name,
});
const watching = (who: Who): Record<string, unknown> => ({
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  'addr.remote': who.remoteAddr,
  mode: 'observer',
});
/** A session did not begin: not permitted, or the desktop could not be reached. */
export const desktopRefusalEvent = (wish: DesktopWish, error: string): AuditEntry => ({
  code: 'TDP00W',
  ...wishFields(wish),
  success: false,
  error,
});

export interface DesktopAudit extends Pick<AuditNotes, 'onLost'> {
  /** Resolves when the log has it; nothing may be shown before that. */
  start(recording: { readonly session_recording: 'node' | 'off'; readonly recording_key?: string }): Promise<void>;
  copied(way: 'send' | 'receive', length: number): void;
  /** A directory was offered, and is not shared. */
  notShared(directory: OfferedDirectory, error: string): void;
  /** Somebody came to watch, or left. */
  join(who: Who): void;
  leave(who: Who): void;
  /** Resolves when the log has it, and all before it. */
  end(facts: SessionEndFacts): Promise<void>;
}

export function createDesktopAudit(audit: AuditLog, wish: DesktopWish & { readonly sid: string }): DesktopAudit {
  const fields = { sid: wish.sid, ...wishFields(wish) };
  const notes = createAuditNotes(audit);
  return {
    start: recording => audit.emit({ code: 'TDP00I', ...fields, ...recording, success: true }),
    copied: (way, length) => notes.note({ code: way === 'send' ? 'TDP02I' : 'TDP03I', ...fields, length }),
    notShared: ({ id, name }, error) =>
      notes.note({ code: 'TDP04W', ...fields, directory_id: id, directory_name: name, success: false, error }),
    join: who => notes.note({ code: 'T2001I', ...fields, ...watching(who) }),
    leave: who => notes.note({ code: 'T2003I', ...fields, ...watching(who) }),
    onLost: notes.onLost,
    async end(facts) {
      await notes.settled();
      await audit.emit({ code: 'TDP01I', ...fields, ...endFields(facts), recorded: facts.seal !== null });
    },
  };
}
