// Invoices, what they are paid with, and to whom they are made out.
import {
  addPaymentMethod,
  deletePaymentMethod,
  getInvoiceDocument,
  getInvoiceSettings,
  listInvoices,
  listPaymentMethods,
  preferPaymentMethod,
  updateInvoiceSettings,
} from '../../contract/billing.ts';
import { OK } from '../../contract/shapes.ts';
import { attachment } from './attachment.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveBilling(serve: Serve, { billing }: Services): void {
  serve(listInvoices, ({ query }) => billing.invoices(query));
  serve(getInvoiceDocument, async ({ params, reply }) => {
    const document = await billing.document(params.id);
    return reply
      .type('application/pdf')
      .header('content-disposition', attachment(`invoice-${params.id}.pdf`))
      .send(document);
  });
  serve(getInvoiceSettings, () => billing.settings());
  serve(updateInvoiceSettings, ({ body }, who) => billing.update(body, who));
  serve(listPaymentMethods, async () => ({ items: [...(await billing.methods())] }));
  serve(addPaymentMethod, async (_asked, who) => ({ url: await billing.add(who) }));
  serve(preferPaymentMethod, async ({ params }, who) => {
    await billing.prefer(params.id, who);
    return OK;
  });
  serve(deletePaymentMethod, async ({ params }, who) => {
    await billing.remove(params.id, who);
    return OK;
  });
}
