import { useCallback, useEffect, useRef } from 'react';
import { getTelemetry, type Telemetry } from '../../../contract/telemetry.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './support.module.css';

type Clicked = Telemetry['events'][number];

/** What is counted of clicks (specification section 7, capture): all of it, and where it goes. */
export function Clicks() {
  const { api, clusterId, setQuery } = usePage();
  const { answer, error, again } = useAsked(
    useCallback(() => api(getTelemetry, { params: { clusterId } }), [api, clusterId]),
  );
  const seen = useRef<HTMLElement>(null);
  // Whoever asks for it sees it, also where it stands below the window. Newer browsers answer a promise, which is no clean-up.
  useEffect(() => void seen.current?.scrollIntoView(), []);
  return (
    <section ref={seen} className={styles.card} aria-labelledby="support-clicks">
      <h2 id="support-clicks">Counted clicks</h2>
      {answer !== null && (
        <p>
          How often something was clicked in the last {answer.days} days. Who did is not kept.{' '}
          {answer.sentTo === null ? 'It is sent nowhere.' : `Each day is sent to ${answer.sentTo} once it is over.`}
        </p>
      )}
      {error !== null && <Alert>{error.message}</Alert>}
      {answer === null && error === null && <Spinner />}
      {answer !== null && (
        <Table<Clicked>
          label="Counted clicks"
          rows={answer.events}
          rowKey={({ event, about }) => `${event} ${about}`}
          empty={<p>Nothing has been counted yet.</p>}
          columns={[
            { key: 'event', title: 'Click', mono: true, phone: 'first', draw: ({ event }) => event },
            { key: 'about', title: 'About', draw: ({ about }) => about },
            { key: 'count', title: 'Times', mono: true, width: '100px', draw: ({ count }) => count },
            { key: 'last', title: 'Last', mono: true, width: '140px', phone: 'hidden', draw: ({ last }) => last },
          ]}
        />
      )}
      <div className={styles.acts}>
        <Button onClick={again}>Ask again</Button>
        <Button kind="quiet" onClick={() => setQuery({ clicks: undefined })}>
          Close
        </Button>
      </div>
    </section>
  );
}
