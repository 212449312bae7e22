import { Copy, Play, RotateCcw, Square } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { queryOf } from '../../../../commands/marked.ts';
import { startRun } from '../../../client/command-run.ts';
import { toApiError } from '../../../client/errors.ts';
import {
  type CommandRunAsked,
  PARALLEL_DEFAULT,
  PARALLEL_MOST,
  RUN_HOSTS_MOST,
} from '../../../contract/command-run.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { withDefaults } from '../../../contract/snippet-text.ts';
import { listSnippets, type Snippet } from '../../../contract/snippets.ts';
import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { copied } from '../Copyable.tsx';
import { Empty, ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { createRun } from '../run.ts';
import { hasFailed, outputsText } from '../run-groups.ts';
import { loginsOf, NAMED_MOST } from './logins.ts';
import { Results } from './Results.tsx';
import styles from './runs.module.css';
import { Servers } from './Servers.tsx';

/** One command on many servers: who is meant and as whom stands there before anything runs. An address prepares a run and never starts it. */
export default function Runs() {
  const page = usePage();
  const { api, clusterId, query: at, setQuery, sockets, guard } = page;
  const { query = '', command = '', login = '', parallel = String(PARALLEL_DEFAULT) } = at;
  const [typed, setTyped] = useState({ query, command });
  const [nodes, setNodes] = useState<readonly Node[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [snippets, setSnippets] = useState<readonly Snippet[]>([]);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [run] = useState(() =>
    createRun((params, on) =>
      sockets === null
        ? { stop: () => undefined }
        : startRun(
            clusterId,
            { ...params, execution_id: crypto.randomUUID() },
            browserPorts(clusterId, sockets.token),
            {
              ...on,
              prove: (challenge, onGone) => sockets.prove('the run', challenge, onGone, false),
            },
          ),
    ),
  );
  const { status, why, servers: byId, total } = useSnapshot(run.state);
  const servers = Object.values(byId);
  const isRunning = status === 'processing';
  const ended = servers.filter(({ end }) => end !== undefined).length;
  const failed = servers.filter(hasFailed);

  useEffect(() => {
    let isHere = true;
    // Without them a command is typed: nothing to be told.
    api(listSnippets).then(
      ({ snippets }) => isHere && setSnippets(snippets.filter(({ text }) => !text.includes('\n'))),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [api]);
  useEffect(() => setTyped({ query, command }), [query, command]);
  useEffect(() => {
    setChosen({});
    setNodes([]);
    setError(null);
    if (query === '') return;
    let isHere = true;
    api(listNodes, { params: { clusterId }, query: { query, limit: RUN_HOSTS_MOST, sort: 'hostname:asc' } }).then(
      ({ items }) => isHere && setNodes(items),
      (problem: unknown) => isHere && setError(toApiError(problem)),
    );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, query]);
  useEffect(
    () => (isRunning ? guard('The command still runs: leaving stops it on every server.') : undefined),
    [isRunning, guard],
  );
  useEffect(() => () => run.stop(), [run]);

  const see = (): void => setQuery({ query: typed.query.trim(), command: typed.command });
  const isSeen = typed.query.trim() === query;
  const logins = loginsOf(nodes, login, chosen);
  const given: CommandRunAsked = { command: typed.command, query, parallel: Number(parallel), ...logins };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    see();
    // What has not been seen is shown first.
    if (isSeen && nodes.length > 0 && typed.command.trim() !== '' && !isRunning && logins !== null) run.run(given);
  };
  const retry = (): void =>
    run.run(
      {
        ...given,
        query: queryOf(failed.map(({ hostname }) => hostname)),
        logins: Object.fromEntries(failed.map(one => [one.id, one.login])),
      },
      server => !hasFailed(server),
    );

  return (
    <ListPage
      title={features.runs.title}
      error={error}
      says={status === 'over' ? `${ended} servers have ended, ${failed.length} failed` : ''}
      actions={
        status !== 'initial' && (
          <>
            {isRunning && (
              <Button kind="danger" icon={<Square aria-hidden="true" />} onClick={run.stop}>
                Stop
              </Button>
            )}
            {!isRunning && failed.length > 0 && (
              <Button icon={<RotateCcw aria-hidden="true" />} onClick={retry}>
                Retry {failed.length} failed
              </Button>
            )}
            <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, outputsText(servers))}>
              Copy outputs
            </Button>
          </>
        )
      }
    >
      <form className={styles.form} onSubmit={submit}>
        <Field
          label="Servers"
          mono
          autoFocus={query === ''}
          placeholder={'labels["env"] == "prod"'}
          tip="A predicate, as the list of servers takes it"
          value={typed.query}
          onChange={event => setTyped({ ...typed, query: event.target.value })}
          onBlur={see}
        />
        <Field
          label="Command"
          mono
          autoFocus={query !== ''}
          maxLength={4096}
          list="run-snippets"
          tip="Run by each login's shell, without a terminal"
          value={typed.command}
          onChange={event => setTyped({ ...typed, command: event.target.value })}
          onBlur={see}
        />
        <div className={styles.row}>
          <Field
            label="Login"
            mono
            list="run-logins"
            tip="Where a server offers it"
            value={login}
            onChange={event => setQuery({ login: event.target.value })}
          />
          <datalist id="run-snippets">
            {snippets.map(({ name, text, isOwn }) => (
              <option key={`${name} ${isOwn}`} value={withDefaults(text)} label={name} />
            ))}
          </datalist>
          <datalist id="run-logins">
            {[...new Set(nodes.flatMap(({ sshLogins }) => sshLogins))].map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Field
            label="At once"
            type="number"
            min={1}
            max={PARALLEL_MOST}
            value={parallel}
            tip={`At most ${PARALLEL_MOST}`}
            onChange={event => setQuery({ parallel: event.target.value })}
          />
        </div>
        <div className={styles.row}>
          <Button
            kind="primary"
            type="submit"
            icon={<Play aria-hidden="true" />}
            disabled={isRunning || logins === null}
          >
            {isSeen && nodes.length > 0
              ? `Run on ${nodes.length} ${nodes.length === 1 ? 'server' : 'servers'}`
              : 'Show the servers'}
          </Button>
          {typed.command.trim() !== '' && (
            <Button onClick={() => page.go('snippets', {}, { text: typed.command })}>Save as snippet</Button>
          )}
          <ManualLink id="runOnServers" />
        </div>
      </form>
      {logins === null && (
        <p className={styles.failed} role="alert">
          More than {NAMED_MOST} of these servers have another login than most: choose fewer servers.
        </p>
      )}
      {status !== 'initial' && (
        <p className={styles.progress}>
          {ended} of {total} ended{failed.length > 0 && `, ${failed.length} failed`}
          {why !== '' && `. ${why}`}
        </p>
      )}
      {status !== 'initial' && <Results servers={servers} />}
      {status === 'initial' && nodes.length > 0 && (
        <Servers nodes={nodes} login={login} chosen={chosen} onChoose={setChosen} />
      )}
      {status === 'initial' && nodes.length === 0 && error === null && (
        <Empty title={query === '' ? 'Which servers?' : 'No server is selected by that'}>
          <p>Say which by labels or names, or mark some in the list of servers and run on those.</p>
        </Empty>
      )}
    </ListPage>
  );
}
