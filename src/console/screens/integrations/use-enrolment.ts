import { useCallback, useEffect, useState } from 'react';
import { captureEvent, captureEvents } from '../../../contract/capture.ts';
import { enrolmentKind } from '../../../features/integrations.ts';
import { usePage } from '../page.tsx';

/** Tells that a form was opened; answers what tells that it is done. Both have the same id, and nothing waits for them. */
export function useEnrolment(kind: string): () => void {
  const { api } = usePage();
  const [id] = useState(() => crypto.randomUUID());
  const tell = useCallback(
    (event: string): void => {
      api(captureEvent, { body: { event, eventData: { id, kind: enrolmentKind(kind) } } }).catch(() => undefined);
    },
    [api, id, kind],
  );
  useEffect(() => tell(captureEvents.enrollStart), [tell]);
  return () => tell(captureEvents.enrollComplete);
}
