import { useEffect, useRef } from 'react';
import type { WebConfig } from '../../../contract/config.ts';
import { providerAddress, providerBrand } from '../../../contract/sign-in-form.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import styles from './login.module.css';

/**
 * A button for each sign-in connector. They are plain links: they work before any script, where the gateway repeats the one that the build
 * drew, so they are drawn alike.
 */
export function Providers({
  providers,
  redirect,
  isFirst,
}: {
  readonly providers: WebConfig['auth']['providers'];
  /** Where the person wanted to go. */
  readonly redirect: string;
  /** They are what this page is about, and the first of them gets the keys. */
  readonly isFirst: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (isFirst && document.activeElement === document.body) list.current?.querySelector('a')?.focus();
  }, [isFirst]);
  return (
    <ul ref={list} className={styles.providers}>
      {providers.map(provider => (
        <li key={provider.url + provider.name} data-brand={providerBrand(provider)}>
          <ButtonLink
            href={providerAddress(provider, redirect)}
            kind={isFirst ? 'primary' : 'secondary'}
            here
          >{`Sign in with ${provider.displayName}`}</ButtonLink>
        </li>
      ))}
    </ul>
  );
}
