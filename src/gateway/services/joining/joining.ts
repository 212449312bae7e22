// Machines that join with a token: what they are is registered by the service of its noun, and they are told whom to trust and where to dial.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { hostAndPort, hostName, isPort, readAddress, SSH_PORT, withPort } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import { hostKeyLine } from '../../../contract/host-keys.ts';
import type { JoinMethod } from '../../../contract/join-methods.ts';
import { type JoinRole, joinedThings } from '../../../contract/join-tokens.ts';
import { safeName } from '../../../contract/shapes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Actor } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { TUNNEL_LABEL, type TunnelledKind, tunnelPath } from '../tunnel-way.ts';
import { tunnelScript } from './scripts.ts';

/** Label of whatever a machine has joined as: that machine's key. Who comes again with the same is the same. */
const JOINED_LABEL = 'postern.internal/joined';
/** Databases that are there already and that one machine leads to, at most. */
const FOUND_MOST = 200;
/** Things that one machine leads to, at most. */
const SERVES_MOST = 500;
/** Where a database listens unless its address says so. */
const databasePorts: Readonly<Record<string, number>> = { postgres: 5432, mysql: 3306, redis: 6379 };

type Labels = Readonly<Record<string, string>>;
interface Token {
  readonly name: string;
  readonly labels: Labels;
  readonly matchers: Readonly<Record<string, string | readonly string[]>>;
  readonly method: JoinMethod;
  readonly attributes: Readonly<Record<string, string>>;
}
export interface JoiningParts {
  readonly tokens: {
    find(text: string, role: JoinRole, options?: { readonly usedUp: boolean }): Promise<Token>;
    use(text: string, role: JoinRole): Promise<Token>;
    giveBack(name: string): Promise<void>;
  };
  readonly resources: Pick<Resources, 'get' | 'named' | 'list' | 'put'>;
  readonly declared: {
    apply(
      files: readonly { readonly name: string; readonly content: string }[],
      options: { readonly by: string },
    ): Promise<{ readonly problems: readonly string[] }>;
  };
  readonly servers: {
    enroll(
      server: { readonly hostname: string; readonly addr: string; readonly labels: Labels; readonly hostKey: string },
      token: string,
      method: JoinMethod,
    ): Promise<Resource>;
  };
  /** Notes the machine's key, and what it may lead to from now on. */
  readonly pin: (
    tunnel: string,
    title: string,
    token: string,
    serves: readonly { readonly kind: TunnelledKind; readonly name: string }[],
  ) => Promise<void>;
  readonly audit: AuditLog;
  /** Whom the server shall trust. */
  readonly userCa: () => string;
  /** Certifies a server's own key. */
  readonly certify: (hostKey: string, names: readonly string[]) => Promise<string>;
  /** Where tunnels dial in; null where nothing listens for them. */
  readonly tunnels: () => Promise<{ readonly host: string; readonly port: number; readonly key: string } | null>;
}
export interface Joining {
  /** What a machine is told, a line each: a word, and what it is. Throws Failure with one sentence. */
  join(token: string, form: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Lets whoever holds a key lead to the databases that these labels match, but for those that others lead to: what went by the same title
   * before is taken over. Throws Failure not_found, unavailable.
   */
  lead(
    publicKey: string,
    title: string,
    matchers: Token['matchers'],
    by: Pick<Actor, 'user'>,
  ): Promise<{
    readonly gateway: { readonly host: string; readonly port: number; readonly key: string };
    readonly forwards: readonly { readonly path: string; readonly to: string }[];
    /** What keeps a tunnel open: a script that reads the rest from files beside it. */
    readonly script: string;
  }>;
}

const optional = (schema: z.ZodMiniType<string>) => z._default(z.union([z.literal(''), schema]), '');
const form = z.object({
  role: z.enum(['Node', 'Db', 'App']),
  name: z._default(z.string(), ''),
  tunnelKey: z.string().check(z.regex(/^ssh-ed25519 [A-Za-z0-9+/]+=*( |$)/, 'an Ed25519 public key')),
  address: optional(hostAndPort),
  hostKey: optional(hostKeyLine),
  listen: optional(hostAndPort),
  audit: z._default(z.enum(['', 'yes']), ''),
  users: z._default(z.enum(['', 'yes']), ''),
  uri: z._default(z.string().check(z.maxLength(2048, 'at most 2048 characters')), ''),
  protocol: z._default(z.string().check(z.maxLength(64, 'at most 64 characters')), ''),
});
type Form = z.output<typeof form>;
interface Registered {
  readonly name: string;
  /** What the machine forwards: name in the tunnel, and where to. */
  readonly forwards: readonly { readonly kind: TunnelledKind; readonly name: string; readonly to: string }[];
  readonly lines: readonly string[];
}

export function createJoining(parts: JoiningParts): Joining {
  const { tokens, resources, declared, servers, audit } = parts;

  /** Labels of what joins. */
  const labelsOf = (token: Token, machine: string, given: Form): Labels => ({
    ...token.labels,
    ...(given.audit === 'yes' && { commands: 'kernel', disk: 'kernel', network: 'kernel' }),
    ...(given.users === 'yes' && { users: 'made' }),
    [JOINED_LABEL]: machine,
    ...(given.address === '' && { [TUNNEL_LABEL]: machine }),
  });
  const isOf = (machine: string) => (resource: Resource) => resource.labels[JOINED_LABEL] === machine;

  async function joinServer(given: Form, machine: string, use: () => Promise<Token>): Promise<Registered> {
    const hostname = checked(hostName, given.name, 'name');
    if (given.hostKey === '') throw new Failure('bad_request', 'hostKey: the public half of the key that sshd shows');
    const { hostKey } = given;
    const addr = given.address === '' ? withPort(hostname, SSH_PORT) : withPort(given.address, SSH_PORT);
    const ofName = await allOf(resources, 'node', {
      query: {
        kind: 'call',
        name: 'equals',
        args: [
          { kind: 'field', path: ['name'] },
          { kind: 'literal', value: hostname },
        ],
      },
    });
    const before = ofName.find(
      one => isOf(machine)(one) && one.address === addr && keysOf(one).includes(keyOf(hostKey)),
    );
    let server = before;
    if (!server) {
      const token = await use();
      server = await undoing(token, () =>
        servers.enroll({ hostname, addr, labels: labelsOf(token, machine, given), hostKey }, token.name, token.method),
      );
    }
    const names = [
      hostname,
      ...(given.address === '' ? [] : [readAddress(given.address)?.host ?? hostname]),
      server.name,
    ];
    return {
      name: hostname,
      forwards:
        given.address === '' ? [{ kind: 'node', name: server.name, to: given.listen || `127.0.0.1:${SSH_PORT}` }] : [],
      lines: [`user-ca ${parts.userCa()}`, `host-certificate ${await parts.certify(hostKey, [...new Set(names)])}`],
    };
  }

  /** Databases and applications: held to the rules of files, then led over the machine's tunnel. */
  async function joinBehind(
    kind: 'db' | 'app',
    given: Form,
    machine: string,
    use: () => Promise<Token>,
  ): Promise<Registered> {
    const name = checked(safeName, given.name, 'name');
    const { uri, protocol } = given;
    const to = kind === 'db' ? endOf(uri, databasePorts[protocol]) : endOf(uri, uri.startsWith('https:') ? 443 : 80);
    const before = await resources.get(kind, name);
    const same = before && isOf(machine)(before) && (before.spec as { readonly uri?: string }).uri === uri;
    if (before && !same)
      throw new Failure('exists', `there is ${kind === 'db' ? 'a database' : 'an application'} "${name}" already`);
    if (!before) {
      const token = await use();
      await undoing(token, async () => {
        const all = labelsOf(token, machine, given);
        const own = Object.entries(all).filter(([label]) => label.startsWith('postern.'));
        const labels = Object.fromEntries(Object.entries(all).filter(([label]) => !label.startsWith('postern.')));
        const spec = kind === 'db' ? { protocol, uri } : { uri };
        const content = JSON.stringify({ kind, version: 'v3', metadata: { name, labels }, spec });
        const { problems } = await declared.apply([{ name, content }], { by: byToken(token.name) });
        if (problems.length > 0) throw new Failure('bad_request', problems.join('; '));
        await relabel(kind, name, labels => ({ ...labels, ...Object.fromEntries(own) }));
        await audit.emit({
          code: 'TJ002I',
          user: byToken(token.name),
          success: true,
          host_id: machine,
          node_name: name,
          role: given.role,
          method: token.method,
          token_name: token.name,
          ...(token.method !== 'token' && { attributes: token.attributes }),
        });
      });
    }
    return { name, forwards: [{ kind, name, to }], lines: [] };
  }

  /** Databases that are in the list already and that the token's labels match: those that no other machine leads to. */
  async function joinListed(machine: string, use: () => Promise<Token>, token: Token): Promise<Registered> {
    if (Object.keys(token.matchers).length === 0)
      throw new Failure('bad_request', 'say which database: --name NAME --protocol postgres --uri 127.0.0.1:5432');
    const found = (await allOf(resources, 'db')).filter(
      ({ labels }) => matches(token.matchers, labels) && [undefined, machine].includes(labels[TUNNEL_LABEL]),
    );
    if (found.length === 0)
      throw new Failure('not_found', 'no database in the list has the labels that this token is for');
    if (found.some(({ labels }) => labels[TUNNEL_LABEL] === undefined)) await use();
    const forwards = await leadTo(found, machine);
    return { name: forwards.map(({ name }) => name).join(', '), forwards, lines: [] };
  }
  /** Databases of the list, from now on over this machine's tunnel. */
  async function leadTo(found: readonly Resource[], machine: string): Promise<Registered['forwards']> {
    const forwards: Registered['forwards'][number][] = [];
    for (const { name, spec } of found.slice(0, FOUND_MOST)) {
      const { uri = '', protocol = '' } = spec as { readonly uri?: string; readonly protocol?: string };
      forwards.push({ kind: 'db', name, to: endOf(uri, databasePorts[protocol]) });
      await relabel('db', name, labels => ({ ...labels, [TUNNEL_LABEL]: machine }));
    }
    return forwards;
  }
  const lead: Joining['lead'] = async (publicKey, title, matchers, by) => {
    const gateway = await parts.tunnels();
    if (!gateway) throw new Failure('unavailable', 'this gateway listens for no tunnels (its setting is --ssh-listen)');
    const machine = idOf(publicKey);
    const fitting = (await allOf(resources, 'db')).filter(({ labels }) => matches(matchers, labels));
    const others = [...new Set(fitting.flatMap(({ labels }) => labels[TUNNEL_LABEL] ?? []))];
    const tunnels = await resources.named('tunnel', others);
    const before = new Set(tunnels.flatMap(row => (row.title === title ? [row.name] : [])));
    const found = fitting.filter(({ labels: { [TUNNEL_LABEL]: one } }) => one === undefined || before.has(one));
    if (found.length === 0)
      throw new Failure(
        'not_found',
        'no database in the list has these labels, but for those that other machines lead to',
      );
    const forwards = await leadTo(found, machine);
    await parts.pin(machine, title, `by ${by.user}`, forwards);
    return {
      gateway,
      forwards: forwards.map(({ kind, name, to }) => ({ path: tunnelPath(kind, name), to })),
      script: tunnelScript(),
    };
  };

  async function relabel(kind: 'db' | 'app', name: string, change: (labels: Labels) => Labels): Promise<void> {
    const row = await resources.get(kind, name);
    if (!row) throw new Failure('not_found', `"${name}" was removed meanwhile`);
    const { revision, created: _created, updated: _updated, ...kept } = row;
    await resources.put({ ...kept, labels: change(row.labels) } satisfies NewResource, revision);
  }
  async function undoing<Result>(token: Token, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      await tokens.giveBack(token.name);
      throw error;
    }
  }

