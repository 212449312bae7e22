import { type ReactNode, useEffect, useRef, useState } from 'react';
import { anchorOf } from '../../../manual/anchors.ts';
import { type Chapter, chapters, textOf } from '../../manual/chapters.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { ListPage } from '../ListPage.tsx';
import { Markdown } from '../Markdown.tsx';
import { LinkTo, usePage } from '../page.tsx';
import styles from './manual.module.css';

interface OpenChapter {
  readonly name: string;
  readonly all: readonly Chapter[];
  /** Null: there is no such chapter. */
  readonly text: string | null;
}

/** One chapter of the manual beside the list of all; the address names chapter and section. */
export default function Manual() {
  const { params, query } = usePage();
  const wanted = params.chapter ?? '';
  const section = query.section ?? '';
  const [shown, setShown] = useState<OpenChapter | null>(null);
  const page = useRef<HTMLElement>(null);

  useEffect(() => {
    let isCurrent = true;
    void (async () => {
      const all = await chapters();
      const name = wanted === '' ? (all[0]?.name ?? '') : wanted;
      const text = all.some(one => one.name === name) ? await textOf(name) : null;
      if (isCurrent) setShown({ name, all, text });
    })();
    return () => {
      isCurrent = false;
    };
  }, [wanted]);

  const drawn = shown !== null && (wanted === '' || shown.name === wanted) ? shown : null;
  useEffect(() => {
    if (drawn === null) return;
    const heading = section === '' ? null : page.current?.querySelector(`#${CSS.escape(section)}`);
    if (heading instanceof HTMLElement) heading.focus();
    (heading ?? page.current)?.scrollIntoView();
  }, [drawn, section]);

  if (drawn === null)
    return (
      <ListPage title="Manual">
        <Spinner />
      </ListPage>
    );
  const { name, all, text } = drawn;
  const at = all.findIndex(one => one.name === name);
  const next = all[at + 1];
  return (
    <ListPage title={all[at]?.title ?? 'Manual'}>
      <div className={styles.manual}>
        <nav aria-label="Chapters" className={styles.chapters}>
          {all.map(one => (
            <LinkTo
              key={one.name}
              id="manual"
              params={{ chapter: one.name }}
              aria-current={one.name === name ? 'page' : undefined}
            >
              {one.title}
            </LinkTo>
          ))}
        </nav>
        <article ref={page} className={styles.chapter}>
          {text === null ? (
            <p>The manual has no chapter "{name}".</p>
          ) : (
            <Markdown
              text={text}
              isTitled
              anchor={anchorOf}
              link={(href, children) => (
                <ChapterLink href={href} chapter={name}>
                  {children}
                </ChapterLink>
              )}
            />
          )}
          {next !== undefined && at >= 0 && (
            <p className={styles.next}>
              Next:{' '}
              <LinkTo id="manual" params={{ chapter: next.name }}>
                {next.title}
              </LinkTo>
              , {next.about}
            </p>
          )}
        </article>
      </div>
    </ListPage>
  );
}

/** Links lead to chapters, or out by https; anything else stays words. */
function ChapterLink({
  href,
  chapter,
  children,
}: {
  readonly href: string;
  readonly chapter: string;
  readonly children: ReactNode;
}) {
  const [, name, section = ''] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
  if (name !== undefined || section !== '')
    return (
      <LinkTo id="manual" params={{ chapter: name ?? chapter }} query={{ section }}>
        {children}
      </LinkTo>
    );
  if (!href.startsWith('https://')) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
