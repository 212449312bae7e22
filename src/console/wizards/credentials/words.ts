// The two wordings of the one flow: an invitation and a reset.
export interface Wording {
  readonly welcome: string;
  readonly begin: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly done: string;
  readonly disabled: string;
}

const expired = (kind: string): string =>
  `It appears that your ${kind} code isn't valid any more. Please contact your account administrator and request another ${kind} link.`;

export const wordings: Readonly<Record<'invite' | 'reset', Wording>> = {
  invite: {
    welcome: 'Welcome to Postern',
    begin: 'Get started',
    expiredTitle: 'Invitation Code Expired',
    expired: expired('invite'),
    done: 'Registration Successful',
    disabled: 'Registration Complete',
  },
  reset: {
    welcome: 'Reset your sign-in',
    begin: 'Continue',
    expiredTitle: 'Reset Code Expired',
    expired: expired('reset'),
    done: 'Reset Successful',
    disabled: 'Reset Complete',
  },
};
