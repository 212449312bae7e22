import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast } from './contrast.testing.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** What one rule of the tokens says, by name. */
const valuesOf = (selector: string): ReadonlyMap<string, string> => {
  const rule = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return new Map([...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
};
const dark = valuesOf(':root[data-theme="dark"]');
const themes: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  light: valuesOf(':root[data-theme="light"]'),
  dark,
  orange: new Map([...dark, ...valuesOf(':root[data-brand="orange"]')]),
};
/** A token's colour; tokens may stand for others. */
const colour = (theme: ReadonlyMap<string, string>, name: string): string => {
  const value = theme.get(name) ?? '';
  const other = /^var\((.+)\)$/.exec(value)?.[1];
  return other === undefined ? value : colour(theme, other);
};
const surfaces = ['--surface-0', '--surface-1', '--surface-2', '--surface-3', '--accent-soft'] as const;

test.each(Object.keys(themes))('in the %s theme text has 7:1 on every surface, and what is quieter 4.5:1', name => {
  const theme = themes[name] ?? new Map();
  const least = (text: string, ratio: number, grounds: readonly string[] = surfaces) =>
    grounds.flatMap(ground => {
      const found = contrast(colour(theme, text), colour(theme, ground));
      return found >= ratio ? [] : [`${text} on ${ground}: ${found.toFixed(2)}`];
    });
  expect([
    ...least('--text', 7),
    ...least('--text-muted', 4.5),
    ...least('--text-faint', 4.5, ['--surface-0', '--surface-1', '--surface-2']),
    ...least('--link', 4.5, ['--surface-0', '--surface-1', '--surface-2']),
    ...least('--danger', 4.5, ['--surface-0', '--surface-1', '--surface-2', '--danger-soft']),
    ...least('--warning', 4.5, ['--surface-1', '--warning-soft']),
    ...least('--success', 4.5, ['--surface-1', '--success-soft']),
    ...least('--accent-text', 4.5, ['--accent', '--accent-hover']),
    ...least('--focus', 3, ['--surface-0', '--surface-1', '--surface-2', '--surface-3']),
    ...least('--border-strong', 3, ['--surface-0', '--surface-1']),
  ]).toEqual([]);
});
