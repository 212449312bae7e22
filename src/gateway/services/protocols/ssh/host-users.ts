// Users that servers make for sessions (create_host_user): before the log-in a prepared server is asked for the user, and told once the
// connection is over. What it may be asked, and what it refuses, is in src/cli/machine/prepare-users.sh.
import { randomUUID } from 'node:crypto';
import { ConnectError } from '../../../ports/reach.ts';
import type { HostUser, OpenRequest, Target } from '../../../ports/servers.ts';
import { answerOf } from '../../shell-answer.ts';
import type { SshConnector } from './connector.ts';

/** The login of a prepared server that makes users, and does nothing else. */
const LOGIN = 'postern-users';
const ANSWER_MOST_BYTES = 16 * 1024;
/** Names that are made: no other can be taken for an option or a path there. */
const NAME = /^[a-z_][a-z0-9_-]{0,31}$/;
/** All that is asked of a server in one line, characters: what it gets as one argument. */
const ASKED_MOST_CHARACTERS = 64 * 1024;
const NONE = '-';

type Request = Omit<OpenRequest, 'size'>;

/** A connector that has servers make the users that its requests name. `report` hears of those that were not told of an end. */
export function withHostUsers(
  connector: SshConnector,
  report: (problem: string, error: unknown) => void,
): SshConnector {
  async function ask(target: Target, sid: string, command: string): Promise<string> {
    const { stdout, stderr, code, error } = await answerOf(connector, target, {
      ...{ login: LOGIN, sid, command },
      mostBytes: ANSWER_MOST_BYTES,
    });
    if (code === 0) return stdout.trim();
    throw new Error(
      stderr.trim().split('\n').at(-1)?.slice(0, 300) || error || `${target.hostname} is not prepared for this`,
    );
  }
  /** Has the user made. Answers what tells the server, once, that the connection is over. */
  async function begin(target: Target, { sid, login }: Request, wanted: HostUser): Promise<() => void> {
    const id = randomUUID();
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      ask(target, sid, `end ${id} ${login}`).catch((error: unknown) =>
        report(`${target.hostname} was not told that nobody needs its user ${login} any more`, error),
      );
    };
    try {
      const said = await ask(target, sid, asking(id, login, wanted));
      return said === 'kept' ? () => undefined : end;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      end();
      throw new ConnectError('failed', `${target.hostname} was to make the user ${login} (create_host_user): ${why}`);
    }
  }
  /** Opens with the user there. */
  async function around<Opened>(
    target: Target,
    request: Request,
    open: () => Promise<Opened>,
    attach: (opened: Opened, over: () => void) => Opened,
  ): Promise<Opened> {
    if (!request.hostUser || !NAME.test(request.login)) return open();
    const over = await begin(target, request, request.hostUser);
    try {
      return attach(await open(), over);
    } catch (error) {
      over();
      throw error;
    }
  }
  return {
    open: (target, request) =>
      around(
        target,
        request,
        () => connector.open(target, request),
        (shell, over) => ({
          ...shell,
          onExit(listener) {
            shell.onExit(exit => {
              over();
              listener(exit);
            });
          },
          close() {
            shell.close();
            over();
          },
        }),
      ),
    files: (target, request) =>
      around(
        target,
        request,
        () => connector.files(target, request),
        (files, over) => {
          void files.closed.then(over);
          return files;
        },
      ),
    forwarder: (target, request) =>
      around(
        target,
        request,
        () => connector.forwarder(target, request),
        (forwarder, over) => ({
          ...forwarder,
          onGone(listener) {
            forwarder.onGone(() => {
              over();
              listener();
            });
          },
          close() {
            forwarder.close();
            over();
          },
        }),
      ),
    probe: connector.probe,
  };
}

/** Throws Error for what no server is asked. */
function asking(id: string, login: string, { mode, groups, sudoers }: HostUser): string {
  const odd = groups.find(group => !NAME.test(group));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd.slice(0, 40))} of host_groups is no name of a group`);
  const lines = sudoers.length === 0 ? NONE : Buffer.from(sudoers.join('\n')).toString('base64');
  const line = `begin ${id} ${login} ${mode} ${groups.join(',') || NONE} ${lines}`;
  if (line.length > ASKED_MOST_CHARACTERS) throw new Error('host_groups and host_sudoers are too long');
  return line;
}
