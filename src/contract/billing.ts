// Invoices, what they are paid with and to whom they are made out: kept by a provider of billing, where one is set. There is no public wire for
// them; these calls are ours, and the manual says what a provider answers (billing).
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, countUpTo, ok, safeName } from './shapes.ts';
import { visible, visibleLines } from './visible-text.ts';

/** Invoices that are asked for at once, at most. */
const INVOICES_MOST = 100;
/** Of the document of one invoice, bytes. */
export const INVOICE_DOCUMENT_MOST_BYTES = 5 * 1024 * 1024;

const short = z.string().check(z.maxLength(200, 'at most 200 characters'), visible);
/** Day or month as ISO 8601 has them. */
const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'a day such as 2026-11-30'));
const month = z.string().check(z.regex(/^\d{4}-\d\d$/, 'a month such as 2026-11'));

export const invoiceStates = ['open', 'paid', 'void'] as const;
export const invoice = z.object({
  id: safeName,
  /** What it is called by people. */
  number: short,
  issued: day,
  /** By when it is to be paid; null: by no day. */
  due: z.nullable(day),
  /** The month that it is for. */
  period: month,
  state: z.enum(invoiceStates),
  /** In the smallest unit of its currency. */
  amount: z.int(),
  /** ISO 4217. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'a currency such as EUR')),
});
export type Invoice = z.infer<typeof invoice>;
export const invoicePage = z.object({
  items: z.array(invoice).check(z.maxLength(INVOICES_MOST)),
  /** '' at the end. */
  nextKey: z._default(z.string().check(z.maxLength(500)), ''),
});

export const paymentMethod = z.object({
  id: safeName,
  /** Such as `Visa ending in 4242`: never a whole number. */
  title: short,
  /** Until when a card is good; null: it does not end. */
  expires: z.nullable(month),
  isDefault: z.boolean(),
});
export type PaymentMethod = z.infer<typeof paymentMethod>;
export const paymentMethods = z.object({ items: z.array(paymentMethod).check(z.maxLength(100)) });

export const invoiceSettings = z.object({
  company: short.check(z.minLength(1, 'not empty')),
  /** Where invoices go by mail. */
  email: z.string().check(z.maxLength(254), z.regex(/^[^\s@]+@[^\s@]+$/, 'an address such as accounts@example.com')),
  address: z.string().check(z.maxLength(1000, 'at most 1000 characters'), visibleLines),
  taxId: short,
  /** What they ask to have on it, such as the number of an order. */
  reference: short,
});
export type InvoiceSettings = z.infer<typeof invoiceSettings>;

const billing = (verb: 'list' | 'read' | 'create' | 'update' | 'delete') =>
  ({ access: { resource: 'billing', verb }, params: clusterParams }) as const;
const one = z.extend(clusterParams, { id: safeName });

export const listInvoices = call('GET', 'sites/:clusterId/billing/invoices', {
  ...billing('list'),
  summary: 'Invoices of the provider of billing, the newest first. 404 where none is set.',
  query: z.object({
    limit: z._default(countUpTo(INVOICES_MOST), 50),
    startKey: z._default(z.string().check(z.maxLength(500)), ''),
  }),
  reply: invoicePage,
});
export const getInvoiceDocument = call('GET', 'sites/:clusterId/billing/invoices/:id/document', {
  ...billing('read'),
  summary: 'The document of one invoice: a PDF.',
  params: one,
  streamed: true,
  reply: z.unknown(),
});
export const getInvoiceSettings = call('GET', 'sites/:clusterId/billing/settings', {
  ...billing('list'),
  summary: 'To whom invoices are made out, and where they go.',
  reply: invoiceSettings,
});
export const updateInvoiceSettings = call('PUT', 'sites/:clusterId/billing/settings', {
  ...billing('update'),
  summary: 'Change to whom invoices are made out, and where they go.',
  body: invoiceSettings,
  reply: invoiceSettings,
});
export const listPaymentMethods = call('GET', 'sites/:clusterId/billing/methods', {
  ...billing('list'),
  summary: 'What invoices are paid with.',
  reply: paymentMethods,
});
export const addPaymentMethod = call('POST', 'sites/:clusterId/billing/methods', {
  ...billing('create'),
  summary: "Where a card or an account is added: a page of the provider's own. Numbers never pass through the gateway.",
  reply: z.object({ url: z.string() }),
});
export const preferPaymentMethod = call('PUT', 'sites/:clusterId/billing/methods/:id', {
  ...billing('update'),
  summary: 'Pay with this one from now on.',
  params: one,
  reply: ok,
});
export const deletePaymentMethod = call('DELETE', 'sites/:clusterId/billing/methods/:id', {
  ...billing('delete'),
  summary: 'Pay with this one no more.',
  params: one,
  reply: ok,
});
