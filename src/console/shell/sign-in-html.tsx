// The sign-in page as HTML, drawn when the console is built: the gateway sends it with the page, so that it is there before any script.
import { renderToString } from 'react-dom/server';
import Login from '../screens/login/Screen.tsx';
import { PageContext } from '../screens/page.tsx';
import type { Boot } from './boot.ts';
import { readConfig } from './config.ts';
import { publicPage } from './public-page.ts';

/** Stands where the name of the cluster belongs. */
const CLUSTER = 'name-of-the-cluster';

const never = (): never => {
  throw new Error('Nothing is done while a page is being drawn');
};

/**
 * As `App` draws it for someone who has not signed in, where passwords are accepted and there is no message of the day: in parts, between
 * which the name of the cluster stands.
 */
export function signInHtml(): readonly string[] {
  const boot: Boot = {
    config: readConfig({ proxyCluster: CLUSTER }),
    api: never,
    download: never,
    answered: async () => undefined,
    session: {
      token: () => null,
      isValid: () => false,
      timeLeft: () => 0,
      accept: never,
      bearer: never,
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
  const drawn = renderToString(
    <PageContext value={page}>
      <Login />
    </PageContext>,
  );
  return drawn.split(CLUSTER);
}
