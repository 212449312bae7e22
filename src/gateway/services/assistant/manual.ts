// The manual, searched by words: what the assistant reads of it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../manual');
/** Of each section that is found, characters. */
const SECTION_MOST_CHARACTERS = 1800;

interface Section {
  readonly chapter: string;
  readonly title: string;
  readonly text: string;
}
let sections: Promise<readonly Section[]> | undefined;

async function readSections(): Promise<readonly Section[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.md'));
  const read = await Promise.all(
    files.map(async file => {
      const parts = (await readFile(join(folder, file), 'utf8')).split(/^(?=#{1,3} )/m);
      return parts.map(part => ({
        chapter: file.replace(/\.md$/, ''),
        title: /^#+ (.*)/.exec(part)?.[1] ?? '',
        text: part,
      }));
    }),
  );
  return read.flat();
}

/** The sections that hold most of the words, best first; those with a word in the title before others. */
export async function findInManual(words: string, most: number): Promise<readonly Section[]> {
  sections ??= readSections();
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}-]{3,}/gu) ?? [])];
  const score = ({ title, text }: Section): number => {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()];
    return wanted.reduce((sum, word) => sum + (head.includes(word) ? 3 : 0) + (body.includes(word) ? 1 : 0), 0);
  };
  return (await sections)
    .map(section => ({ section, score: score(section) }))
    .filter(one => one.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => ({ ...section, text: section.text.slice(0, SECTION_MOST_CHARACTERS) }));
}
