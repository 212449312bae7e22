import { useState } from 'react';
import { readLabels } from '../../../../commands/servers.ts';
import type { Label } from '../../../contract/shapes.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import { useJoining } from './joining.ts';

/** What is added: a database, an application, a desktop. */
export interface Registering<Thing extends { readonly name: string }> {
  /** As sentences call it. */
  readonly word: string;
  /** Label and hint of the name. */
  readonly example: string;
  readonly addressExample: string;
  /** Of a machine beside it that joins with it; null: the gateway dials it always. */
  readonly joins: { readonly role: 'Db' | 'App'; readonly flags: string; readonly example: string } | null;
  /** What in roles selects it. */
  readonly selector: string;
  wrongName(typed: string): string | undefined;
  wrongAddress(typed: string): string | undefined;
  add(given: { readonly name: string; readonly address: string; readonly labels: Label[] }): Promise<unknown>;
  find(query: { readonly query?: string; readonly search?: string }): Promise<Thing | null>;
}
type Way = 'address' | 'tunnel';

/** Name, address and labels: the gateway adds it, or a machine beside it joins with it and leads there. */
export function RegisterStep<Thing extends { readonly name: string }>({
  what,
  thing,
  onBegun,
  onArrived,
  onNext,
}: {
  readonly what: Registering<Thing>;
  readonly thing: Thing | null;
  readonly onBegun: () => void;
  readonly onArrived: (thing: Thing) => void;
  readonly onNext: () => void;
}) {
  const { word, joins } = what;
  const { busy, problem, attempt } = useAttempt();
  const [name, setName] = useState('');
  const [labels, setLabels] = useState('');
  const [way, setWay] = useState<Way>('address');
  const [address, setAddress] = useState('');
  const [tried, setTried] = useState(false);
  /** It was added, and no role of this person selects it. */
  const [isUnseen, setUnseen] = useState(false);
  const read = readLabels(labels);
  const nameFault = name.trim() === '' ? 'A name is needed' : what.wrongName(name);
  const addressFault = what.wrongAddress(address);
  const ways: Readonly<Record<Way, string>> = {
    address: 'By an address that the gateway can dial',
    tunnel: 'Over a tunnel that a machine beside it dials',
  };
  const fault = (text: string | undefined) => (tried ? text : undefined);

  const add = (): Promise<void> =>
    attempt(async () => {
      setTried(true);
      if (typeof read === 'string' || nameFault !== undefined || addressFault !== undefined) return;
      if (way === 'tunnel') {
        await joining.make(read);
        return onBegun();
      }
      if (!isUnseen) {
        await what.add({ name: name.trim(), address: address.trim(), labels: [...read] });
        onBegun();
      }
      const found = await what.find({ query: `name == ${JSON.stringify(name.trim())}` });
      if (found === null) return setUnseen(true);
      onArrived(found);
      onNext();
    });
  const joining = useJoining<Thing>({
    ...{ role: joins?.role ?? 'App', thing, onArrived },
    look: search => what.find({ search }),
  });
  const { made, frame } = joining;

  const typed = { autoComplete: 'off', spellCheck: false, mono: true } as const;
  const line = `${made?.lines[0]?.line ?? ''} -s -- --name ${shellWord(name.trim())}${joins?.flags ?? ''} --uri ${shellWord(address.trim())}`;
  const isThere = thing !== null;
  return (
    <GuideStep
      title={made === null ? `Which ${word}?` : 'Run one line on a machine beside it'}
      problem={problem || joining.problem}
      next={isThere || made !== null ? 'Next' : isUnseen ? 'Look again' : way === 'tunnel' ? 'Make the line' : 'Add it'}
      canGoOn={made === null || isThere}
      isBusy={busy}
      onNext={() => (isThere ? onNext() : void add())}
    >
      <div ref={frame} className={styles.part}>
        {isThere ? (
          <Alert kind="success">{thing.name} is in the list.</Alert>
        ) : isUnseen ? (
          <Alert kind="warning">
            {name.trim()} was added, and none of your roles selects it: their {what.selector} do not match its labels.
          </Alert>
        ) : null}
        {made !== null ? (
          <>
            <p>
              Paste this into a shell of a machine that reaches the {word} at {address.trim()}. It needs sh, curl and
              OpenSSH there, and lets one machine join, until {made.expiry.slice(0, 16).replace('T', ' ')} UTC; whoever
              has it can use it.
            </p>
            <Snippet prefix="$" label="the line" text={line} />
            {!isThere && (
              <p className={styles.waiting} role="status">
                Waiting for the {word} to join…
              </p>
            )}
            {!isThere && joining.isLate && (
              <Alert kind="warning">
                Nothing has joined for five minutes. The script says what stops it. Where it has joined, none of your
                roles selects the {word}. <ManualLink id="joinMachine" />
              </Alert>
            )}
          </>
        ) : isThere || isUnseen ? null : (
          <>
            <Field
              {...typed}
              label="Name"
              tip={what.example}
              value={name}
              error={fault(nameFault)}
              onChange={event => setName(event.target.value)}
            />
            {joins !== null && (
              <Select
                label="How the gateway reaches it"
                value={ways[way]}
                choices={Object.values(ways)}
                onChange={event => setWay(event.target.value === ways.tunnel ? 'tunnel' : 'address')}
              />
            )}
            <Field
              {...typed}
              label="Address"
              tip={way === 'tunnel' ? (joins?.example ?? '') : what.addressExample}
              value={address}
              error={fault(addressFault)}
              onChange={event => setAddress(event.target.value)}
            />
            <Field
              {...typed}
              label="Labels"
              tip="Such as env=prod team=data: roles select by them; may stay empty"
              value={labels}
              error={fault(typeof read === 'string' ? read : undefined)}
              onChange={event => setLabels(event.target.value)}
            />
          </>
        )}
      </div>
    </GuideStep>
  );
}
