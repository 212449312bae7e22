import type { Invoice } from '../../../contract/billing.ts';

/** `1,204.50 EUR`: what is owed, with as many digits as its currency has. */
export function amountText({ amount, currency }: Pick<Invoice, 'amount' | 'currency'>): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const number = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(amount / 10 ** digits)} ${currency}`;
}

/** What has become of it, in words. */
export function stateText({ state, due }: Pick<Invoice, 'state' | 'due'>): string {
  switch (state) {
    case 'open':
      return due === null ? 'To be paid' : `To be paid by ${due}`;
    case 'paid':
      return 'Paid';
    case 'void':
      return 'Withdrawn';
  }
}
