// Invoices and what they are paid with, for whoever may: asked of the provider of billing each time. Kept here is only who was led there to add
// a payment method, so that the audit log can say who did.
import * as z from 'zod/mini';
import {
  INVOICE_DOCUMENT_MOST_BYTES,
  type InvoiceSettings,
  invoicePage,
  invoiceSettings,
  type PaymentMethod,
  paymentMethods,
} from '../../../contract/billing.ts';
import type { WebConfig } from '../../../contract/config.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { Settings } from '../../store/store.ts';
import { type BillingProvider, createProviderCalls } from './provider.ts';

/** Codes of the wire's own catalogue. */
const codes = { created: 'TBL00I', deleted: 'TBL01I', preferred: 'TBL02I', settings: 'TBL03I' } as const;
const PDF = Buffer.from('%PDF-');
const opened = z.object({ url: z.url({ protocol: /^https$/ }).check(z.maxLength(2048)) });
const done = z.unknown();
/** Of whoever was led to the provider's page last: what there was by then. What is new afterwards, they added. */
const adding = z.object({ user: z.string(), known: z.array(z.string()), until: z.string() });
const ADDING = 'billing.adding';
/** How long an added method may take to show up; one that comes later was added by nobody from here. */
const ADDING_MS = 86_400_000;

export interface BillingParts {
  /** Null: none is set, and everything here is not found. */
  readonly provider: BillingProvider | null;
  readonly deployment: Pick<WebConfig, 'isCloud' | 'isDashboard'>;
  readonly audit: AuditLog;
  readonly settings: Pick<Settings, 'get' | 'put' | 'replace'>;
  readonly clock: () => Date;
  /** Where people come back to from the provider's own pages: the gateway's public address. */
  readonly publicUrl: string;
}

/** Every member throws Failure: not_found where nothing bills, unreachable, and bad_request in the provider's words. */
export function createBilling({ provider, deployment, audit, settings, clock, publicUrl }: BillingParts) {
  const calls = provider === null ? null : createProviderCalls(provider);
  function ask(): NonNullable<typeof calls> {
    if (!deployment.isCloud && !deployment.isDashboard)
      throw new Failure('not_found', 'this deployment has no billing');
    if (calls === null)
      throw new Failure('not_found', 'no billing provider is set: invoices come with one (--billing-address)');
    return calls;
  }
  const note = (code: (typeof codes)[keyof typeof codes], by: Pick<Who, 'user'>): Promise<void> =>
    audit.emit({ code, user: by.user });
  async function methods(): Promise<readonly PaymentMethod[]> {
    const { items } = await ask().json(paymentMethods, ['payment-methods']);
    await noteAdded(items.map(({ id }) => id));
    return items;
  }
  /** Of two who look at once, one notes it. */
  async function noteAdded(ids: readonly string[]): Promise<void> {
    const kept = await settings.get(ADDING);
    const read = z.safeParse(adding, kept);
    if (!read.success || Date.parse(read.data.until) <= clock().getTime()) return;
    const added = ids.filter(id => !read.data.known.includes(id));
    if (added.length === 0 || !(await settings.replace(ADDING, kept, { ...read.data, known: ids }))) return;
    for (const _one of added) await note(codes.created, read.data);
  }

  return {
    invoices: ({ limit, startKey }: { readonly limit: number; readonly startKey: string }) =>
      ask().json(invoicePage, ['invoices'], { query: { limit: String(limit), startKey } }),
    /** A PDF. */
    async document(id: string): Promise<Buffer> {
      const bytes = await ask().bytes(['invoices', id, 'document'], INVOICE_DOCUMENT_MOST_BYTES);
      if (!bytes.subarray(0, PDF.length).equals(PDF))
        throw new Failure('unreachable', 'the billing provider answered a document that is no PDF');
      return bytes;
    },
    settings: (): Promise<InvoiceSettings> => ask().json(invoiceSettings, ['settings']),
    async update(next: InvoiceSettings, by: Who): Promise<InvoiceSettings> {
      const kept = await ask().json(invoiceSettings, ['settings'], { method: 'PUT', body: next });
      await note(codes.settings, by);
      return kept;
    },
    methods,
    /** The provider's page where another one is added. */
    async add(by: Who): Promise<string> {
      const known = (await methods()).map(({ id }) => id);
      const returnTo = `${publicUrl.replace(/\/$/, '')}/web/billing/payments`;
      const { url } = await ask().json(opened, ['payment-methods', 'session'], { method: 'POST', body: { returnTo } });
      const until = new Date(clock().getTime() + ADDING_MS).toISOString();
      await settings.put(ADDING, { user: by.user, known, until } satisfies z.infer<typeof adding>);
      return url;
    },
    async prefer(id: string, by: Who): Promise<void> {
      await ask().json(done, ['payment-methods', id], { method: 'PUT', body: { isDefault: true } });
      await note(codes.preferred, by);
    },
    async remove(id: string, by: Who): Promise<void> {
      await ask().json(done, ['payment-methods', id], { method: 'DELETE' });
      await note(codes.deleted, by);
    },
  };
}
export type Billing = ReturnType<typeof createBilling>;
