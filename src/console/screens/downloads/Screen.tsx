import { useCallback } from 'react';
import { type Download, getLicense, LICENSE_FILE, type License, listDownloads } from '../../../contract/downloads.ts';
import { dateTime } from '../../../features/times.ts';
import { messageOf } from '../../palette/run.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Table } from '../../ui/Table.tsx';
import { Copyable } from '../Copyable.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';
import styles from './downloads.module.css';

/** What this gateway hands out for people's own machines, with the checksums to compare. */
export default function Downloads() {
  const { api } = usePage();
  const { answer, error } = useAsked(useCallback(() => api(listDownloads), [api]));
  return (
    <ListPage title="Downloads" error={error}>
      {answer === null && error === null && <Spinner />}
      {answer !== null && answer.license !== null && <LicenseCard license={answer.license} />}
      {answer !== null && (
        <Table<Download>
          label={`Files of version ${answer.version}`}
          rows={answer.downloads}
          rowKey={({ name }) => name}
          empty={<p>Nothing has been built yet: run npm run build on the gateway's machine.</p>}
          columns={[
            {
              key: 'name',
              title: `Version ${answer.version}`,
              phone: 'first',
              width: '200px',
              draw: ({ name, path }) => (
                <a href={path} download={name}>
                  {name}
                </a>
              ),
            },
            { key: 'about', title: 'For', draw: ({ about }) => about },
            { key: 'bytes', title: 'Bytes', mono: true, width: '100px', phone: 'hidden', draw: ({ bytes }) => bytes },
            {
              key: 'sum',
              title: 'SHA-256',
              mono: true,
              draw: ({ sum }) => <Copyable text={sum} label="the checksum" />,
            },
          ]}
        />
      )}
    </ListPage>
  );
}

/** The licence that this dashboard hands out to whoever may read it. */
function LicenseCard({ license: { expires, bytes, sum } }: { readonly license: License }) {
  const { download, notify } = usePage();
  const save = async (): Promise<void> => {
    try {
      saveFile(await (await download(getLicense)).blob(), LICENSE_FILE);
    } catch (problem) {
      notify(messageOf(problem));
    }
  };
  return (
    <section className={styles.card} aria-labelledby="downloads-license">
      <h2 id="downloads-license">Licence</h2>
      <Facts
        rows={[
          ['Good until', `${dateTime(expires)} UTC`],
          ['Bytes', bytes],
          ['SHA-256', <Copyable key="sum" text={sum} label="the checksum of the licence" />],
        ]}
      />
      <Button onClick={() => void save()}>Save {LICENSE_FILE}</Button>
    </section>
  );
}
