import { Diff } from '../../ui/Diff.tsx';
import { LinkTo } from '../page.tsx';
import { groupsOf, type RunGroup, type RunServer } from '../run-groups.ts';
import styles from './runs.module.css';

const counted = (servers: readonly RunServer[]): string =>
  `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`;

/** What servers said, same with same: the largest group in full, the others by how they differ from it. */
export function Results({ servers }: { readonly servers: readonly RunServer[] }) {
  const groups = groupsOf(servers);
  const [largest] = groups;
  return (
    <>
      {groups.map((group, at) => (
        <section key={group.servers[0]?.id} className={styles.group} aria-labelledby={`run-group-${at}`}>
          <h2 id={`run-group-${at}`}>
            {counted(group.servers)}
            <span className={group.how === '' ? styles.well : styles.failed}>{group.how || 'exit 0'}</span>
          </h2>
          <Names servers={group.servers} />
          <Output group={group} largest={at === 0 ? undefined : largest} />
        </section>
      ))}
    </>
  );
}

/** The servers of a group; each leads to its recording. */
const Names = ({ servers }: { readonly servers: readonly RunServer[] }) => (
  <ul className={styles.names} aria-label="Recordings">
    {servers.map(({ id, hostname, sid }) => (
      <li key={id}>
        {sid === '' ? (
          hostname
        ) : (
          <LinkTo id="player" params={{ sid }} title={`Recording of the command on ${hostname}`}>
            {hostname}
          </LinkTo>
        )}
      </li>
    ))}
  </ul>
);

function Output({ group, largest }: { readonly group: RunGroup; readonly largest: RunGroup | undefined }) {
  // Why nothing ran there stands above.
  if (group.servers[0]?.sid === '') return null;
  if (group.text === '') return <p className={styles.quiet}>It printed nothing.</p>;
  if (largest !== undefined && largest.text !== '' && largest.text !== group.text)
    return <Diff label="Differences from the largest group" before={largest.text} after={group.text} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that can be scrolled through by keyboard.
    <pre tabIndex={0} className={styles.output}>
      {group.text}
    </pre>
  );
}
