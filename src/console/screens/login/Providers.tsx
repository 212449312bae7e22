import type { WebConfig } from '../../../contract/config.ts';
import { providerAddress, providerBrand } from '../../../contract/sign-in-form.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import styles from './login.module.css';

/** A button for each sign-in connector. They are plain links: they work before any script. */
export function Providers({
  providers,
  redirect,
  isFirst,
}: {
  readonly providers: WebConfig['auth']['providers'];
  /** Where the person wanted to go. */
  readonly redirect: string;
  /** The first of them is what this page is about. */
  readonly isFirst: boolean;
}) {
  return (
    <ul className={styles.providers}>
      {providers.map((provider, index) => (
        <li key={provider.url + provider.name} data-brand={providerBrand(provider)}>
          <ButtonLink
            href={providerAddress(provider, redirect)}
            kind={isFirst && index === 0 ? 'primary' : 'secondary'}
            here
          >{`Sign in with ${provider.displayName}`}</ButtonLink>
        </li>
      ))}
    </ul>
  );
}
