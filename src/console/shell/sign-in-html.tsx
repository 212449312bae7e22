// The sign-in page as HTML, drawn when the console is built: the gateway sends it with the page, so that it is there before any script.
import { renderToString } from 'react-dom/server';
import type { WebConfig } from '../../contract/config.ts';
import { placeholders, type SignInForm } from '../../contract/sign-in-form.ts';
import Login from '../screens/login/Screen.tsx';
import { PageContext } from '../screens/page.tsx';
import type { Boot } from './boot.ts';
import { readConfig } from './config.ts';
import { publicPage } from './public-page.ts';

const never = (): never => {
  throw new Error('Nothing is done while a page is being drawn');
};

/** As `App` draws it for someone who has not signed in, where there is no message of the day: by the ways in that there are. */
export const signInHtml = (): Readonly<Record<SignInForm, string>> => ({
  password: draw({}),
  passwordFirst: draw({ providers: [placeholders.provider] }),
  connectorsFirst: draw({ providers: [placeholders.provider], authType: 'oidc' }),
  connectors: draw({ providers: [placeholders.provider], authType: 'oidc', localAuthEnabled: false }),
});

function draw(auth: Partial<WebConfig['auth']>): string {
  const { auth: plain, ...config } = readConfig({
    proxyCluster: placeholders.cluster,
    recoveryCodesEnabled: true,
  });
  const boot: Boot = {
    config: { ...config, auth: { ...plain, second_factor: 'on', ...auth } },
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
    over: '',
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
