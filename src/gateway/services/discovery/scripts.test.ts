// The scripts for PowerShell, by their text: there is no PowerShell here that could run or parse them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configureScript, failingPowerShell, installScripts, quotedForPowerShell, scriptText } from './scripts.ts';

/** What is left of a script without literals and comments, as PowerShell divides it (about_Quoting_Rules). Throws for a literal without an end. */
function bare(text: string): string {
  const literal =
    /@"\n[\s\S]*?\n"@|@'\n[\s\S]*?\n'@|'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*['\u2018-\u201b]|"(?:[^"`]|`[\s\S]|"")*"|#[^\n]*/g;
  const rest = text.replace(literal, found => (found.startsWith('#') ? '' : '“”')).replaceAll('“”', '0');
  if (/['"\u2018-\u201b]/.test(rest))
    throw new Error(`a literal has no end: ${/.*['"\u2018-\u201b].*/.exec(rest)?.[0]}`);
  return rest;
}
/** Throws where brackets do not pair. */
function checkPairs(text: string): void {
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const one of text)
    if ('([{'.includes(one)) open.push(one);
    else if (one in pairs && open.pop() !== pairs[one]) throw new Error(`"${one}" closes nothing`);
  if (open.length > 0) throw new Error(`"${open.at(-1)}" is not closed`);
}

test.each([...installScripts, 'configure-ad.ps1'] as const)('in %s literals end and brackets pair', name => {
  const text = scriptText(name);
  checkPairs(bare(text));
  // A backtick at the end of a line goes on with the next one; with a space behind it, it does not.
  expect(text).not.toMatch(/`[ \t]+\n/);
  expect(text).toMatch(/^\$ErrorActionPreference = 'Stop'$/m);
});

test('whatever a cluster is called, its name is one literal, and what comes behind it is the script', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...`a'"\`$(){};\n\u2018\u2019\u201a\u201b&|#@`) }), cluster => {
      const [, , line = '', ...rest] = configureScript({ cluster }).split('\n');
      expect(bare(line)).toBe('$cluster = 0');
      expect(rest.join('\n')).toBe(scriptText('configure-ad.ps1'));
      expect(bare(failingPowerShell(cluster))).toBe('throw 0\n');
    }),
  );
});

test('a quote within a literal is doubled, of whatever shape', () =>
  expect(quotedForPowerShell("it's \u2019so\u2018")).toBe("'it''s \u2019\u2019so\u2018\u2018'"));

test('what the configuration prints is the resource that finds desktops, each value a scalar of JSON', () => {
  const printed = /Write-Output @"\n([\s\S]*?)\n"@/.exec(scriptText('configure-ad.ps1'))?.[1] ?? '';
  expect(printed).toMatch(/^kind: discovery_config\nversion: v1\n/);
  for (const line of printed.split('\n').filter(one => one.includes('$')))
    expect(line).toMatch(/^ +[a-z_]+: \$\(ConvertTo-Scalar .+\)$/);
});
