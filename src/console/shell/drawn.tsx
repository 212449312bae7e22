// The sign-in page as HTML, drawn when the console is built: the gateway sends it with the page, so that it is there before any script.
import { renderToString } from 'react-dom/server';
import Login from '../screens/login/Screen.tsx';
import { PageContext } from '../screens/page.tsx';
import type { Boot } from './boot.ts';
import { readConfig } from './config.ts';
import { publicPage } from './public-page.ts';

/** Stands where the gateway writes the name of its cluster. */
const CLUSTER = '{{cluster}}';

const never = (): never => {
  throw new Error('Nothing is done while a page is being drawn');
};

/** As `App` draws it for someone who has not signed in, where passwords are accepted and there is no message of the day. */
export function drawSignIn(): string {
  const boot: Boot = {
    config: readConfig({ proxyCluster: CLUSTER }),
    api: never,
    download: never,
    answered: async () => undefined,
    session: {
      token: () => null,
      isValid: () => false,
      timeLeft: () => 0,
      keep: never,
      renew: never,
      lost: never,
      check: never,
      open: never,
    },
    hasJustLeft: false,
    signOut: never,
    enter: never,
  };
  const page = publicPage(boot, { id: 'login', params: {} }, {});
  return renderToString(
    <PageContext value={page}>
      <Login />
    </PageContext>,
  );
}
