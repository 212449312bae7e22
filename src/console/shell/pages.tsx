// The generic pages of the specification (section 2): not found, denied, failed, and the full-screen error.
import { useEffect } from 'react';
import type { ApiError } from '../../contract/failure.ts';
import { to } from '../../features/paths.ts';
import { Button } from '../ui/Button.tsx';
import { GenericPage } from './GenericPage.tsx';
import { follow } from './navigation.ts';
import { pageKeys } from './page-keys.ts';

/** The way on from a page that is not there. */
export const homeButton = (
  <Button kind="primary" size="large" onClick={() => follow(to('root'))}>
    Go to the start
  </Button>
);

/** Nothing of ours is at this path. */
export function NotFound() {
  return (
    <GenericPage title="404 Not Found" actions={homeButton}>
      The requested path could not be found.
    </GenericPage>
  );
}

/** A screen that broke while it was drawn: the message, and a way to try again. */
export function InternalError({
  message,
  onRetry,
  whole = false,
}: {
  readonly message: string;
  readonly onRetry?: () => void;
  readonly whole?: boolean;
}) {
  return (
    <GenericPage
      title="Internal Error"
      whole={whole}
      actions={
        onRetry && (
          <Button kind="primary" size="large" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <span role="alert">{message}</span>
    </GenericPage>
  );
}

/** The full-screen error: the console could not start for this person. */
export function FatalError({ error, onLogin }: { readonly error: ApiError | Error; readonly onLogin: () => void }) {
  useEffect(() => pageKeys().stands(), []);
  return (
    <GenericPage
      title="An error has occurred"
      whole
      actions={
        <>
          <Button kind="primary" size="large" autoFocus onClick={onLogin}>
            Go to Login
          </Button>
          <Button size="large" onClick={() => location.reload()}>
            Refresh
          </Button>
        </>
      }
    >
      <p role="alert">{error.message}</p>
      <p>Try again by refreshing the page.</p>
      {'requestId' in error && error.requestId !== undefined && <p>Request {error.requestId}</p>}
    </GenericPage>
  );
}
