// Which step of an enrolment is on screen: pure, so that a test can walk it. Nobody comes to a step before those ahead of it are over.

/** How a step has ended; a guide that is left before its last is aborted. */
type StepEnd = 'success' | 'skipped';
export interface Walk<Step extends string> {
  readonly steps: readonly Step[];
  /** The one on screen. */
  readonly at: Step;
  readonly ends: Readonly<Partial<Record<Step, StepEnd>>>;
}
export type Turn = 'next' | 'skip' | 'back';

/** The walk after a turn: at its ends it stays where it is, and a step that is gone back to has not ended. */
export function turned<Step extends string>({ steps, at, ends }: Walk<Step>, turn: Turn): Walk<Step> {
  const index = steps.indexOf(at);
  const to = steps[index + (turn === 'back' ? -1 : 1)];
  if (to === undefined) return { steps, at, ends };
  if (turn === 'back') {
    const { [to]: _ended, ...others } = ends;
    return { steps, at: to, ends: others as Walk<Step>['ends'] };
  }
  return { steps, at: to, ends: { ...ends, [at]: turn === 'skip' ? 'skipped' : 'success' } };
}

/** At the first step, or, with those ahead of it skipped, at another. */
export function begin<Step extends string>(steps: readonly [Step, ...Step[]], from: Step = steps[0]): Walk<Step> {
  let walk: Walk<Step> = { steps, at: steps[0], ends: {} as Walk<Step>['ends'] };
  while (walk.at !== from) walk = turned(walk, 'skip');
  return walk;
}

/** Something was begun and is not over: leaving asks. */
export const isMidway = <Step extends string>({ steps, at }: Walk<Step>, hasBegun: boolean): boolean =>
  at !== steps.at(-1) && (hasBegun || at !== steps[0]);
