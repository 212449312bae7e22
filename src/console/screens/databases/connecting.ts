// How to reach a database with the tools that its people have: one command line each.
import type { Database } from '../../../contract/resources.ts';
import { type ClientLine, databaseClients } from '../../../features/database-clients.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { signInSteps } from '../sign-in-steps.ts';

export interface ConnectAs {
  /** Empty: left for the tool to ask. */
  readonly user: string;
  readonly database: string;
}

/** Host and port of `host:port`, `[v6]:port` or a URL; undefined when it is none of them. */
export function hostAndPort(uri: string): { readonly host: string; readonly port: string } | undefined {
  const [, v6, name, port = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(?:\[([0-9A-Fa-f:.]+)\]|([^:/?#[\]\s]+))(?::(\d{1,5}))?(?:[/?#].*)?$/i.exec(
      uri,
    ) ?? [];
  const host = v6 ?? name;
  return host === undefined || host === '' ? undefined : { host, port };
}

/** Of a person's own machine, in lines. */
const TUNNEL_PORT = 9090;

type CommandOf = (at: { readonly host: string; readonly port: string }, asked: ConnectAs) => readonly string[];
const option = (flag: string, value: string): readonly string[] => (value === '' ? [] : [flag, value]);

const lines: Readonly<Record<string, CommandOf>> = {
  mongodb: ({ host, port }, { user, database }) => [
    'mongosh',
    '--host',
    host,
    ...option('--port', port),
    ...option('-u', user),
    ...(database === '' ? [] : [database]),
  ],
  sqlserver: ({ host, port }, { user, database }) => [
    'sqlcmd',
    '-S',
    port === '' ? host : `${host},${port}`,
    ...option('-U', user),
    ...option('-d', database),
  ],
  cassandra: ({ host, port }, { user, database }) => [
    'cqlsh',
    ...option('-u', user),
    ...option('-k', database),
    host,
    ...(port === '' ? [] : [port]),
  ],
};
/** The command line; undefined where no plain tool is known for the protocol or the database has no address. */
export function commandLine(
  { protocol, uri }: Pick<Database, 'protocol' | 'uri'>,
  asked: ConnectAs,
): string | undefined {
  const at = hostAndPort(uri);
  const line = lines[protocol];
  return at === undefined || line === undefined ? undefined : line(at, asked).map(shellWord).join(' ');
}

/** Lines that lead through the gateway of an origin, with the flags of signing in; undefined for a protocol that it does not relay. */
export function relayedLines(
  { name, protocol }: Pick<Database, 'name' | 'protocol'>,
  asked: ConnectAs,
  origin: string,
  signIn: readonly string[],
) {
  const client = databaseClients[protocol];
  if (!client) return undefined;
  const as = { user: asked.user, database: client.names === 'number' ? '' : asked.database };
  const folder = `$HOME/.config/postern/databases/${encodeURIComponent(name)}`;
  return [
    ...signInSteps(origin, signIn),
    {
      title: `${client.program}, with a certificate made at once`,
      label: 'the command',
      text: words(
        ...['postern', 'db', 'connect', name],
        ...option('--db-user', as.user),
        ...option('--db-name', as.database),
      ),
    },
    {
      title: `Or fetch the certificate, for ${client.program} and whatever else takes one`,
      label: 'the log-in',
      text: words('postern', 'db', 'login', name),
    },
    // Without a file that says where to, only the log-in knows the line.
    ...(client.file
      ? [{ label: `the ${client.program} line`, text: inShell(client.line({ host: '', port: 0, folder }, as)) }]
      : []),
    {
      title: 'Or a plain port of your machine, for any other client',
      label: 'the port',
      text: words('postern', 'proxy', 'db', name, '--port', String(client.plainPort)),
    },
    { label: 'the line for it', text: inShell(client.plain(client.plainPort, as)) },
  ];
}
const words = (...line: readonly string[]): string => line.map(shellWord).join(' ');

/** Lines to a database whose protocol the gateway does not speak: a port of one's own machine, and the tool's line for it. */
export const tunnelLines = (
  { name, protocol }: Pick<Database, 'name' | 'protocol'>,
  asked: ConnectAs,
  origin: string,
  signIn: readonly string[],
) => {
  const line = commandLine({ protocol, uri: `127.0.0.1:${TUNNEL_PORT}` }, asked);
  return [
    ...signInSteps(origin, signIn),
    {
      title: 'A port of your machine that leads to it',
      label: 'the port',
      text: words('postern', 'proxy', 'tcp', name, '--port', String(TUNNEL_PORT)),
    },
    ...(line === undefined ? [] : [{ label: 'the line for it', text: line }]),
  ];
};
/** A command line whose shell knows where home is. */
const inShell = ({ env = {}, words }: ClientLine): string =>
  [
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...words.map(word => (word.includes('=$HOME/') ? word : shellWord(word))),
  ].join(' ');