  async function join(text: string, given: Form): Promise<string> {
    const { role } = given;
    const token = await tokens.find(text, role, { usedUp: true });
    const end = await parts.tunnels();
    const isTunnelled = given.address === '';
    if (isTunnelled && !end)
      throw new Failure(
        'unavailable',
        'this gateway listens for no tunnels (its setting is --ssh-listen): a server joins with --address HOST[:PORT]',
      );
    const machine = idOf(given.tunnelKey);
    const use = () => tokens.use(text, role);
    const done =
      role === 'Node'
        ? await joinServer(given, machine, use)
        : role === 'Db' && given.name === ''
          ? await joinListed(machine, use, token)
          : await joinBehind(role === 'Db' ? 'db' : 'app', given, machine, use);
    if (done.forwards.length > SERVES_MOST) throw new Failure('bad_request', `at most ${SERVES_MOST} for one machine`);
    if (isTunnelled) await parts.pin(machine, done.name, token.name, done.forwards);
    return [
      `name ${done.name}`,
      ...done.lines,
      ...done.forwards.map(({ kind, name, to }) => `forward ${tunnelPath(kind, name)} ${to}`),
      ...(isTunnelled && end ? [`gateway-host ${end.host}`, `gateway-port ${end.port}`, `gateway-key ${end.key}`] : []),
      '',
    ].join('\n');
  }

