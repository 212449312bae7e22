import { useCallback, useEffect, useRef, useState } from 'react';
import { captureEvent } from '../../../contract/capture.ts';
import { enrollments, isEnrollment } from '../../../features/enrollment.ts';
import { usePage } from '../page.tsx';
import { begin, type Turn, turned } from './guide.ts';
import { type Deployed, discoverResource, type StepStatus, toldOf } from './told.ts';

/**
 * The walk of the guide that the address names, and what turns it. It is told as it goes on, and nothing waits for that. `from`: what is ahead of
 * this step is skipped.
 */
export function useWalk<Step extends string>(steps: readonly [Step, ...Step[]], from?: Step) {
  const { api, query } = usePage();
  const { tile = '' } = query;
  const [walk, setWalk] = useState(() => begin<Step>(steps, from));
  const [id] = useState(() => crypto.randomUUID());
  const latest = useRef(walk);
  latest.current = walk;
  const tell = useCallback(
    (step: string, status: StepStatus, deployed?: Deployed): void => {
      if (!isEnrollment(tile)) return;
      const body = toldOf({ id, resource: discoverResource(enrollments[tile].by) }, step, status, deployed);
      if (body) api(captureEvent, { body }).catch(() => undefined);
    },
    [api, id, tile],
  );
  useEffect(() => {
    tell('begin', 'success');
    return () => {
      const { steps: all, at } = latest.current;
      if (at !== all.at(-1)) tell(at, 'aborted');
    };
  }, [tell]);

  const turn = (to: Turn, deployed?: Deployed) => (): void => {
    const after = turned(walk, to);
    if (to !== 'back') tell(walk.at, to === 'skip' ? 'skipped' : 'success', deployed);
    if (to !== 'back' && after.at === steps.at(-1)) tell(after.at, 'success');
    setWalk(after);
  };
  return { walk, turn, onFailed: () => tell(latest.current.at, 'error') };
}
