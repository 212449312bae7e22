// The manual in the palette: every heading can be found by its words and by what stands under it.
import { createIndex, matchKinds, rank } from '../../../commands/rank.ts';
import { sections } from '../manual/chapters.ts';
import type { Row } from './rows.ts';

/** Words of a section that find it, at most. */
const WORDS_MOST = 400;

/** A place in the manual, as its page's address has it. */
export interface ManualPlace {
  readonly chapter: string;
  readonly section: string;
}

export interface Manual {
  /** Best first; before anything is typed, the chapters. */
  rows(text: string, read: (place: ManualPlace) => void): readonly Row[];
}

/** Loads the chapters. Rejects when one cannot be loaded. */
export async function openManual(): Promise<Manual> {
  const items = (await sections()).map(section => ({
    title: section.title,
    words: [section.chapter.title, ...new Set(section.text.match(/[\p{L}\p{N}_-]{2,}/gu))].slice(0, WORDS_MOST),
    section,
  }));
  const index = createIndex(items);
  return {
    rows: (text, read) =>
      (text.trim() === ''
        ? items.filter(({ section }) => section.anchor === '').map(item => ({ item, ranges: [] }))
        : rank(index, text).filter(({ kind }) => kind < matchKinds.initials)
      ).map(({ item: { section, title }, ranges }) => ({
        id: `manual ${section.chapter.name} ${section.anchor}`,
        icon: 'manual',
        title,
        group: 'Manual',
        ranges,
        detail: section.anchor === '' ? section.chapter.about : section.chapter.title,
        enter: 'Read',
        choose: () => read({ chapter: section.chapter.name, section: section.anchor }),
      })),
  };
}
