// What the audit log is told of files: codes of the catalogue and their fields.
import { shownName } from '../../../../contract/files.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import { serverFields } from '../session-audit.ts';
import type { FilesAsk } from './connections.ts';

/** Actions by their code, without its last letter: I where it was done, E where it failed. */
const fileCodes = {
  download: 'T3004',
  upload: 'T3005',
  open: 'TS001',
  list: 'TS010',
  remove: 'TS011',
  makeFolder: 'TS012',
  removeFolder: 'TS013',
  rename: 'TS016',
  change: 'TS007',
  symlink: 'TS018',
  link: 'TS019',
} as const;
export type FileAction = keyof typeof fileCodes;

/** Resolves when the log has it. `failed`: why it was not done. */
export function noteFile(
  audit: AuditLog,
  { who, target, login, device }: FilesAsk,
  sid: string,
  action: FileAction,
  {
    path,
    to,
    size,
    failed,
  }: { readonly path: string; readonly to?: string; readonly size?: number; readonly failed?: string },
): Promise<void> {
  const isCopy = action === 'download' || action === 'upload';
  const code = fileCodes[action];
  return audit.emit({
    code: `${code}${failed === undefined ? 'I' : 'E'}`,
    user: who.user,
    user_id: who.userId,
    login,
    sid,
    ...(device !== undefined && { with_mfa: device }),
    ...serverFields(target),
    'addr.remote': who.remoteAddr,
    proto: 'ssh',
    path: shownName(path),
    ...(to !== undefined && { target_path: shownName(to) }),
    ...(size !== undefined && { attributes: { file_size: size } }),
    ...(isCopy
      ? {
          action,
          command: action,
          exitCode: failed === undefined ? '0' : '1',
          ...(failed !== undefined && { exitError: failed }),
        }
      : { action: Number(code.slice(2)), ...(failed !== undefined && { error: failed }) }),
  });
}
