// A comment that points at a file which its reader does not have says nothing: facts stand where they are used, or in the manual.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
/** Names of pages and tables, as comments and sentences cite them. */
const CITED = /(?<![\w*])[\w./-]*[\w-]\.(?:md|tsv)\b/g;

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(file => file !== '' && existsSync(join(root, file)));
const pages = new Set(tracked.filter(file => file.endsWith('.md')).map(file => basename(file)));

/** Notes that were never part of it, as comments cite them: `(design, point 7)`. */
const NOTE = /(?<!\w)\((?:look|design|style|engines|capabilities)[ ,](?![&|])[^)]*\)/g;

/** Citations in a text of files that are not in the repository. */
const lost = (file: string, text: string): string[] => [
  ...[...text.matchAll(NOTE)].map(([cited]) => cited),
  ...[...text.matchAll(CITED)]
    .map(([cited]) => cited)
    .filter(cited => {
      const path = cited.replace(/^\.?\//, '');
      return ![root, join(root, dirname(file)), join(root, 'src/manual')].some(from => existsSync(join(from, path)));
    })
    // A page of the repository by its bare name.
    .filter(cited => cited.includes('/') || !pages.has(cited)),
];

test('what is cited is in the repository', () => {
  const sources = tracked.filter(file => /\.(ts|tsx|mjs|css|md|html)$/.test(file) && file !== 'src/citations.test.ts');
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap(file =>
    lost(file, readFileSync(join(root, file), 'utf8')).map(cited => `${file}: ${cited}`),
  );
  expect(found).toEqual([]);
});

test('a citation of a file that readers do not have is found', () => {
  expect(lost('src/x.ts', '// As pages say (contract/api.md 1.3), and README.md.')).toEqual(['contract/api.md']);
  expect(lost('src/x.ts', '// Measured: engines.md; codes of contract/events.tsv.')).toEqual([
    'engines.md',
    'contract/events.tsv',
  ]);
  expect(lost('src/x.ts', '// Named so (look, "Parts").')).toEqual(['(look, "Parts")']);
});
