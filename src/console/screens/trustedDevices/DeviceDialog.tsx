import type { TrustedDevice } from '../../../contract/trusted-devices.ts';
import { items } from '../../../features/items.ts';
import { keyWords } from '../../../features/key-words.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';

/** A trusted device whole, and what is done with it. */
export function DeviceDialog({
  device,
  status,
  onClose,
}: {
  readonly device: TrustedDevice;
  readonly status: string;
  readonly onClose: () => void;
}) {
  const { id, asset_tag, owner, credential, key_in, enroll_time, token_expires, locked } = device;
  const thing = items.trustedDevice.thing(device);
  const given = { device: { value: id, title: asset_tag, thing } };
  return (
    <Dialog
      title={asset_tag}
      onEscape={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <CommandButton id="device.lock" given={given}>
            Lock…
          </CommandButton>
          <CommandButton id="device.token" given={given} kind="primary" />
        </>
      }
    >
      <Facts
        rows={[
          ['Status', locked ?? status],
          ['System', items.trustedDevice.columns.find(({ key }) => key === 'os')?.of(device) ?? ''],
          ['Owner', owner || 'Nobody'],
          ...(enroll_time === undefined ? [] : [['Enrolled at', `${dateTime(enroll_time)} UTC`] as const]),
          ...(token_expires === undefined
            ? []
            : [['Its token works until', `${dateTime(token_expires)} UTC`] as const]),
          ...(key_in === undefined ? [] : [['Kind of key', keyWords[key_in]] as const]),
          ...(credential === undefined ? [] : [['Key', <code key="key">{credential.id}</code>] as const]),
          ['Id', <code key="id">{id}</code>],
        ]}
      />
    </Dialog>
  );
}
