// The bucket that the settings name, and the audit log's note of each recording that it has.
import type { AuditLog } from '../../ports/audit.ts';
import type { BucketPlace } from '../../ports/recordings.ts';
import type { Events } from '../../store/store.ts';
import { bucketUrl, openBucket } from '../bucket.ts';
import { type Archive, createArchive } from './archive.ts';

export interface OpenArchiveParts {
  readonly audit: AuditLog;
  readonly events: Pick<Events, 'endOf' | 'uploadOf'>;
  readonly report: (problem: string, error: unknown) => void;
}
/** Fields of the session's end that say whose recording it is. */
const SESSION_FIELDS = ['user', 'login', 'namespace', 'server_id', 'server_hostname', 'server_addr', 'proto'];

/** Null where recordings stay in their folder. */
export function openArchive(
  settings: {
    readonly recordingsFolder: string;
    readonly recordingsBucket: (BucketPlace & { readonly copiesMostBytes: number }) | null;
  },
  { audit, events, report }: OpenArchiveParts,
): Archive | null {
  const place = settings.recordingsBucket;
  if (!place) return null;
  /** Once: a gateway that was killed behind the note sends the recording again, and finds it there. */
  async function stored(sid: string): Promise<void> {
    if (await events.uploadOf(sid)) return;
    const end = (await events.endOf(sid))?.raw ?? {};
    await audit.emit({
      ...Object.fromEntries(SESSION_FIELDS.flatMap(name => (name in end ? [[name, end[name]]] : []))),
      code: 'T2005I',
      sid,
      url: bucketUrl(place as BucketPlace, `${sid}.rec`),
    });
  }
  return createArchive({
    bucket: openBucket(place),
    folder: settings.recordingsFolder,
    place: bucketUrl(place),
    copiesMostBytes: place.copiesMostBytes,
    stored,
    report,
  });
}
