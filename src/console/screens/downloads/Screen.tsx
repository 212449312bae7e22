import { useCallback } from 'react';
import { type Download, listDownloads } from '../../../contract/downloads.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { Table } from '../../ui/Table.tsx';
import { Copyable } from '../Copyable.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { useAsked } from '../use-asked.ts';

/** What this gateway hands out for people's own machines, with the checksums to compare. */
export default function Downloads() {
  const { api } = usePage();
  const { answer, error } = useAsked(useCallback(() => api(listDownloads), [api]));
  return (
    <ListPage title="Downloads" error={error}>
      {answer === null && error === null && <Spinner />}
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
