import { useEffect } from 'react';
import { match, to } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { PageContext } from '../screens/page.tsx';
import type { Boot } from './boot.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { follow, queryOf, useHere } from './navigation.ts';
import { pageKeys } from './page-keys.ts';
import { privateConsole, publicPages } from './prepare.ts';
import { publicPage } from './public-page.ts';
import { loginLink, safeRedirect } from './redirect.ts';
import { pageTitle } from './titles.ts';

/** Chooses between the pages that work signed out and the console proper. */
export function App({ boot }: { readonly boot: Boot }) {
  const { path, search } = useHere();
  const found = match(path);
  const isPublic = found !== null && features[found.id].public === true;
  const title = pageTitle(found);
  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    if (isPublic) pageKeys().stands();
  }, [isPublic]);

  if (!isPublic) {
    if (boot.session.token() === null) return <GoTo path={loginLink(path + search)} />;
    if (!boot.session.isValid()) return <SignOut boot={boot} />;
    return (
      <ErrorBoundary whole>
        <privateConsole.Component boot={boot} path={path} search={search} />
      </ErrorBoundary>
    );
  }
  // Someone who is signed in has no use for the login form.
  if (found.id === 'login' && boot.session.isValid() && !boot.hasJustLeft) {
    return <GoTo path={safeRedirect(queryOf(search).redirect_uri ?? null, location.origin)} />;
  }
  const screen = publicPages[found.id];
  if (screen === undefined) return <GoTo path={to('root')} />;
  return (
    <PageContext value={publicPage(boot, found, queryOf(search))}>
      <ErrorBoundary key={screen.key} whole>
        <screen.Component />
      </ErrorBoundary>
    </PageContext>
  );
}

/** A session that ended while its page was asleep: invalid here means logout (specification section 4). */
function SignOut({ boot }: { readonly boot: Boot }) {
  useEffect(() => boot.signOut(true), [boot]);
  return null;
}

function GoTo({ path }: { readonly path: string }) {
  useEffect(() => follow(path, { replace: true }), [path]);
  return null;
}
