// Every code of the catalogue is written by some part of the gateway, or the manual names it among those that never are, with why.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditCodes } from '../contract/audit-codes.ts';

/** Codes that the sources of the gateway name. One without its last letter is written with I or E; `/I$/` makes an E of what failed. */
async function written(): Promise<ReadonlySet<string>> {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
    name => name.endsWith('.ts') && !name.includes('.test') && !name.includes('testing'),
  );
  const texts = await Promise.all(files.map(name => readFile(join(import.meta.dirname, name), 'utf8')));
  return new Set(
    texts.flatMap(text =>
      [...text.matchAll(/'(T[A-Z0-9]{2,3}\d{1,3})([IWE]?)'/g)].flatMap(([, base = '', severity = '']) => {
        if (severity === '') return [`${base}I`, `${base}E`];
        return severity === 'I' && text.includes("replace(/I$/, 'E')") ? [`${base}I`, `${base}E`] : [base + severity];
      }),
    ),
  );
}

// Rule 3.4: each code of the wire is written here, or it is said why not
test('each code is written by some part, or stands in the manual among those that never are', async () => {
  const named = await written();
  const manual = await readFile(join(import.meta.dirname, '../manual/audit.md'), 'utf8');
  const [, table = ''] = manual.split('## Events that this gateway never writes');
  const patterns = [...table.matchAll(/`([A-Z0-9]+)(\*?)`/g)].map(([, begin = '', any = '']) => ({ begin, any }));
  const isNever = (code: string): boolean =>
    patterns.some(({ begin, any }) => (any === '' ? code === begin : code.startsWith(begin)));
  const codes = [...auditCodes.keys()];
  expect(codes.filter(code => !named.has(code) && !isNever(code))).toEqual([]);
  expect(codes.filter(code => named.has(code) && isNever(code))).toEqual([]);
  expect(patterns.filter(({ begin }) => !codes.some(code => code.startsWith(begin)))).toEqual([]);
});
