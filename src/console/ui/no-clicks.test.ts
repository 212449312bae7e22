import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Places where a click is what the platform asks for: files are picked and saved in no other way, and a key that waited is pressed again as it was. */
const allowed = ['screens/files/HerePane.tsx', 'terminal/files/FilePanel.tsx', 'ui/early-keys.ts', 'ui/save-file.ts'];

test('what is done goes through commands and handles: no element is clicked, found by id to be pressed, or asked for its label', async () => {
  const root = new URL('..', import.meta.url).pathname;
  const found: string[] = [];
  for await (const file of glob('**/*.{ts,tsx}', { cwd: root })) {
    if (/\.(test|testing)\./.test(file)) continue;
    const text = readFileSync(root + file, 'utf8');
    if (/\.click\(\)|\[data-primary\]|getAttribute\('aria-label'\)|getElementById\([^)]*-button/.test(text))
      found.push(file);
  }
  expect(found.sort()).toEqual(allowed);
});

test('what is done with a row is said by its noun: no list words it, draws a button for it or hears its Enter by itself', async () => {
  const root = new URL('../screens', import.meta.url).pathname;
  const found: string[] = [];
  for await (const file of glob('*/Screen.tsx', { cwd: root })) {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    if (text.includes('<PagedList') && /actionsColumn|size="dense"|onOpen=/.test(text)) found.push(file);
  }
  expect(found).toEqual([]);
});
