// A provider of billing by the contract of the manual (billing): JSON over HTTP with a key, and a state of its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const BILLING_KEY = 'billing-key-never-shown';
const PDF = Buffer.from('%PDF-1.7\n% an invoice\n%%EOF\n');

export interface BillingDouble {
  readonly address: string;
  /** Method and path of what it was asked. */
  readonly asked: string[];
  /** Answers the next call in place of its own answer. */
  next(status: number, body: string | Buffer, headers?: Readonly<Record<string, string>>): void;
  /** Somebody added one on the page that a session leads to. */
  addMethod(id: string): void;
  dispose(): Promise<void>;
}

const invoices = Array.from({ length: 3 }, (_, at) => ({
  id: `in-${3 - at}`,
  number: `2026-${String(3 - at).padStart(4, '0')}`,
  issued: `2026-1${2 - at}-01`,
  due: at === 0 ? '2026-12-15' : null,
  period: `2026-${String(11 - at).padStart(2, '0')}`,
  state: at === 0 ? 'open' : 'paid',
  amount: 120_450 - at * 1000,
  currency: 'EUR',
}));

/** You must dispose it. */
export async function openBilling(): Promise<BillingDouble> {
  const asked: string[] = [];
  const overridden: { status: number; body: string | Buffer; headers: Readonly<Record<string, string>> }[] = [];
  let settings: Record<string, unknown> = {
    company: 'Example Ltd',
    email: 'accounts@example.com',
    address: '1 Example Street\nExampletown',
    taxId: 'EX123',
    reference: '',
  };
  let methods: { id: string; title: string; expires: string | null; isDefault: boolean }[] = [
    { id: 'pm-1', title: 'Visa ending in 4242', expires: '2027-08', isDefault: true },
    { id: 'pm-2', title: 'Account ending in 0042', expires: null, isDefault: false },
  ];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://provider');
    const [, , what = '', id = '', part = ''] = url.pathname.split('/').map(decodeURIComponent);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = pieces.length === 0 ? null : (JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>);
    asked.push(`${request.method} ${url.pathname}${url.search}${body === null ? '' : ` ${JSON.stringify(body)}`}`);
    const say = (status: number, given: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given));
    };
    const instead = overridden.shift();
    if (instead) return void response.writeHead(instead.status, instead.headers).end(instead.body);
    if (request.headers.authorization !== `Bearer ${BILLING_KEY}`) return say(401, { error: { message: 'wrong key' } });
    const call = `${request.method} ${what}${part === '' ? '' : `/${part}`}`;
    const method = methods.find(one => one.id === id);
    switch (call) {
      case 'GET invoices': {
        const from = Math.max(
          0,
          invoices.findIndex(one => one.id === url.searchParams.get('startKey')),
        );
        const end = from + Math.min(2, Number(url.searchParams.get('limit')));
        return say(200, { items: invoices.slice(from, end), nextKey: invoices[end]?.id ?? '' });
      }
      case 'GET invoices/document':
        if (!invoices.some(one => one.id === id)) return say(404, { error: { message: 'no such invoice' } });
        return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
      case 'GET settings':
        return say(200, settings);
      case 'PUT settings':
        if (body?.taxId === 'WRONG') return say(422, { error: { message: 'this tax number is not known' } });
        settings = body ?? {};
        return say(200, settings);
      case 'GET payment-methods':
        return say(200, { items: methods });
      case 'POST payment-methods':
        return say(200, { url: 'https://pay.example.com/session/1' });
      case 'PUT payment-methods':
      case 'DELETE payment-methods':
        if (!method) return say(404, { error: { message: 'no such method' } });
        methods = methods
          .filter(one => request.method === 'PUT' || one !== method)
          .map(one => (request.method === 'PUT' ? { ...one, isDefault: one === method } : one));
        return say(200, {});
      default:
        return say(404, { error: { message: 'no such call' } });
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    next: (status, body, headers = {}) => void overridden.push({ status, body, headers }),
    addMethod: id => void methods.push({ id, title: `Card ${id}`, expires: '2031-01', isDefault: false }),
    async dispose() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
