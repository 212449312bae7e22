// Invite and reset are one flow (specification sections 2 and 4): which step comes after which. Pure; nothing is drawn here.
import type { WebConfig } from '../../../contract/config.ts';

export type Step =
  | 'password'
  | 'device'
  | 'passwordless'
  | 'sending'
  | 'webLoginDisabled'
  | 'codes'
  | 'invites'
  | 'survey'
  | 'done';
/** What is asked of a new person between the codes and the end. */
export interface Asked {
  readonly invites: boolean;
  readonly survey: boolean;
}
type SecondFactor = WebConfig['auth']['second_factor'];

export type Turn =
  | { readonly kind: 'passwordSet'; readonly secondFactor: SecondFactor }
  | { readonly kind: 'deviceSet' }
  | { readonly kind: 'goPasswordless' }
  | { readonly kind: 'usePassword' }
  | { readonly kind: 'back' }
  /** `at`: the step whose form was sent. */
  | { readonly kind: 'refused'; readonly at: Step }
  | { readonly kind: 'accepted'; readonly keyPolicy: boolean; readonly codesCreated: boolean }
  | { readonly kind: 'codesSaved' }
  | { readonly kind: 'invited' }
  | { readonly kind: 'surveyed' };

/** Where the flow begins: by the primary way of signing in. */
export const firstStep = ({ allowPasswordless, localConnectorName }: WebConfig['auth']): Step =>
  allowPasswordless && localConnectorName === 'passwordless' ? 'passwordless' : 'password';

/** What comes after the codes, where there are any. */
const afterCodes = ({ invites, survey }: Asked): Step => (invites ? 'invites' : survey ? 'survey' : 'done');

/** The step after a turn; a turn that does not belong to the step changes nothing. */
export function next(step: Step, turn: Turn, asked: Asked): Step {
  switch (turn.kind) {
    case 'passwordSet':
      return step !== 'password' ? step : turn.secondFactor === 'off' ? 'sending' : 'device';
    case 'deviceSet':
      return step === 'device' || step === 'passwordless' ? 'sending' : step;
    case 'goPasswordless':
      return step === 'password' ? 'passwordless' : step;
    case 'usePassword':
      return step === 'passwordless' ? 'password' : step;
    case 'back':
      return step === 'device' ? 'password' : step;
    case 'refused':
      return step === 'sending' ? turn.at : step;
    case 'accepted':
      if (step !== 'sending') return step;
      return turn.keyPolicy ? 'webLoginDisabled' : turn.codesCreated ? 'codes' : afterCodes(asked);
    case 'codesSaved':
      return step === 'codes' ? afterCodes(asked) : step;
    case 'invited':
      return step === 'invites' ? afterCodes({ ...asked, invites: false }) : step;
    case 'surveyed':
      return step === 'survey' ? 'done' : step;
    default:
      turn satisfies never;
      return step;
  }
}