  let before: Promise<unknown> = Promise.resolve();
  return {
    lead: (...asked) => {
      const mine = before.then(() => lead(...asked));
      before = mine.catch(() => undefined);
      return mine;
    },
    join(text, raw) {
      // One after the other: of two that say the same name, the second hears that there is one.
      const mine = before.then(async () => {
        const read = z.safeParse(form, raw);
        const role = read.success ? read.data.role : (raw.role ?? '');
        try {
          if (!read.success) {
            const [issue] = read.error.issues;
            throw new Failure(
              'bad_request',
              `${issue?.path.join('.') ?? 'form'}: ${issue?.message ?? 'not understood'}`,
            );
          }
          return await join(text, read.data);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          const [token = ''] = text.split('.', 1);
          await audit.emit({
            code: 'TJ002E',
            success: false,
            error: error.message,
            node_name: String(raw.name ?? '').slice(0, 255),
            role: role in joinedThings ? role : 'unknown',
            method: /^[^.]*\.region: /.test(text)
              ? 'iam'
              : text.includes('.') && text.indexOf('.') !== text.lastIndexOf('.')
                ? 'id token'
                : 'token',
            token_name: token.slice(0, 63),
          });
          throw error;
        }
      });
      before = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Who acts, for the audit log. */
const byToken = (name: string): string => `join-token:${name}`;

function checked(schema: z.ZodMiniType<string>, value: string, field: string): string {
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  throw new Failure('bad_request', `${field}: ${JSON.stringify(value.slice(0, 60))}: ${read.error.issues[0]?.message}`);
}

/** Digest of a public key's blob, by which a machine is known. */
const idOf = (line: string): string =>
  createHash('sha256')
    .update(Buffer.from(line.split(' ')[1] ?? '', 'base64'))
    .digest('hex');
/** A key without its comment. */
const keyOf = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');
const keysOf = ({ spec }: Resource): readonly string[] =>
  ((spec as { readonly hostKeys?: readonly string[] } | null)?.hostKeys ?? []).map(keyOf);

/** host:port that an address leads to, as `ssh -R` wants it. Throws Failure bad_request. */
function endOf(uri: string, port: number | undefined): string {
  const bare = uri.replace(/^[a-z+]+:\/\//, '').replace(/[/?#].*$/, '');
  const read = readAddress(bare);
  const number = read?.port ?? port;
  if (!read || number === undefined || !isPort(number))
    throw new Failure('bad_request', `uri: ${JSON.stringify(uri.slice(0, 60))}: an address such as 127.0.0.1:5432`);
  return `${read.host.includes(':') ? `[${read.host}]` : read.host}:${number}`;
}

/** As selectors of labels do: every name with one of its values; `*` stands for any. */
const matches = (wanted: Token['matchers'], labels: Labels): boolean =>
  Object.entries(wanted).every(([name, values]) =>
    name === '*' ? true : [values].flat().some(value => value === '*' || value === labels[name]) && name in labels,
  );
