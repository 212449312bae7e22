import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import styles from './markdown.module.css';

/** What whoever shows a text does with its links and headings. */
export interface MarkdownParts {
  readonly link: (href: string, children: ReactNode) => ReactNode;
  /** Names a heading, so that links lead to it. */
  readonly anchor?: (heading: string) => string;
}

/**
 * A text as React elements. Nothing in it is ever taken for HTML, and no picture is ever fetched: what is not known here is shown as it is
 * written.
 */
export function Markdown({
  text,
  isTitled = false,
  ...parts
}: MarkdownParts & {
  readonly text: string;
  /** The page shows the title that it begins with itself. */
  readonly isTitled?: boolean;
}) {
  const tokens = tokensOf(text);
  if (tokens === null) return <p>{text}</p>;
  const [first, ...rest] = tokens;
  return <>{blocks(isTitled && first?.type === 'heading' ? rest : tokens, parts, 0)}</>;
}

/** Deeper than anybody writes; what is nested further is shown as it is written. */
const DEPTH_MOST = 12;

/** A list that is indented further than anybody writes: the time to read nested ones grows with the third power of their depth. */
const TOO_DEEP = /^[ \t]{200,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

/** Null for what is nested so deep that it cannot be read, or not soon. */
function tokensOf(text: string): readonly Token[] | null {
  if (TOO_DEEP.test(text)) return null;
  try {
    return lexer(text);
  } catch {
    return null;
  }
}

/** Tokens never change places: their index is their name. */
const keyedOf = <One,>(all: readonly One[], draw: (one: One) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text is constant, or grows at its end.
  all.map((one, index) => <Fragment key={index}>{draw(one)}</Fragment>);
const keyed: typeof keyedOf<Token> = keyedOf;

const blocks = (tokens: readonly Token[], parts: MarkdownParts, depth: number): ReactNode =>
  depth > DEPTH_MOST ? tokens.map(({ raw }) => raw).join('') : keyed(tokens, token => block(token, parts, depth));
const inlines = (tokens: readonly Token[] | undefined, parts: MarkdownParts, depth: number): ReactNode =>
  depth > DEPTH_MOST
    ? (tokens ?? []).map(({ raw }) => raw).join('')
    : keyed(tokens ?? [], token => inline(token, parts, depth));

function block(token: Token, parts: MarkdownParts, depth: number): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens, text } = token as Tokens.Heading;
      const Heading = depth <= 2 ? 'h2' : 'h3';
      return (
        <Heading id={parts.anchor?.(text.replaceAll('`', ''))} tabIndex={parts.anchor && -1}>
          {inlines(tokens, parts, depth + 1)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{inlines(token.tokens, parts, depth + 1)}</p>;
    case 'text':
      return token.tokens === undefined ? token.raw : inlines(token.tokens, parts, depth + 1);
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
            <li>{blocks((item as Tokens.ListItem).tokens, parts, depth + 1)}</li>
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
              {keyedOf(header, cell => (
                <th scope="col">{inlines(cell.tokens, parts, depth + 1)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keyedOf(rows, row => (
              <tr>
                {keyedOf(row, cell => (
                  <td>{inlines(cell.tokens, parts, depth + 1)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    }
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], parts, depth + 1)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    default:
      return inline(token, parts, depth);
  }
}

function inline(token: Token, parts: MarkdownParts, depth: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, parts, depth + 1)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens, parts, depth + 1)}</em>;
    case 'del':
      return <del>{inlines(token.tokens, parts, depth + 1)}</del>;
    case 'br':
      return <br />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'text':
    case 'escape':
      return token.text;
    case 'link':
      return parts.link(token.href, inlines(token.tokens, parts, depth + 1));
    default:
      return token.raw;
  }
}
