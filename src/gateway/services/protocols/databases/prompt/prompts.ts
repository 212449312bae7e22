// Databases as prompts in the console's terminals: the way in is the relay's, as for any other client.
import { Failure } from '../../../../../contract/failure.ts';
import { promptAddress } from '../../../../../contract/prompt-address.ts';
import type { DatabaseAccess, DatabasePrompt, DatabaseTarget } from '../../../../ports/databases.ts';
import type { Target } from '../../../../ports/servers.ts';
import type { Shell } from '../../../../ports/shell.ts';
import type { Who } from '../../../../ports/who.ts';
import type { Resources, Settings } from '../../../../store/store.ts';
import type { DialPorts } from '../dial.ts';
import type { DatabaseDoor } from '../door.ts';
import type { StatementReader } from '../statement-reader.ts';
import { targetOf, usersOf } from '../targets.ts';
import type { PromptConnection, PromptEngine } from './engine.ts';
import { promptEngines } from './engines.ts';
import { createPromptHistory, type Seal } from './history.ts';
import { openPipe } from './pipe.ts';
import { openPromptShell, type PromptEvents } from './prompt-shell.ts';

export interface PromptParts extends DialPorts {
  readonly resources: Pick<Resources, 'get'>;
  readonly settings: Pick<Settings, 'get' | 'put'>;
  readonly secrets: Seal;
  readonly statementReader: Pick<StatementReader, 'read'>;
  readonly report: (problem: string, error: unknown) => void;
  /** What databases that ask for a password are shown. */
  readonly databasePasswords: { of(serverName: string, dbUser: string): Promise<string> };
}
/** What a terminal asks for. */
interface PromptWish {
  readonly database: string;
  readonly dbUser: string;
  /** '' where the server has none to name. */
  readonly dbName: string;
}
export interface Prompts {
  /** What a session is opened with. Throws Failure not_found, unsupported. */
  prompt(who: Who, wish: PromptWish): Promise<{ readonly target: Target; readonly prompt: DatabasePrompt }>;
}

export function createPrompts(parts: PromptParts): Prompts {
  return {
    async prompt(who, { database: name, dbUser, dbName }) {
      const database = await targetOf(parts.resources, who, name);
      const load = promptEngines[database.protocol];
      if (!load)
        throw new Failure('unsupported', `there is no prompt for ${database.protocol}: use postern db connect ${name}`);
      const access = { database, dbUser, dbName };
      return {
        target: asTarget(database, dbName),
        prompt: { ...access, open: async request => openPrompt(parts, await load(), { ...access, who }, request) },
      };
    },
  };
}

/** As lists of sessions and recordings name it. */
const asTarget = ({ name, uri, labels }: DatabaseTarget, dbName: string): Target => ({
  id: promptAddress({ database: name, dbName }),
  hostname: name,
  subKind: 'database',
  addr: uri,
  hostKeys: [],
  labels,
});

type Request = Parameters<DatabasePrompt['open']>[0];

async function openPrompt(
  parts: PromptParts,
  engine: PromptEngine,
  { who, database, dbUser, dbName }: DatabaseAccess & { readonly who: Who },
  request: Request,
): Promise<Shell> {
  /** Everything that is open; hung up on with the session. */
  const open = new Set<{ close(): void }>();
  const reachedFirst = Promise.withResolvers<void>();
  let isFirst = true;

  async function connect(to: string, timeoutMs: number, { onNotice, onEnd }: PromptEvents): Promise<PromptConnection> {
    const early = isFirst;
    isFirst = false;
    const door: DatabaseDoor = {
      database,
      ports: parts,
      users: usersOf(who.rights, database),
      readStatement: (protocol, text) => parts.statementReader.read(who.userId, protocol, text),
      report: parts.report,
      password: user => parts.databasePasswords.of(database.serverName, user),
      async begin(wanted) {
        try {
          // The session waits for its first database; what is wanted later must be allowed before it is reached.
          const statements = early ? null : await request.begin(to);
          const { noteMade } = request;
          open.add(await wanted.reach({ ttlMs: request.ttlMs(), noteMade, own: who.rights.options.reachLoopback }));
          reachedFirst.resolve();
          return statements ?? (await request.begin(to));
        } catch (error) {
          reachedFirst.reject(error);
          throw error;
        }
      },
    };
    const pipe = openPipe(engine.relay(), door);
    open.add(pipe);
    return engine.connect(pipe.open, { dbUser, dbName: to, timeoutMs, onNotice, onEnd });
  }

  const shell = openPromptShell({
    engine,
    name: database.name,
    dbUser,
    dbName,
    size: request.size,
    connect,
    hand: request.hand,
    history: createPromptHistory(parts, { userId: who.userId, database: database.name }),
  });
  const close = (): void => {
    shell.close();
    for (const one of open) one.close();
  };
  try {
    await reachedFirst.promise;
  } catch (error) {
    close();
    throw error;
  }
  return { ...shell, close };
}
