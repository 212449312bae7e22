// The screens of pages that work signed out. A public feature without a line here does not compile.
import type { PublicId } from '../../features/table.ts';
import type { LoadScreen } from './load-screen.ts';
import Login from './login/Screen.tsx';

const credentials: LoadScreen = () => import('./credentials/Screen.tsx');
const messages: LoadScreen = () => import('./messages/Screen.tsx');

/** By feature. */
export const publicScreens = {
  // Where everyone begins: nobody waits for it.
  login: async () => ({ default: Login }),
  invite: credentials,
  inviteContinue: credentials,
  reset: credentials,
  resetContinue: credentials,
  recover: () => import('./credentials/Recover.tsx'),
  loginSuccess: messages,
  loginTerminal: messages,
  loginClose: messages,
  loginFailedLegacy: messages,
  loginFailed: messages,
  loginFailedCallback: messages,
  loginFailedAuth: messages,
} satisfies Record<PublicId, LoadScreen>;
