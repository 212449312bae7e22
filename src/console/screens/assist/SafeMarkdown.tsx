import { Markdown } from '../Markdown.tsx';
import styles from './assist.module.css';

/** What a model has written: no HTML, no pictures, and every link with the address that it leads to. */
export const SafeMarkdown = ({ text }: { readonly text: string }) => (
  <div className={styles.markdown}>
    <Markdown
      text={text}
      link={(href, children) =>
        /^https?:\/\/[^\s]+$/i.test(href) ? (
          <>
            {children}{' '}
            <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={styles.address}>
              {new URL(href).href}
            </a>
          </>
        ) : (
          children
        )
      }
    />
  </div>
);
