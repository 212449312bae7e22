import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { CommandItem } from '../palette/CommandItem.tsx';
import { Button } from '../ui/Button.tsx';
import { createAwaited } from '../ui/lazy.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { type Range, rangeText } from './range.ts';

/** Only whoever wants days of their own needs it. */
const CustomRange = createAwaited(async () => (await import('./CustomRange.tsx')).CustomRange);

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
