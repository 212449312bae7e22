import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { anchorOf } from '../../../manual/anchors.ts';
import { LinkTo } from '../page.tsx';
import styles from './manual.module.css';

/** A chapter as React elements. Nothing in it is ever taken for HTML: what is not known here is shown as it is written. */
export function Markdown({ text, chapter }: { readonly text: string; readonly chapter: string }) {
  const tokens = lexer(text);
  // The page shows the chapter's title itself.
  const [first, ...rest] = tokens;
  return <>{blocks(first?.type === 'heading' ? rest : tokens, chapter)}</>;
}

/** Tokens never change places: their index is their name. */
const keyed = (tokens: readonly Token[], draw: (token: Token) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the text of a chapter is constant.
  tokens.map((token, index) => <Fragment key={index}>{draw(token)}</Fragment>);

const blocks = (tokens: readonly Token[], chapter: string): ReactNode => keyed(tokens, token => block(token, chapter));
const inlines = (tokens: readonly Token[] | undefined, chapter: string): ReactNode =>
  keyed(tokens ?? [], token => inline(token, chapter));

function block(token: Token, chapter: string): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens, text } = token as Tokens.Heading;
      const Heading = depth <= 2 ? 'h2' : 'h3';
      return (
        <Heading id={anchorOf(text.replaceAll('`', ''))} tabIndex={-1}>
          {inlines(tokens, chapter)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{inlines(token.tokens, chapter)}</p>;
    case 'text':
      return token.tokens === undefined ? token.raw : inlines(token.tokens, chapter);
    case 'code':
      return (
        <pre className={styles.code}>
          <code>{token.text}</code>
        </pre>
      );
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      const List = ordered ? 'ol' : 'ul';
      return (
        <List>
          {keyed(items, item => (
            <li>{blocks((item as Tokens.ListItem).tokens, chapter)}</li>
          ))}
        </List>
      );
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return (
        <table>
          <thead>
            <tr>
              {header.map(cell => (
                <th key={cell.text} scope="col">
                  {inlines(cell.tokens, chapter)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.map(cell => cell.text).join('|')}>
                {row.map((cell, at) => (
                  <td key={header[at]?.text}>{inlines(cell.tokens, chapter)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    }
    case 'space':
      return null;
    default:
      return inline(token, chapter);
  }
}

function inline(token: Token, chapter: string): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, chapter)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens, chapter)}</em>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'text':
    case 'escape':
      return token.text;
    case 'link':
      return (
        <ManualLink href={token.href} chapter={chapter}>
          {inlines(token.tokens, chapter)}
        </ManualLink>
      );
    default:
      return token.raw;
  }
}

/** Links lead to chapters, or out by https; anything else stays words. */
function ManualLink({
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
