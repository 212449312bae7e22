import { useEffect } from 'react';
import { Card } from '../Card.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { authenticatedText, failureText, refusalText } from './words.ts';

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
          <p>{authenticatedText(query.auth)}</p>
        </Card>
      );
    case 'loginSuccess':
      return (
        <Card title="Signed in">
          <p>{authenticatedText(undefined)}</p>
        </Card>
      );
    default:
      return (
        <Card title="Login Unsuccessful">
          <p>{refusalText(document.cookie) ?? failureText(feature)}</p>
          <LinkTo id="login">Please attempt to log in again.</LinkTo>
        </Card>
      );
  }
}
