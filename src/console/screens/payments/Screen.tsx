import { useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import {
  addPaymentMethod,
  deletePaymentMethod,
  getInvoiceDocument,
  type Invoice,
  listInvoices,
  listPaymentMethods,
  type PaymentMethod,
  preferPaymentMethod,
} from '../../../contract/billing.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { features } from '../../../features/table.ts';
import { messageOf } from '../../palette/run.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Table } from '../../ui/Table.tsx';
import { actionsColumn } from '../../ui/table-column.ts';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import { amountText, stateText } from './invoice-text.ts';
import styles from './payments.module.css';

/** What there is to pay, what was paid, and what with. */
export default function Payments() {
  const { api, clusterId } = usePage();
  const { answer, error, again } = useAsked(
    useCallback(() => api(listPaymentMethods, { params: { clusterId } }), [api, clusterId]),
  );
  return (
    <ListPage
      title={features.payments.title}
      error={error}
      actions={error !== null && error.code !== 'not_found' && <Button onClick={again}>Try again</Button>}
    >
      {answer === null && error === null && <Spinner />}
      {answer !== null && error === null && (
        <>
          <Methods methods={answer.items} onChanged={again} />
          <Invoices />
        </>
      )}
    </ListPage>
  );
}

function Methods({
  methods,
  onChanged,
}: {
  readonly methods: readonly PaymentMethod[];
  readonly onChanged: () => void;
}) {
  const { api, clusterId, who, notify, confirm } = usePage();
  const billing = who?.userAcl.billing;
  const act = async (run: () => Promise<unknown>, said?: string): Promise<void> => {
    try {
      await run();
      if (said !== undefined) notify(said);
      onChanged();
    } catch (problem) {
      notify(messageOf(problem));
    }
  };
  const remove = async ({ id, title }: PaymentMethod): Promise<void> => {
    const isSure = await confirm({
      title: `Remove ${title}?`,
      text: 'Invoices are paid with it no more.',
      action: 'Remove',
    });
    if (isSure) await act(() => api(deletePaymentMethod, { params: { clusterId, id } }), `${title} has been removed`);
  };
  const add = async (): Promise<void> => {
    try {
      location.assign((await api(addPaymentMethod, { params: { clusterId } })).url);
    } catch (problem) {
      notify(messageOf(problem));
    }
  };
  return (
    <section className={styles.card} aria-labelledby="payment-methods">
      <div className={styles.head}>
        <h2 id="payment-methods">Paid with</h2>
        {billing?.create && <Button onClick={() => void add()}>Add at the provider…</Button>}
      </div>
      {methods.length === 0 && <p>Nothing yet: cards and accounts are added on a page of the provider.</p>}
      <ul className={styles.methods}>
        {methods.map(method => (
          <li key={method.id}>
            <span>
              {method.title}
              {method.expires !== null && <span className={styles.quiet}> until {method.expires}</span>}
              {method.isDefault && <span className={styles.quiet}> · used for the next invoice</span>}
            </span>
            <span className={styles.acts}>
              {billing?.edit && !method.isDefault && (
                <Button
                  aria-label={`Pay with ${method.title}`}
                  onClick={() =>
                    void act(
                      () => api(preferPaymentMethod, { params: { clusterId, id: method.id } }),
                      `Invoices are paid with ${method.title} from now on`,
                    )
                  }
                >
                  Pay with this
                </Button>
              )}
              {billing?.remove && (
                <Button aria-label={`Remove ${method.title}`} onClick={() => void remove(method)}>
                  Remove…
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invoices() {
  const { api, download, clusterId, notify } = usePage();
  const [rows, setRows] = useState<readonly Invoice[] | null>(null);
  const [nextKey, setNextKey] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const load = useCallback(
    (startKey: string): void => {
      setError(null);
      api(listInvoices, { params: { clusterId }, query: { startKey } }).then(
        page => {
          setRows(before => [...(startKey === '' ? [] : (before ?? [])), ...page.items]);
          setNextKey(page.nextKey);
        },
        (problem: unknown) => setError(toApiError(problem)),
      );
    },
    [api, clusterId],
  );
  useEffect(() => load(''), [load]);
  const save = async ({ id, number }: Invoice): Promise<void> => {
    try {
      const file = await (await download(getInvoiceDocument, { params: { clusterId, id } })).blob();
      saveFile(file, `invoice-${number.replaceAll(/[^\w.-]+/g, '-')}.pdf`);
    } catch (problem) {
      notify(messageOf(problem));
    }
  };
  return (
    <section className={styles.list} aria-labelledby="invoices">
      <div className={styles.head}>
        <h2 id="invoices">Invoices</h2>
        {error !== null && (
          <span role="alert">
            {error.message} <Button onClick={() => load('')}>Try again</Button>
          </span>
        )}
      </div>
      {rows === null && error === null && <Spinner />}
      {rows !== null && (
        <Table<Invoice>
          label="Invoices"
          rows={rows}
          rowKey={({ id }) => id}
          empty={<p>No invoice has been made yet.</p>}
          onOpen={row => {
            void save(row);
            return true;
          }}
          columns={[
            {
              key: 'number',
              title: 'Invoice',
              mono: true,
              phone: 'first',
              width: '180px',
              draw: ({ number }) => number,
            },
            { key: 'period', title: 'For', mono: true, width: '100px', phone: 'hidden', draw: ({ period }) => period },
            { key: 'amount', title: 'Amount', mono: true, width: '140px', phone: 'second', draw: amountText },
            {
              key: 'issued',
              title: 'Made on',
              mono: true,
              width: '120px',
              phone: 'hidden',
              draw: ({ issued }) => issued,
            },
            { key: 'state', title: 'State', phone: 'rest', draw: stateText },
            actionsColumn<Invoice>('110px', invoice => (
              <Button
                size="dense"
                aria-label={`Save invoice ${invoice.number} as PDF`}
                onClick={() => void save(invoice)}
              >
                Save PDF
              </Button>
            )),
          ]}
        />
      )}
      {nextKey !== '' && <Button onClick={() => load(nextKey)}>Show older ones</Button>}
    </section>
  );
}
