import { Info, OctagonX, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { type AuditEvent, EVENTS_MOST, searchEvents } from '../../../contract/audit.ts';
import { auditCode, codeDescription } from '../../../contract/audit-codes.ts';
import { describe } from '../../../contract/audit-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ClientList } from '../ClientList.tsx';
import { createEvents } from '../events.ts';
import { usePage } from '../page.tsx';
import { RangePicker } from '../RangePicker.tsx';
import { bounds, readRange, writeRange } from '../range.ts';
import { dateTime } from '../times.ts';
import styles from './audit.module.css';
import { Details } from './Details.tsx';

const severityIcons = { info: Info, warning: TriangleAlert, error: OctagonX } as const;
/** An event's id: its own, or what it is and when (specification section 3). */
const idOf = (event: AuditEvent): string => event.uid || `${event.event}:${event.time}`;

/** What happened, newest first; every event can be read whole. */
export default function Audit() {
  const page = usePage();
  const { api, clusterId } = page;
  const range = readRange(page.query);
  const asked = JSON.stringify(range);
  const list = useMemo(
    () => createEvents(query => api(searchEvents, { params: { clusterId }, query: { ...query, limit: EVENTS_MOST } })),
    [api, clusterId],
  );
  const shown = useSnapshot(list.state);
  const [open, setOpen] = useState<AuditEvent | null>(null);
  useEffect(() => void list.load(bounds(JSON.parse(asked), new Date())), [list, asked]);
  return (
    <>
      <ClientList<AuditEvent>
        title="Audit Log"
        noun="event"
        size={50}
        sort={{ key: 'created', down: true }}
        status={shown.status}
        error={shown.error}
        rows={shown.events as readonly AuditEvent[]}
        rowKey={idOf}
        thingOf={event => ({
          kind: 'event',
          id: idOf(event),
          title: codeDescription(event.code),
          detail: describe(event),
        })}
        words={event =>
          [
            codeDescription(event.code),
            describe(event),
            event.code,
            event.event,
            event.user ?? '',
            dateTime(event.time),
          ].join(' ')
        }
        sortBy={(event, key) => (key === 'created' ? event.time : codeDescription(event.code))}
        filters={<RangePicker range={range} onChange={next => page.setQuery(writeRange(next))} />}
        onMore={shown.startKey !== '' ? () => void list.more() : undefined}
        columns={[
          {
            key: 'type',
            title: 'Type',
            sorts: true,
            width: '24%',
            phone: 'first',
            draw: event => <Type event={event} />,
          },
          {
            key: 'description',
            title: 'Description',
            draw: event => <span title={describe(event)}>{describe(event)}</span>,
          },
          {
            key: 'created',
            title: 'Created (UTC)',
            sorts: true,
            mono: true,
            width: '176px',
            draw: event => dateTime(event.time),
          },
          {
            key: 'actions',
            title: 'Actions',
            quiet: true,
            width: '90px',
            phone: 'action',
            draw: event => (
              <Button
                size="dense"
                tabIndex={-1}
                data-primary
                aria-label={`Details of ${codeDescription(event.code)}`}
                onClick={() => setOpen(event)}
              >
                Details
              </Button>
            ),
          },
        ]}
        empty={<p>Nothing was written down in this time.</p>}
      />
      {open !== null && <Details title={codeDescription(open.code)} event={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function Type({ event }: { readonly event: AuditEvent }) {
  const severity = auditCode(event.code)?.severity ?? 'info';
  const Icon = severityIcons[severity];
  return (
    <span className={styles.type}>
      <Icon className={styles[severity]} aria-label={severity} role="img" />
      {codeDescription(event.code)}
    </span>
  );
}
