import { expect, test } from 'vitest';
import { amountText, stateText } from './invoice-text.ts';

test('an amount has the digits of its currency, also of one that has none or three, and of what is paid back', () => {
  expect(
    [
      { amount: 120_450, currency: 'EUR' },
      { amount: 5, currency: 'USD' },
      { amount: 1200, currency: 'JPY' },
      { amount: 1234, currency: 'KWD' },
      { amount: -250, currency: 'EUR' },
    ].map(amountText),
  ).toEqual(['1,204.50 EUR', '0.05 USD', '1,200 JPY', '1.234 KWD', '-2.50 EUR']);
});

test('an open invoice says by when it is to be paid, where there is a day', () => {
  expect(stateText({ state: 'open', due: '2026-12-14' })).toBe('To be paid by 2026-12-14');
  expect(stateText({ state: 'open', due: null })).toBe('To be paid');
  expect(stateText({ state: 'void', due: '2026-12-14' })).toBe('Withdrawn');
});
