// The parts that forms share, as they are first drawn.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OFFER_STEPS } from './ChipField.tsx';
import { Field } from './Field.tsx';
import { SPINNER_DELAYS_MS, Spinner } from './Spinner.tsx';

// Rule 2.5: a text input has a label, a tip and a message of what is wrong
// Rule 5: errors stand in place of labels, on submit
test('a field has its label and its tip, and says what is wrong in place of the label', () => {
  const label = (html: string): string | undefined => /<label[^>]*>([^<]*)</.exec(html)?.[1];
  const plain = renderToStaticMarkup(<Field label="Device Name" tip="As you call it" />);
  expect([label(plain), plain.includes('As you call it')]).toEqual(['Device Name', true]);
  const wrong = renderToStaticMarkup(
    <Field label="Device Name" tip="As you call it" error="Device name is required" />,
  );
  expect(label(wrong)).toBe('Device name is required');
  // Whoever cannot see it hears which field it is, and what is wrong.
  expect(wrong).toContain('aria-label="Device Name"');
  expect(wrong).toMatch(/role="alert">Device name is required</);
});

// Rule 9: a spinner waits for nothing, 400 or 600 ms
test('a spinner shows at once, after 400 or after 600 ms', () => {
  expect(SPINNER_DELAYS_MS).toEqual({ none: 0, short: 400, long: 600 });
  expect(renderToStaticMarkup(<Spinner delay="none" />)).toContain('Loading');
  for (const delay of ['short', 'long'] as const)
    expect(renderToStaticMarkup(<Spinner delay={delay} />)).not.toContain('Loading');
});

// Rule 9: a page of a selector is five values
test('the keys for pages go five values on among what a selector offers, the arrows one', () => {
  expect(OFFER_STEPS).toEqual({ ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 });
});
