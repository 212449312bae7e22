import { useState } from 'react';
import { day } from '../../features/times.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { isDay, type Range } from './range.ts';

/** Asks for the first and the last day of a range. */
export function CustomRange({
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
