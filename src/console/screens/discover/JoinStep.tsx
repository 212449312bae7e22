import { useState } from 'react';
import { readLabels, wrongAddress } from '../../../../commands/servers.ts';
import { listJoinTokens } from '../../../contract/join-tokens.ts';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import { type AwsMachine, labelsOf } from './aws-machine.ts';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import { useJoining } from './joining.ts';

const ways = {
  tunnel: 'Over a tunnel that it dials: no port of it is opened',
  address: 'By an address that the gateway can dial',
} as const;
type Way = keyof typeof ways;

/** Makes the line, shows it once, and sees the server arrive by itself. */
export function JoinStep({
  prepare,
  machine,
  node,
  onToken,
  onArrived,
  onNext,
  onBack,
}: {
  /** What brings sshd and curl where they are not there; '' where nobody knows. */
  readonly prepare: string;
  /** The one of EC2 that was chosen; null: it is known to the person alone. */
  readonly machine: AwsMachine | null;
  readonly node: Node | null;
  /** A line was made. */
  readonly onToken: () => void;
  readonly onArrived: (node: Node) => void;
  readonly onNext: () => void;
  readonly onBack?: (() => void) | undefined;
}) {
  const { api, clusterId, who } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [labels, setLabels] = useState(machine === null ? '' : labelsOf(machine));
  const [way, setWay] = useState<Way>('tunnel');
  const [address, setAddress] = useState(machine?.addr ?? '');
  const [tried, setTried] = useState(false);
  /** It has joined, and no role of this person selects it. */
  const [isUnseen, setUnseen] = useState(false);
  const read = readLabels(labels);
  const labelFault = typeof read === 'string' ? read : undefined;
  const addressFault = way === 'address' ? wrongAddress(address) : undefined;

  const make = (): Promise<void> =>
    attempt(async () => {
      setTried(true);
      if (typeof read === 'string' || addressFault !== undefined) return;
      await joining.make(read);
      onToken();
    });
  const joining = useJoining<Node>({
    ...{ role: 'Node', thing: node, onArrived },
    async look(search, token) {
      const { items } = await api(listNodes, { params: { clusterId }, query: { search, limit: 1 } });
      const [found] = items;
      if (found === undefined && who?.userAcl.tokens.list === true) {
        const tokens = await api(listJoinTokens);
        setUnseen((tokens.find(({ name }) => name === token.name)?.used ?? 0) > 0);
      }
      return found ?? null;
    },
  });
  const { made, frame } = joining;

  const line = made?.lines[0]?.line ?? '';
  return (
    <GuideStep
      title="Run one line on the server"
      problem={problem || joining.problem}
      next={made === null ? 'Make the line' : 'Next'}
      canGoOn={made === null || node !== null}
      isBusy={busy}
      onNext={() => (made === null ? void make() : onNext())}
      onBack={onBack}
    >
      <div ref={frame} className={styles.part}>
        {made === null ? (
          <>
            <p>
              The line makes sshd believe this gateway's certificates, pins the server's host key and keeps the way to
              it open. It needs root, sshd and curl there; run again with <code>--uninstall</code>, it takes everything
              away.
            </p>
            {prepare !== '' && <Snippet prefix="$" label="what brings sshd and curl" text={prepare} />}
            <Field
              label="Labels"
              tip="Such as env=prod team=data: roles select servers by them; may stay empty"
              mono
              autoComplete="off"
              spellCheck={false}
              value={labels}
              error={tried ? labelFault : undefined}
              onChange={event => setLabels(event.target.value)}
            />
            <Select
              label="How the gateway reaches it"
              value={ways[way]}
              choices={Object.values(ways)}
              onChange={event => setWay(event.target.value === ways.address ? 'address' : 'tunnel')}
            />
            {way === 'address' && (
              <Field
                label="Address"
                tip="host or host:port, as the gateway dials it"
                mono
                autoComplete="off"
                spellCheck={false}
                value={address}
                error={tried ? addressFault : undefined}
                onChange={event => setAddress(event.target.value)}
              />
            )}
          </>
        ) : (
          <>
            <p>
              {machine === null
                ? 'Paste this into a shell of the server. '
                : `Paste this into a shell of ${machine.hostname}, by Session Manager or EC2 Instance Connect, or give it as user data. `}
              It lets one machine join, until {made.expiry.slice(0, 16).replace('T', ' ')} UTC; whoever has it can use
              it.
            </p>
            <Snippet
              prefix="$"
              label="the line"
              text={way === 'address' ? `${line} -s -- --address ${shellWord(address.trim())}` : line}
            />
            {node === null ? (
              <p className={styles.waiting} role="status">
                Waiting for the server to join…
              </p>
            ) : (
              <Alert kind="success">{node.hostname} has joined.</Alert>
            )}
            {node === null && isUnseen && (
              <Alert kind="warning">
                A server has joined with this line, and none of your roles selects it: their node_labels do not match
                its labels.
              </Alert>
            )}
            {node === null && joining.isLate && !isUnseen && (
              <Alert kind="warning">
                Nothing has joined for five minutes. The script says what stops it: whether the gateway's address can be
                reached from there, whether it ran as root, and whether sshd has taken its configuration.{' '}
                <ManualLink id="joinMachine" />
              </Alert>
            )}
          </>
        )}
      </div>
    </GuideStep>
  );
}
