// Tries a server as a person: their roles, the way there, its host key, the log-in. It is a session like any, of a command that does
// nothing, so policy and the audit log have it too; whatever fails is said with what to do.
import { randomUUID } from 'node:crypto';
import type { Trace } from '../../../contract/diagnostics.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ProgramEnd } from '../../../contract/terminal.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Target } from '../../ports/servers.ts';
import type { Who } from '../../ports/who.ts';
import { createTraces } from '../traces.ts';
import type { Broker, SessionEnd } from './participant.ts';

interface TrialWish {
  /** Id, or the host name where only one server has it. */
  readonly server: string;
  /** '' = the first that roles name. */
  readonly login: string;
  /** Id of the device that it is proven with, where roles ask for that. */
  readonly device?: string;
}
interface TrialParts {
  readonly servers: {
    /** The server that a person means. Throws Failure not_found, bad_request. */
    target(who: Who, wanted: string): Promise<Target>;
  };
  readonly sessions: Pick<Broker, 'run'>;
}
/** Does nothing, in every shell. */
const COMMAND = 'exit 0';

/** Never throws for what is wrong with the server. */
export async function tryServer(parts: TrialParts, who: Who, wish: TrialWish): Promise<readonly Trace[]> {
  const { all, passed, failed } = createTraces();
  let target: Target;
  try {
    target = await parts.servers.target(who, wish.server);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed('RBAC_NODE', 'Give one of your roles node_labels that match its labels.', error.message);
  }
  passed('RBAC_NODE', 'Your roles select it.');
  const login = wish.login || (who.rights.logins(target.labels)[0] ?? '');
  if (login === '') return failed('RBAC_PRINCIPAL', 'Name one in logins of a role.', 'no role names a login for it');

  const logIn = `the log-in as "${login}"`;
  try {
    const { end, exit } = await run(parts, who, { target, login, device: wish.device });
    passed('RBAC_PRINCIPAL', `You may use it as "${login}".`);
    passed('CONNECTIVITY', `${target.addr || target.hostname} answers with the host key that was confirmed.`);
    if (exit?.code === 0) passed('NODE_PRINCIPAL', `It has let "${login}" in.`);
    else
      return failed(
        'NODE_PRINCIPAL',
        `Give "${login}" a shell that runs commands.`,
        exit ? `${logIn} worked, and its shell ended with ${exit.code ?? exit.signal}` : end.text,
      );
  } catch (error) {
    if (error instanceof Failure)
      return failed('RBAC_PRINCIPAL', 'Your roles say as whom (logins), locks and limits whether.', error.message);
    if (!(error instanceof ConnectError)) throw error;
    passed('RBAC_PRINCIPAL', `You may use it as "${login}".`);
    if (error.reason === 'host_key_changed')
      return failed(
        'CONNECTIVITY',
        'Compare the keys and trust the new one, if somebody reinstalled it.',
        error.message,
      );
    if (error.reason !== 'principal_refused' && error.reason !== 'no_such_login')
      return failed(
        'CONNECTIVITY',
        'Look at the address, at firewalls, and at whether sshd runs there.',
        error.message,
      );
    passed('CONNECTIVITY', `${target.addr || target.hostname} answers with the host key that was confirmed.`);
    return failed(
      'NODE_PRINCIPAL',
      `Create "${login}" there, and name the line of postern ca export in TrustedUserCAKeys.`,
      error.message,
    );
  }
  return all;
}

/** Resolves once the command is over. Throws as `Broker.run`. */
async function run(
  { sessions }: TrialParts,
  who: Who,
  { device, ...at }: { readonly target: Target; readonly login: string; readonly device: string | undefined },
): Promise<{ readonly end: SessionEnd; readonly exit: ProgramEnd | null }> {
  const over = Promise.withResolvers<{ readonly end: SessionEnd; readonly exit: ProgramEnd | null }>();
  await sessions.run({
    who,
    ...at,
    ...(device !== undefined && { device }),
    command: { line: COMMAND, executionId: randomUUID() },
    listener: {
      began: () => undefined,
      output: () => undefined,
      ended: (end, exit) => over.resolve({ end, exit }),
    },
  });
  return over.promise;
}
