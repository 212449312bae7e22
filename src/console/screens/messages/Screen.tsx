import { useEffect } from 'react';
import { Card } from '../Card.tsx';
import { LinkTo, usePage } from '../page.tsx';

/** The message pages at the end of a sign-in that happened elsewhere. */
export default function Message() {
  const { feature, query } = usePage();
  useEffect(() => {
    if (feature === 'loginClose') globalThis.close();
  }, [feature]);
  switch (feature) {
    case 'loginClose':
      return <Card title="Signed in">This tab can be ignored and will close on its own.</Card>;
    case 'loginTerminal':
      return (
        <Card title="Continue in Terminal">
          <p>You have been authenticated{query.auth ? ` by ${query.auth}` : ''}. This window can be closed now.</p>
        </Card>
      );
    case 'loginSuccess':
      return (
        <Card title="Signed in">
          <p>You have been authenticated. This window can be closed now.</p>
        </Card>
      );
    default:
      return (
        <Card title="Login Unsuccessful">
          <p>{failureTexts[feature] ?? failureTexts.loginFailed}</p>
          <LinkTo id="login">Please attempt to log in again.</LinkTo>
        </Card>
      );
  }
}

const failureTexts: Readonly<Record<string, string>> = {
  loginFailed: 'Your sign-in did not succeed.',
  loginFailedLegacy: 'Your sign-in did not succeed.',
  loginFailedCallback: 'The answer of your sign-in provider could not be read.',
  loginFailedAuth: 'Your sign-in provider did not vouch for you, or none of its groups gives you a role here.',
};
