// The table of what is proven, from the rules of the specification and the tests that carry them: `// Rule SECTION: RULE` above a test.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { features } from '../features/table.ts';
import { rules, unproven } from './rules.testing.ts';

const root = resolve(import.meta.dirname, '../..');
const table = join(import.meta.dirname, 'proofs.md');

const HEAD = `# What is proven

What the specification says, section by section: the page where it is seen, and the tests that fail when it is no longer so. The test run writes this table: a test carries
its rules in a comment above it (\`// Rule 2.1: the title of a page\`), the rules and their pages are in \`src/manual/rules.testing.ts\`, and a rule without a test, a comment
that names no rule and a table that is not the one of these tests each fail the run.
`;

interface Proof {
  readonly section: string;
  readonly rule: string;
  readonly file: string;
  /** Undefined where no test stands below the comment. */
  readonly title: string | undefined;
}
const numberOf = (heading: string): string => heading.split(' ', 1)[0] ?? '';

/** What the tests of one file carry. */
function proofsIn(file: string, text: string): readonly Proof[] {
  return [...text.matchAll(/(?:^[ \t]*\/\/ Rule .*\n)+/gm)].flatMap(({ 0: comments, index }) => {
    const title = titleOf(text.slice(index + comments.length));
    return [...comments.matchAll(/\/\/ Rule ([\d.]+): (.*)/g)].map(([, section = '', rule = '']) => ({
      ...{ section, rule, file, title },
    }));
  });
}
/** Of the test that a text begins with, also of one that is made for each of several, or by a function of its file. */
function titleOf(text: string): string | undefined {
  const [begin, chain = ''] = /^(?:[ \t]*\/\/.*\n)*[ \t]*(?:test|inMode)((?:\.\w+)*)(?:<[^(\n]*>)?/.exec(text) ?? [];
  if (begin === undefined) return undefined;
  const given = /\(\s*(['"`])((?:\\.|(?!\1)[^\n])+)\1/;
  const rest = text.slice(begin.length);
  const [, , title] = (chain === '' ? given : new RegExp(`\\)${given.source}`)).exec(rest) ?? [];
  return title?.replaceAll(/\\(['"`])/g, '$1');
}

async function proofs(): Promise<readonly Proof[]> {
  const folders = ['src', 'commands', 'e2e'].map(async name =>
    (await readdir(join(root, name), { recursive: true, withFileTypes: true }))
      .filter(one => one.isFile() && /\.(?:test|journey)\.tsx?$/.test(one.name))
      .map(one => relative(root, join(one.parentPath, one.name))),
  );
  const files = (await Promise.all(folders)).flat().sort();
  const found = files.map(async file => proofsIn(file, await readFile(join(root, file), 'utf8')));
  return (await Promise.all(found)).flat();
}
const all = await proofs();
const of = (heading: string, rule: string): readonly Proof[] =>
  all.filter(one => one.section === numberOf(heading) && one.rule === rule);
const sections = Object.entries(rules);

test('every rule of the specification is carried by a test, and stands once, with a page of the map', () => {
  const pages = new Set<string>(Object.values(features).map(({ path }) => path));
  const elsewhere = ['every page', 'the frame', 'the gateway'];
  const wrong = sections.flatMap(([heading, rows]) =>
    rows.filter(
      ([rule, page]) =>
        of(heading, rule).length === 0 ||
        rows.filter(([other]) => other === rule).length > 1 ||
        !(elsewhere.includes(page) || pages.has(page)),
    ),
  );
  expect(wrong).toEqual([]);
  expect(sections.map(([, rows]) => rows.length)).not.toContain(0);
  expect(sections.flatMap(([, rows]) => rows).length).toBeGreaterThan(370);
});

test('what a comment above a test names is a rule, and the test below it has a title', () => {
  const known = new Set(sections.flatMap(([heading, rows]) => rows.map(([rule]) => `${numberOf(heading)}: ${rule}`)));
  expect(all.filter(one => one.title === undefined || !known.has(`${one.section}: ${one.rule}`))).toEqual([]);
});

test('the table in the manual is that of these rules and tests: the run writes it, and it is kept as it was written', async () => {
  const parts = sections.map(([heading, rows]) =>
    [
      `## ${heading}`,
      '',
      '| Rule | Page | Test |',
      '|---|---|---|',
      ...rows.flatMap(([rule, page]) =>
        of(heading, rule).map(
          ({ file, title = '' }) =>
            `| ${rule} | ${page.startsWith('/') ? `\`${page}\`` : page} | \`${file}\`: ${title} |`,
        ),
      ),
      '',
    ].join('\n'),
  );
  const rest = [
    '## What no test shows',
    '',
    '| Section | What it says | Why |',
    '|---|---|---|',
    ...unproven.map(row => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
  const made = [HEAD, ...parts, rest].join('\n');
  const kept = await readFile(table, 'utf8');
  if (kept !== made) await writeFile(table, made);
  expect(kept, 'the table was not that of the tests: it has been written anew').toBe(made);
});
