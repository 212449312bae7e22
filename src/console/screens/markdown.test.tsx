import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './Markdown.tsx';

const drawn = (text: string): string =>
  renderToStaticMarkup(<Markdown text={text} link={(href, children) => <b data-to={href}>{children}</b>} />);

test.each([
  ['<script>alert(1)</script>', /<(script)/],
  ['<img src=x onerror=alert(1)>', /<img/],
  ['![x](https://evil.test/p.png)', /<img|src=/],
  ['text <a href="javascript:alert(1)">x</a>', /<a /],
  ['<iframe src="https://evil.test">', /<iframe/],
  ['[x]: https://evil.test\n\n![x]', /<img/],
])('%s is shown as it is written', (text, forbidden) => {
  expect(drawn(text)).not.toMatch(forbidden);
  expect(drawn(text)).not.toBe('');
});

test('a link is drawn by whoever shows the text, with the address as it stands', () =>
  expect(drawn('[bank](javascript:alert(1))')).toBe('<p><b data-to="javascript:alert(1)">bank</b></p>'));

test.each([
  ['quotes', '>'.repeat(20_000)],
  ['lists', Array.from({ length: 400 }, (_, at) => `${' '.repeat(2 * at)}- x`).join('\n')],
  ['stars', '*'.repeat(20_000)],
  ['brackets', '['.repeat(20_000)],
  ['emphasis', '**a _b '.repeat(2000)],
])('what is nested without end is drawn all the same, and soon: %s', (_what, text) => {
  const began = performance.now();
  expect(drawn(text).length).toBeGreaterThan(0);
  expect(performance.now() - began).toBeLessThan(3000);
});
