// The manual's chapters, each loaded when it is wanted. Their order and titles are those of `index.md`.
import { anchorOf } from '../../manual/anchors.ts';

const files = import.meta.glob<string>('../../manual/*.md', { query: '?raw', import: 'default' });
const INDEX = 'index';

/** A chapter as the index names it. */
export interface Chapter {
  /** File name without its ending, which is also its place in the address. */
  readonly name: string;
  readonly title: string;
  /** What it is about, in one line. */
  readonly about: string;
}

/** Part of a chapter under one heading. */
export interface Section {
  readonly chapter: Chapter;
  readonly title: string;
  /** As links name it; '' for the chapter's own title. */
  readonly anchor: string;
  readonly text: string;
}

/** The Markdown of a chapter; null when there is none of that name. */
export async function textOf(name: string): Promise<string | null> {
  return (await files[`../../manual/${name}.md`]?.()) ?? null;
}

/** All chapters, in order. */
export async function chapters(): Promise<readonly Chapter[]> {
  const index = (await textOf(INDEX)) ?? '';
  return [...index.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\): (.+)$/gm)].map(
    ([, title = '', name = '', about = '']) => ({
      name,
      title,
      about: about.replaceAll('`', ''),
    }),
  );
}

/** Every part of every chapter, for searching. */
export async function sections(): Promise<readonly Section[]> {
  const all = await chapters();
  const texts = await Promise.all(all.map(async chapter => [chapter, (await textOf(chapter.name)) ?? ''] as const));
  return texts.flatMap(([chapter, text]) =>
    // Comments in blocks of code begin as headings do.
    text
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, block => block.replaceAll(/^#+ /gm, ''))
      .split(/^(?=#+ )/m)
      .flatMap(part => {
        const [, marks = '', title = ''] = /^(#+) (.*)$/m.exec(part) ?? [];
        if (title === '') return [];
        return [
          {
            chapter,
            title,
            anchor: marks === '#' ? '' : anchorOf(title),
            text: part.slice(marks.length + title.length + 1),
          },
        ];
      }),
  );
}
