import { Laptop } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listTrustedDevices, type TrustedDevice } from '../../../contract/trusted-devices.ts';
import { items } from '../../../features/items.ts';
import { dateTime } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useNamed } from '../use-named.ts';
import { pagesOfWhole } from '../whole.ts';
import { DeviceDialog } from './DeviceDialog.tsx';

const { columns, thing } = items.trustedDevice;
const textOf = (device: TrustedDevice, key: string): string => columns.find(one => one.key === key)?.of(device) ?? '';

/** The machines that sign-ins may come from. The one that is shown whole is in the URL: `?device=ID`. */
export default function TrustedDevices() {
  const { api } = usePage();
  const [known, setKnown] = useState<readonly TrustedDevice[]>([]);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<TrustedDevice>(
        async () => {
          const found = await api(listTrustedDevices);
          setKnown(found);
          return found;
        },
        {
          words: device => columns.map(({ of }) => of(device)).join(' '),
          sortBy: (device, key) => (key === 'enrolled' ? (device.enroll_time ?? '') : textOf(device, key)),
        },
      ),
    [api],
  );
  const { item, close } = useNamed<TrustedDevice>({
    part: 'device',
    one: 'trusted device',
    known: id => known.find(device => device.id === id),
    ask: async id => (await api(listTrustedDevices)).find(device => device.id === id),
  });
  return (
    <>
      <PagedList<TrustedDevice>
        thingOf={thing}
        noun="trustedDevice"
        sort={{ key: 'asset', down: false }}
        fetchPage={fetchPage}
        rowKey={device => device.id}
        copyOf={device => device.id}
        actions={
          <CommandButton id="device.add" kind="primary" icon={<Laptop aria-hidden="true" />}>
            Register a device…
          </CommandButton>
        }
        columns={[
          {
            key: 'asset',
            title: 'Asset tag',
            sorts: true,
            width: '26%',
            mono: true,
            phone: 'first',
            draw: device => device.asset_tag,
          },
          { key: 'os', title: 'System', sorts: true, width: '110px', draw: device => textOf(device, 'os') },
          {
            key: 'status',
            title: 'Status',
            sorts: true,
            width: '170px',
            draw: device => <span title={device.locked}>{textOf(device, 'status')}</span>,
          },
          { key: 'owner', title: 'Owner', sorts: true, mono: true, draw: ({ owner }) => owner },
          {
            key: 'key',
            title: 'Kind of key',
            sorts: true,
            width: '130px',
            phone: 'hidden',
            draw: device => textOf(device, 'key'),
          },
          {
            key: 'enrolled',
            title: 'Enrolled at (UTC)',
            sorts: true,
            width: '170px',
            mono: true,
            phone: 'hidden',
            draw: ({ enroll_time }) => (enroll_time === undefined ? '' : dateTime(enroll_time)),
          },
        ]}
        empty={
          <>
            <p>
              Register the machines that your people work on. Each enrolls its browser or its command line once, with a
              key that stays there; roles with <code>device_trust_mode: required</code> then work from no other.
            </p>
            <p>
              <ManualLink id="trustDevice" />
            </p>
          </>
        }
      />
      {item !== null && <DeviceDialog device={item} status={textOf(item, 'status')} onClose={close} />}
    </>
  );
}
