// Invite and reset are one flow (specification sections 2 and 4): which step comes after which. Pure; nothing is drawn here.
import type { WebConfig } from '../../../contract/config.ts';

export type Step = 'password' | 'device' | 'sending' | 'webLoginDisabled' | 'codes' | 'done';
type SecondFactor = WebConfig['auth']['second_factor'];

export type Turn =
  | { readonly kind: 'passwordSet'; readonly secondFactor: SecondFactor }
  | { readonly kind: 'deviceSet' }
  | { readonly kind: 'back' }
  | { readonly kind: 'refused'; readonly secondFactor: SecondFactor }
  | { readonly kind: 'accepted'; readonly keyPolicy: boolean; readonly codesCreated: boolean }
  | { readonly kind: 'codesSaved' };

/** The step after a turn; a turn that does not belong to the step changes nothing. */
export function next(step: Step, turn: Turn): Step {
  switch (turn.kind) {
    case 'passwordSet':
      return step !== 'password' ? step : turn.secondFactor === 'off' ? 'sending' : 'device';
    case 'deviceSet':
      return step === 'device' ? 'sending' : step;
    case 'back':
      return step === 'device' ? 'password' : step;
    case 'refused':
      return step !== 'sending' ? step : turn.secondFactor === 'off' ? 'password' : 'device';
    case 'accepted':
      if (step !== 'sending') return step;
      return turn.keyPolicy ? 'webLoginDisabled' : turn.codesCreated ? 'codes' : 'done';
    case 'codesSaved':
      return step === 'codes' ? 'done' : step;
    default:
      turn satisfies never;
      return step;
  }
}
