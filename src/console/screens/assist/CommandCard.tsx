import { Play, RotateCcw, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { startRun } from '../../../client/command-run.ts';
import { toApiError } from '../../../client/errors.ts';
import type { Proposal } from '../../../contract/assistant.ts';
import { RUN_HOSTS_MOST } from '../../../contract/command-run.ts';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { createRun } from '../run.ts';
import styles from './assist.module.css';
import { sharedLogins } from './logins.ts';
import { queryOfProposal } from './proposal.ts';
import { SafeMarkdown } from './SafeMarkdown.tsx';

/** Servers that the card names. */
const NAMED_MOST = 6;

/**
 * A proposal. A person may change all of it, and it runs when they press its button, or Mod+Enter in it: never by itself, and never by the
 * Enter of a field.
 */
export function CommandCard({
  proposal,
  conversation,
  wasRun,
}: {
  readonly proposal: Proposal;
  readonly conversation: string;
  /** Before this page was opened. */
  readonly wasRun: boolean;
}) {
  const { api, config, sockets, preferences } = usePage();
  const clusterId = config.proxyCluster;
  const first = { query: queryOfProposal(proposal), command: proposal.command };
  const [typed, setTyped] = useState(first);
  const [query, setQuery] = useState(first.query);
  const [login, setLogin] = useState('');
  const [nodes, setNodes] = useState<readonly Node[] | null>(null);
  const [fault, setFault] = useState('');
  const loginId = useId();
  const [run] = useState(() =>
    createRun((params, on) =>
      sockets === null
        ? { stop: () => undefined }
        : startRun(
            clusterId,
            { ...params, conversation_id: conversation, execution_id: crypto.randomUUID() },
            browserPorts(clusterId, sockets.token),
            {
              ...on,
              prove: (challenge, onGone) => sockets.prove('the run', challenge, onGone, false),
            },
          ),
    ),
  );
  const { status, why, servers: byId, summary } = useSnapshot(run.state);
  const servers = Object.values(byId);
  const isRun = status !== 'initial';
  const logins = sharedLogins(nodes ?? [], preferences?.state.chosen.assist.preferredLogins ?? []);
  const chosen = logins.includes(login) ? login : (logins[0] ?? '');

  useEffect(() => {
    setNodes(null);
    setFault(query.trim() === '' ? 'Say which servers: a predicate, as the list of servers takes it.' : '');
    if (query.trim() === '') return;
    let isHere = true;
    api(listNodes, { params: { clusterId }, query: { query, limit: RUN_HOSTS_MOST, sort: 'hostname:asc' } }).then(
      ({ items }) => {
        if (!isHere) return;
        setNodes(items);
        if (items.length === 0) setFault('No server that you may see is selected by this.');
      },
      (error: unknown) => isHere && setFault(toApiError(error).message),
    );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, query]);
  useEffect(() => () => run.stop(), [run]);
  // The button that was pressed goes away: the keys stay at the card.
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (status !== 'initial' && document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [status]);

  const isSeen = typed.query === query && nodes !== null && nodes.length > 0;
  const mayRun = isSeen && chosen !== '' && typed.command.trim() !== '' && !isRun;
  const start = (): void => {
    if (mayRun) run.run({ command: typed.command, query, login: chosen });
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    const inField = event.target instanceof HTMLInputElement;
    if (event.ctrlKey || event.metaKey) start();
    else if (inField) setQuery(typed.query);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const names = (nodes ?? []).slice(0, NAMED_MOST).map(({ hostname }) => hostname);
  return (
    <section ref={card} tabIndex={-1} className={styles.card} aria-label="Proposed command">
      <p className={styles.caption}>
        {isRun
          ? 'You ran what the assistant proposed.'
          : wasRun
            ? 'You have run what the assistant proposed: see below.'
            : 'The assistant proposes a command. Nothing has been run.'}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields within. */}
      <div onKeyDown={handleKeyDown} className={styles.fields}>
        <Field
          label="Servers"
          mono
          readOnly={isRun}
          value={typed.query}
          error={fault === '' ? undefined : fault}
          onChange={event => setTyped({ ...typed, query: event.target.value })}
          onBlur={() => setQuery(typed.query)}
        />
        {nodes !== null && nodes.length > 0 && (
          <p className={styles.quiet}>
            {names.join(', ')}
            {nodes.length > names.length && ` and ${nodes.length - names.length} more`}
          </p>
        )}
        <Field
          label="Command"
          mono
          maxLength={4096}
          readOnly={isRun}
          value={typed.command}
          onChange={event => setTyped({ ...typed, command: event.target.value })}
        />
        <div className={styles.line}>
          <label htmlFor={loginId}>Login</label>
          {nodes !== null && logins.length === 0 ? (
            <span className={styles.wrong}>You have no login that all of these servers offer.</span>
          ) : (
            <select id={loginId} value={chosen} disabled={isRun} onChange={event => setLogin(event.target.value)}>
              {logins.map(one => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
          <span className={styles.room} />
          {!isRun && (
            <Button
              size="dense"
              icon={<RotateCcw aria-hidden="true" />}
              onClick={() => {
                setTyped(first);
                setQuery(first.query);
              }}
            >
              Reset
            </Button>
          )}
          {status === 'processing' ? (
            <Button key="stop" size="dense" kind="danger" icon={<Square aria-hidden="true" />} onClick={run.stop}>
              Stop
            </Button>
          ) : (
            <Button
              key="run"
              size="dense"
              kind="primary"
              icon={<Play aria-hidden="true" />}
              disabled={!mayRun}
              title="Mod+Enter"
              onClick={start}
            >
              {isRun
                ? 'It has run'
                : isSeen
                  ? `Run on ${nodes.length} ${nodes.length === 1 ? 'server' : 'servers'}`
                  : 'Run'}
            </Button>
          )}
        </div>
      </div>
      {why !== '' && (
        <p role="alert" className={styles.wrong}>
          {why}
        </p>
      )}
      {servers.map(server => (
        <div key={server.id} className={styles.result}>
          <p className={styles.line}>
            {server.sid === '' ? (
              <strong>{server.hostname}</strong>
            ) : (
              <LinkTo id="player" params={{ clusterId, sid: server.sid }} title={`Recording on ${server.hostname}`}>
                {server.hostname}
              </LinkTo>
            )}
            <span className={server.end && server.end.code !== 0 ? styles.wrong : styles.quiet}>
              {server.end === undefined
                ? 'running'
                : server.end.error || (server.end.signal ? `ended by ${server.end.signal}` : `exit ${server.end.code}`)}
            </span>
            {server.end === undefined && <Spinner />}
          </p>
          {server.text !== '' && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that can be scrolled through by keyboard.
            <pre tabIndex={0} className={styles.output}>
              {server.text}
            </pre>
          )}
        </div>
      ))}
      {status === 'processing' && servers.length > 0 && servers.every(({ end }) => end !== undefined) && (
        <p className={styles.quiet} role="status">
          The assistant reads what came out…
        </p>
      )}
      {summary !== '' && <Summary text={summary} />}
    </section>
  );
}

/** What came out of a run, in the assistant's words. */
export const Summary = ({ text }: { readonly text: string }) => (
  <section className={styles.summary} aria-label="Summary">
    <p className={styles.caption}>Summary</p>
    <SafeMarkdown text={text} />
  </section>
);
