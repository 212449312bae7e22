import type { Node } from '../../../contract/nodes.ts';
import { loginFor } from './logins.ts';
import styles from './runs.module.css';

/** The servers that a run would be on, with the login of each to choose. */
export function Servers({
  nodes,
  login,
  chosen,
  onChoose,
}: {
  readonly nodes: readonly Node[];
  readonly login: string;
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChoose: (chosen: Readonly<Record<string, string>>) => void;
}) {
  return (
    <table className={styles.servers} aria-label="Servers of the run">
      <thead>
        <tr>
          <th>Hostname</th>
          <th>Login</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map(node => (
          <tr key={node.id}>
            <td>
              <code>{node.hostname}</code>
            </td>
            <td>
              {node.sshLogins.length === 0 ? (
                'You have no login there'
              ) : (
                <select
                  aria-label={`Login on ${node.hostname}`}
                  value={loginFor(node, login, chosen)}
                  onChange={event => onChoose({ ...chosen, [node.id]: event.target.value })}
                >
                  {node.sshLogins.map(one => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
