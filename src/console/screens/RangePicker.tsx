import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { day } from '../../features/times.ts';
import { CommandItem } from '../palette/CommandItem.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { isDay, type Range, rangeText } from './range.ts';

/** Today, 7 days, or a custom range of whole days. */
export function RangePicker({ range, onChange }: { readonly range: Range; readonly onChange: (range: Range) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu
        label="Time range"
        placement="bottom-end"
        trigger={props => (
          <Button icon={<CalendarDays aria-hidden="true" />} aria-label={`Time range: ${rangeText(range)}`} {...props}>
            {rangeText(range)}
          </Button>
        )}
      >
        {close => (
          <>
            <CommandItem id="range.today" onChoose={close} />
            <CommandItem id="range.week" onChoose={close} />
            <MenuItem
              onChoose={() => {
                close();
                setOpen(true);
              }}
            >
              Custom range…
            </MenuItem>
          </>
        )}
      </Menu>
      {isOpen && (
        <CustomRange
          range={range}
          onCancel={() => setOpen(false)}
          onChange={chosen => {
            setOpen(false);
            onChange(chosen);
          }}
        />
      )}
    </>
  );
}

function CustomRange({
  range,
  onChange,
  onCancel,
}: {
  readonly range: Range;
  readonly onChange: (range: Range) => void;
  readonly onCancel: () => void;
}) {
  const today = day(new Date());
  const [from, setFrom] = useState(range.kind === 'custom' ? range.from : today);
  const [to, setTo] = useState(range.kind === 'custom' ? range.to : today);
  const [tried, setTried] = useState(false);
  const isWrong = !isDay(from) || !isDay(to) || from > to;
  const choose = (): void => {
    setTried(true);
    if (!isWrong) onChange({ kind: 'custom', from, to });
  };
  return (
    <Dialog
      title="Custom range"
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" onClick={choose}>
            Show
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12 }}>
        <Field
          label="First day"
          placeholder="YYYY-MM-DD"
          mono
          value={from}
          onChange={event => setFrom(event.target.value.trim())}
          error={tried && !isDay(from) ? 'First day as YYYY-MM-DD' : undefined}
        />
        <Field
          label="Last day"
          placeholder="YYYY-MM-DD"
          mono
          value={to}
          onChange={event => setTo(event.target.value.trim())}
          error={
            !tried
              ? undefined
              : !isDay(to)
                ? 'Last day as YYYY-MM-DD'
                : isWrong
                  ? 'Not before the first day'
                  : undefined
          }
        />
      </div>
    </Dialog>
  );
}
